"""Which supports a method finds on pitprops and on the hidden factors, and how good the published ones are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from published_checks.estimators import counts, covariance, features, fit_covariance, known, supports

from published_reasons.registry import Variant, reason

SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4"
COP = "Meng, Cui, Xu, Jing 2013 (COP-PCA)"
N_ORDERS = 200


@reason(
    "ties_pitprops",
    SPCART,
    "GPower with rho = 0.1 and rSVD-GP with threshold 0.27, l0: cardinalities in their order, and CPEV",
    "7 1 2 1 6 2, 0.8111; 6 1 2 4 2 2, 0.8117",
)
def ties_pitprops() -> Iterator[Variant]:
    S = covariance("pitprops")
    for name, params, published in (
        ("gpower_l0", {"rho": 0.1}, "7 1 2 1 6 2"),
        ("rsvdgp_l0", {"threshold": 0.27, "tol": 0.01, "max_iter": 200}, "6 1 2 4 2 2"),
    ):
        found = []
        for seed in range(N_ORDERS):
            order = np.random.default_rng(seed).permutation(len(S))
            fitted = fit_covariance(name, S[np.ix_(order, order)], n_components=6, **params)
            found.append((counts(fitted), f"{fitted.cpev_[-1]:.4f}"))
        same = [cpev for pattern, cpev in found if pattern == published]
        which = f", with CPEV {', '.join(sorted(set(same)))}" if same else ""
        yield Variant(f"{name}, {N_ORDERS} orders of the features, whose variances tie: results", str(len(set(found))))
        yield Variant("orders that lead to the published cardinalities in their order", f"{len(same)}{which}")
        alike = sum(sorted(pattern) == sorted(published) for pattern, _ in found)
        yield Variant("orders that lead to the published cardinalities in any order", str(alike))


@reason("cop_candidates", f"{COP}, section 3.1", "COP, hidden factors, four nonzeros: supports", "5 6 7 8; 1 2 3 4")
def cop_candidates() -> Iterator[Variant]:
    for m in (1, 2, 3, 4, 5, 10):
        fitted = known("cop", "hastie_exact", n_components=2, n_nonzero=4, n_candidates=m)
        yield Variant(f"n_candidates = {m}", supports(fitted))


@reason(
    "outlier_supports",
    "Zhao, Meng, Xu 2014 (RSPCA), Table 3",
    "PathSPCA and EMPCA, hidden factors with 5 % outliers of variance 6000, k = 4: first support",
    "5 6 7 9",
)
def outlier_supports() -> Iterator[Variant]:
    S = 0.95 * covariance("hastie_exact")
    S[8:, 8:] += 0.05 * 6000.0 * np.eye(2)
    for support in ([4, 5, 6, 7], [4, 5, 6, 8], [4, 5, 8, 9]):
        value = np.linalg.eigvalsh(S[np.ix_(support, support)])[-1]
        yield Variant(f"variance of {' '.join(str(i + 1) for i in support)} in the population", f"{value:.1f}")
    for name in ("exact", "pathspca", "empca"):
        extra = {"random_state": 0} if name == "empca" else {}
        fitted = fit_covariance(name, S, n_components=1, n_nonzero=4, **extra)
        yield Variant(f"{name} on the covariance of the population", features(fitted.components_[0]))
