"""The correlations of pitprops: eigenvalues, optima by enumeration, PCA and its rotation."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Same, add, at_most, check, near
from published_checks.estimators import Array, covariance, dataset, features, known, measured

ZOU = "Zou, Hastie, Tibshirani 2006"
D = 13
OPTIMUM = [1.0, 1.9540, 2.4753, 2.9375, 3.4062, 3.7710, 3.9962, 4.0686, 4.1386, 4.1726, 4.2083, 4.2182, 4.2186]
SUPPORTS = {
    2: "1 2",
    3: "1 2 9",
    4: "1 2 9 10",
    5: "1 2 7 9 10",
    6: "1 2 7 8 9 10",
    7: "1 2 6 7 8 9 10",
    8: "1 2 4 6 7 8 9 10",
    9: "1 2 3 4 6 7 8 9 10",
    10: "1 2 3 4 6 7 8 9 10 12",
    11: "1 2 3 4 6 7 8 9 10 12 13",
    12: "1 2 3 4 5 6 7 8 9 10 12 13",
    13: "1 2 3 4 5 6 7 8 9 10 11 12 13",
}
SEVEN, ELEVEN = SUPPORTS[7], SUPPORTS[11]


def pitprops(name: str, **params: Any) -> Any:
    return known(name, "pitprops", **params)


def percent_of_each(fitted: Any) -> Array:
    return np.asarray(100 * fitted.explained_variance_ratio_)


def cpev(fitted: Any) -> float:
    return float(measured("cpev", fitted.components_, dataset("pitprops")))


def variance(fitted: Any) -> float:
    w = fitted.components_[0]
    return float(w @ covariance("pitprops") @ w)


def nor(fitted: Any) -> float:
    return float(measured("nor", fitted.components_, dataset("pitprops")))


@cache
def enumerated(k: int) -> tuple[float, str]:
    """Try all supports of k features."""
    S = covariance("pitprops")
    choices = np.array(list(itertools.combinations(range(D), k)))
    values = np.linalg.eigvalsh(S[choices[:, :, None], choices[:, None, :]])[:, -1]
    best = int(np.argmax(values))
    return float(values[best]), " ".join(str(i + 1) for i in choices[best])


def exact(k: int) -> Any:
    return pitprops("exact", n_components=1, n_nonzero=k)


@check(
    "0.6",
    "pca",
    "pitprops: eigenvalues",
    near([4.219, 2.378, 1.878, 1.109, 0.910, 0.815, 0.576, 0.440, 0.353, 0.191, 0.051, 0.041, 0.039], 5e-4),
)
def eigenvalues() -> object:
    return pitprops("pca", n_components=D).objective_


@check("0.6", "pca", "pitprops: % of six eigenvalues", near(86.999, 5e-4))
def six_eigenvalues() -> object:
    return 100 * pitprops("pca", n_components=6).objective_.sum() / D


for k, value in enumerate(OPTIMUM, 1):
    add("0.6", "exact", f"pitprops, k = {k}: largest variance", near(value, 5.1e-5), lambda k=k: exact(k).objective_[0])
    if k in SUPPORTS:
        add(
            "0.6",
            "exact",
            f"pitprops, k = {k}: support",
            Same(SUPPORTS[k]),
            lambda k=k: features(exact(k).components_[0]),
        )


@check("9", "exact", "pitprops, k = 1..13: most nodes", at_most(5, 1.0))
def nodes() -> object:
    return max(exact(k).n_iter_ for k in range(1, D + 1))


@check("1", "pca", "pitprops, 6 components: CPEV", near(0.8700, 5e-5), "Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4")
def pca_cpev() -> object:
    return cpev(pitprops("pca", n_components=6))


# 4: rotation


def squares_spread(fitted: Any) -> float:
    return float((fitted.components_**2).var(axis=1).sum())


@check("4", "pca", "pitprops, 6 components: varimax criterion before rotation", near(0.0715, 5e-5))
def criterion_before() -> object:
    return squares_spread(pitprops("pca", n_components=6))


@check(
    "4",
    "varimax",
    "pitprops, 6 components: varimax criterion",
    near(0.1733, 5e-5),
    reason="300 random starts all end at 0.1731; `reasons.py varimax_starts`",
)
def criterion_after() -> object:
    return squares_spread(pitprops("varimax", n_components=6))


@check("4", "varimax", "pitprops, 6 components: CPEV", near(0.8700, 5e-5))
def varimax_cpev() -> object:
    return cpev(pitprops("varimax", n_components=6))
