"""Rotation and SCoTLASS: numbers that may depend on starts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from published_checks.estimators import Array, covariance, dataset, known, measured

from published_reasons.registry import Variant, reason

N_STARTS = 300


def criterion(L: Array) -> float:
    """Return the varimax criterion: the sum over columns of the variance of the squares."""
    return float((L**2).var(axis=0).sum())


@reason("varimax_starts", "specification, section 4", "pitprops, 6 components: varimax criterion", "0.1733")
def varimax_starts() -> Iterator[Variant]:
    V = np.linalg.eigh(covariance("pitprops"))[1][:, :-7:-1]
    ends = []
    for seed in range(N_STARTS):
        R = np.linalg.qr(np.random.default_rng(seed).standard_normal((6, 6)))[0]
        for _ in range(500):
            L = V @ R
            U, _, Wt = np.linalg.svd(V.T @ (L**3 - L * (L**2).mean(axis=0)))
            R = U @ Wt
        ends.append(criterion(V @ R))
    yield Variant(
        "from the components as they are",
        f"{criterion(known('varimax', 'pitprops', n_components=6).components_.T):.4f}",
    )
    yield Variant(f"smallest and largest end of {N_STARTS} random starts", f"{min(ends):.4f}, {max(ends):.4f}")


@reason(
    "scotlass_starts",
    "Zou, Hastie, Tibshirani 2006, Table 2",
    "SCoTLASS, pitprops, t = 1.75: adjusted % of six components",
    "69.3",
)
def scotlass_starts() -> Iterator[Variant]:
    for orth in ("deflate", "exact"):
        for init in ("pca", "multi"):
            fitted = known("scotlass", "pitprops", n_components=6, bound=1.75, orth=orth, init=init)
            percent = 100 * measured("adjusted_variance", fitted.components_, dataset("pitprops"))
            values = " ".join(f"{value:.3f}" for value in fitted.objective_)
            yield Variant(f"orth = {orth}, init = {init}; variances {values}", f"{percent:.2f}")
