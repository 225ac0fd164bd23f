"""The inverse power method on pitprops and on hidden factors, and identities of its ratio."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Same, add, at_most, check, near, zero
from published_checks.estimators import Array, covariance, fit_covariance, known, supports

OPTIMA = [1.0, 1.9540, 2.4753, 2.9375, 3.4062, 3.7710, 3.9962, 4.0686, 4.1159, 4.1726, 4.2083, 4.2182, 4.2186]
"""The largest variances of pitprops at k = 1..13, but at k = 9, where it is 4.1386."""


@check("N6", "inverse_power", "pitprops, k = 1..13: variance", near(OPTIMA, 5.1e-5))
def variances() -> object:
    fits = [known("inverse_power", "pitprops", n_components=1, n_nonzero=k) for k in range(1, 14)]
    return [float(found.explained_variance_[0]) for found in fits]


@cache
def six(**params: Any) -> Any:
    return known("inverse_power", "pitprops", n_components=6, n_nonzero=4, **params)


for start, params in (("one start", {}), ("20 random starts", {"init": "random", "n_init": 20, "random_state": 0})):
    add(
        "N6",
        "inverse_power",
        f"pitprops, 6 components, k = 4, {start}: adjusted variance and CPEV",
        near([0.7508, 0.7978], 5.1e-4 if params else 5.1e-5),
        lambda params=params: [six(**params).explained_variance_ratio_.sum(), six(**params).cpev_[-1]],
    )


add(
    "N6",
    "inverse_power",
    "exact hidden factors, 2 components, k = 4: supports",
    Same("5 6 7 8; 1 2 3 4"),
    lambda: supports(known("inverse_power", "hastie_exact", n_components=2, n_nonzero=4)),
)


def runs() -> list[tuple[Array, Array, float]]:
    """Draw 200 problems: a matrix, a start and a gamma."""
    rng = np.random.default_rng(0)
    return [
        (np.cov(rng.standard_normal((15, 10)).T, bias=True), rng.standard_normal(10), rng.random()) for _ in range(200)
    ]


@check("N6", "inverse_power", "200 random runs of 20 steps: how far the ratio rises", zero(1e-12))
def never_rises() -> object:
    worst = 0.0
    for S, start, gamma in runs():
        params = {"n_components": 1, "gamma": gamma, "init": start, "refit": False, "tol": 0.0}
        found = [fit_covariance("inverse_power", S, max_iter=m, **params).objective_[0] for m in range(1, 21)]
        worst = max(worst, float(np.max(-np.diff(found))))
    return worst


@check("N6", "inverse_power", "200 random matrices, gamma = 0: difference to the leading eigenvalue", zero(1e-11))
def dense() -> object:
    params = {"n_components": 1, "gamma": 0.0, "refit": False, "tol": 0.0, "max_iter": 20_000}
    return max(
        abs(fit_covariance("inverse_power", S, init=start, **params).objective_[0] ** 2 - np.linalg.eigvalsh(S)[-1])
        for S, start, _ in runs()
    )


@check(
    "N6", "inverse_power", "pitprops, gamma = 0.2: how far GPower, l1, moves from its fixed point", at_most(1e-7, 1e-8)
)
def fixed_point() -> object:
    S = covariance("pitprops")
    params: dict[str, Any] = {"n_components": 1, "refit": False, "tol": 0.0, "max_iter": 500}
    found = fit_covariance("inverse_power", S, gamma=0.2, **params)
    rho = 0.2 * float(found.objective_[0])
    moved = fit_covariance("gpower_l1", S, rho=rho, init=found.components_, **params)
    return float(np.abs(moved.components_ - found.components_).max())
