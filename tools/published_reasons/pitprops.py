"""Pitprops: six components of the COP-PCA paper and of Table 4 of the SPCArt paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from published_checks.estimators import Array, counts, covariance, dataset, known, measured

from published_reasons.registry import Variant, reason

COP = "Meng, Cui, Xu, Jing 2013 (COP-PCA), section 3.2"
SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4"
PERCENT = "% of the variance by six components of four nonzeros each"
SIX: dict[str, Any] = {"n_components": 6}
FOUR: dict[str, Any] = {"n_components": 6, "n_nonzero": 4}
MEASURES = {"deflated_variance": "deflated", "cpev": "CPEV", "adjusted_variance": "adjusted"}


def measure(name: str, W: Array) -> float:
    """Compute a metric of the six components."""
    return float(measured(name, W, dataset("pitprops")))


def percents(W: Array) -> str:
    """Return what the components explain, in the three measures of the variance of several components."""
    return ", ".join(f"{title} {100 * measure(name, W):.2f}" for name, title in MEASURES.items())


def refitted(W: Array) -> Array:
    """Replace each loading by the best one on its support, after projection of those before it."""
    C, found = covariance("pitprops").copy(), np.zeros_like(W)
    for w, v in zip(W, found, strict=True):
        support = np.flatnonzero(w)
        v[support] = np.linalg.eigh(C[np.ix_(support, support)])[1][:, -1]
        P = np.eye(len(v)) - np.outer(v, v)
        C = P @ C @ P
    return found


def largest_four(W: Array) -> Array:
    """Keep the four largest entries of each loading."""
    kept = np.where(np.abs(W) >= np.sort(np.abs(W), axis=1)[:, [-4]], W, 0.0)
    return np.asarray(kept / np.linalg.norm(kept, axis=1, keepdims=True))


def by_variance(W: Array) -> Array:
    """Order the components by their variances."""
    S = covariance("pitprops")
    return np.asarray(W[np.argsort([-w @ S @ w for w in W], kind="stable")])


@reason("spca_pitprops", COP, f"SPCA: {PERCENT}", "76.99")
def spca_pitprops() -> Iterator[Variant]:
    for name, params, how in (
        ("spca_card", {}, "elastic net, ridge = 1e-6"),
        ("spca_card", {"ridge": 0.0}, "elastic net, ridge = 0"),
        ("spca_soft", {}, "soft thresholds"),
    ):
        W = known(name, "pitprops", **FOUR, **params).components_
        yield Variant(how, percents(W))
        yield Variant(f"{how}, refitted", percents(refitted(W)))
        yield Variant(f"{how}, refitted, in the order of their variances", percents(by_variance(refitted(W))))
    for ridge in (0.1, 1.0, 5.0, 10.0, 16.0, 20.0, 100.0):
        yield Variant(
            f"elastic net, ridge = {ridge:g}", percents(known("spca_card", "pitprops", **FOUR, ridge=ridge).components_)
        )
    l1 = [0.06, 0.16, 0.1, 0.5, 0.5, 0.5]
    for how, ridge in (("1e-6", 1e-6), ("0", 0.0)):
        fitted = known("spca_l1", "pitprops", n_components=6, l1=l1, ridge=ridge)
        yield Variant(
            f"penalties of Zou et al., ridge = {how}: nonzeros {counts(fitted)}", percents(fitted.components_)
        )
        yield Variant("the same, refitted", percents(refitted(fitted.components_)))


@reason("alspca_pitprops", COP, f"ALSPCA: {PERCENT}", "53.59")
def alspca_pitprops() -> Iterator[Variant]:
    for limit, rhos in ((None, (0.05, 0.1, 0.2, 0.45, 0.6, 0.8)), (0.0, (0.2, 0.3, 0.35, 0.4))):
        apart = "" if limit is None else ", uncorrelated scores"
        for rho in rhos:
            fitted = known("alspca", "pitprops", **SIX, rho=rho, max_correlation=limit)
            W = fitted.components_
            yield Variant(f"rho = {rho:g}{apart}: nonzeros {counts(fitted)}", percents(W))
            yield Variant("the same, the four largest entries of each kept", percents(largest_four(W)))


@reason("deflation_pitprops", COP, f"PathSPCA, DSPCA, GPower l1, GPower l0: {PERCENT}", "80.28, 79.71, 80.95, 81.04")
def deflation_pitprops() -> Iterator[Variant]:
    for name, others in (
        ("pathspca", [{}, {"polish": True}]),
        ("dspca", [{}]),
        ("gpower_l1", [{}, {"tol": 1e-4}]),
        ("gpower_l0", [{}, {"tol": 1e-4}]),
    ):
        for deflation, params in product(("projection", "schur", "gsd"), others):
            fitted = known(name, "pitprops", **FOUR, deflation=deflation, **params)
            how = "".join(f", {key} = {value:g}" for key, value in params.items())
            yield Variant(f"{name}, {deflation}{how}: nonzeros {counts(fitted)}", percents(fitted.components_))


@reason(
    "alspca_spcart", SPCART, "ALSPCA, 17 nonzeros: cardinalities, STD, NOR, CPEV", "7 2 2 2 1 3, 0.1644, 0.0008, 0.8011"
)
def alspca_spcart() -> Iterator[Variant]:
    tried, same = 0, 0
    nearest: dict[str, str] = {}
    for step, tol, limit in product(("rounded", "spectral"), (0.1, 0.03, 0.01, 1e-3), (None, 0.2)):
        for rho in (0.13, 0.14, 0.15, 0.154, 0.16, 0.17):
            fitted = known("alspca", "pitprops", **SIX, rho=rho, step=step, tol=tol, max_correlation=limit)
            tried, same = tried + 1, same + (counts(fitted) == "7 2 2 2 1 3")
            if fitted.n_nonzero_.sum() == 17:
                numbers = (measure("sp_std", fitted.components_), measure("nor", fitted.components_), fitted.cpev_[-1])
                how = f"rho = {rho:g}, {step}, tol = {tol:g}, limit of covariances {limit}: {counts(fitted)}"
                nearest.setdefault(counts(fitted), how + "|" + ", ".join(f"{number:.4f}" for number in numbers))
    yield Variant(f"of {tried} fits, those with the published cardinalities", str(same))
    for found in nearest.values():
        yield Variant(*found.split("|"))
