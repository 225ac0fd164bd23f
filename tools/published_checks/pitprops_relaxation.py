"""DSPCA on pitprops: optima, dual bounds, and how both depend on the penalty."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Expected, Same, add, at_most, check, exactly, near, zero
from published_checks.estimators import Array, covariance, of_fit
from published_checks.pitprops import (
    ELEVEN,
    SEVEN,
    D,
    enumerated,
    exact,
    pitprops,
)

# 7: DSPCA


def relaxed(lam: float, **params: Any) -> Any:
    return pitprops("dspca", n_components=1, lam=lam, tol=0.0, **{"max_iter": 25, **params})


def smoothed(lam: float) -> Any:
    return pitprops("dspca_fo", n_components=1, lam=lam)


def outside(value: float, lower: float, upper: float) -> float:
    return max(lower - value, value - upper, 0.0)


for lam, phi, chosen, steps in (
    (0.1, 3.346005, ELEVEN, 350),
    (0.2, 2.648082, SEVEN, 1000),
    (0.3, 2.013737, SEVEN, 1500),
):
    where = f"pitprops, lam = {lam}"
    expected: dict[str, Expected] = {
        "optimum after 25 sweeps": near(phi, 2e-6),
        "leading support": Same(chosen),
        "dual bound over optimum": at_most(1.005, 1e-4),
    }
    of_fit("7", "dspca", "pitprops", where, expected, n_components=1, lam=lam, tol=0.0, max_iter=25)
    add(
        "7b",
        "dspca",
        f"{where}: how far outside the bounds of the first-order method",
        zero(1e-6),
        lambda lam=lam: outside(relaxed(lam).objective_[0], smoothed(lam).objective_[0], smoothed(lam).upper_bound_[0]),
    )
    gap: dict[str, Expected] = {"steps to a gap of 0.005": at_most(steps, 10.0)}
    of_fit("7b", "dspca_fo", "pitprops", where, gap, n_components=1, lam=lam)


@check("7", "dspca", "pitprops, lam = 0.1, 0.2, 0.3: largest fall of the objective in 20 sweeps", zero(1e-9))
def dspca_falls() -> object:
    runs = [[relaxed(lam, max_iter=m).objective_[0] for m in range(1, 21)] for lam in (0.1, 0.2, 0.3)]
    return max(0.0, -np.diff(runs).min())


@check("7", "dspca", "pitprops, lam = 0: distance to the largest eigenvalue", zero(1e-4))
def dspca_without_penalty() -> object:
    return abs(relaxed(0.0).objective_[0] - pitprops("pca", n_components=1).objective_[0])


@cache
def values_of_the_relaxation() -> Array:
    return np.array([relaxed(lam, max_iter=100).objective_[0] for lam in np.linspace(0, 0.9, 10)])


@check("7", "dspca", "pitprops, lam = 0, 0.1, .. 0.9: how far the optimum rises with lam", zero(1e-6))
def dspca_rises() -> object:
    return max(0.0, np.diff(values_of_the_relaxation()).max())


@check("7", "dspca", "pitprops, lam = 0, 0.1, .. 0.9: how far the optimum is from convex in lam", zero(1e-4))
def dspca_concave() -> object:
    return max(0.0, -np.diff(values_of_the_relaxation(), 2).min())


@check(
    "7", "dspca", "pitprops, lam = 0, 0.1, .. 0.9: how far w'Sw - lam ||w||_1^2 of its loading exceeds it", zero(2e-5)
)
def dspca_is_a_relaxation() -> object:
    S = covariance("pitprops")
    optima = values_of_the_relaxation()
    loadings = [exact(k).components_[0] for k in range(1, D + 1)]
    lams = np.linspace(0, 0.9, 10)
    return max(
        w @ S @ w - lam * np.abs(w).sum() ** 2 - phi for w in loadings for lam, phi in zip(lams, optima, strict=True)
    )


@check("metrics 14", "dspca", "pitprops, k = 1..13: how far the optimum exceeds dual bound + lam k", zero(1e-9))
def dspca_bounds_the_optimum() -> object:
    excess = []
    for k in range(1, D + 1):
        found = pitprops("dspca", n_components=1, n_nonzero=k)
        excess.append(enumerated(k)[0] - found.upper_bound_[0] - found.calibrated_params_["lam"][0] * k)
    return max(0.0, *excess)


@check("0.5", "dspca", "pitprops, k = 1..13: cardinalities that the search for lam misses", exactly(0))
def dspca_search() -> object:
    return sum(pitprops("dspca", n_components=1, n_nonzero=k).n_nonzero_[0] != k for k in range(1, D + 1))
