"""Objectives that never fall, or never rise: the largest step the wrong way, relative to the objective."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from published_checks.claims import add, check, zero
from published_checks.estimators import Array, covariance, fit, fit_covariance
from published_checks.plain import WHERE, centred, matrices

STEPS = 20


def wrong_way(series: list[float], sense: int) -> float:
    """Return the largest step against the sense, as a share of the largest value."""
    values = np.array(series)
    return max(0.0, float(-(sense * np.diff(values)).min() / np.abs(values).max()))


def worst_step(name: str, params: dict[str, Any], sense: int) -> float:
    """Follow the summed objective over 1, 2, ... iterations on each matrix."""
    runs = [
        [float(fit(name, X, tol=0.0, max_iter=m, **params).objective_.sum()) for m in range(1, STEPS)]
        for X in matrices()
    ]
    return max(wrong_way(run, sense) for run in runs)


ONE: dict[str, Any] = {"n_components": 1}
CLIMBS: list[tuple[str, str, dict[str, Any], int, str]] = [
    ("2", "pca_l1", {**ONE, "random_state": 0}, 1, "||Xw||_1"),
    ("4", "varimax", {"n_components": 3}, 1, "criterion"),
    ("5", "scotlass", {**ONE, "bound": 1.7}, 1, "t = 1.7"),
    ("6", "spca_l1", {"n_components": 2, "l1": 0.2, "ridge": 0.01}, -1, "l1 = 0.2, ridge = 0.01, objective falls"),
    ("12", "gpower_l1", {**ONE, "rho": 0.1, "refit": False}, 1, "rho = 0.1"),
    ("12", "gpower_l0", {**ONE, "rho": 0.1, "refit": False}, 1, "rho = 0.1"),
    ("13", "gpower_l1m", {"n_components": 3, "rho": 0.2, "refit": False}, 1, "rho = 0.2"),
    ("13", "gpower_l0m", {"n_components": 3, "rho": 0.2, "mu": [1.0, 0.7, 0.5]}, 1, "rho = 0.2"),
    *[("15", f"rsvd_{p}", {**ONE, "lam": 0.2}, -1, "lambda = 0.2, objective falls") for p in ("l0", "l1", "scad")],
    ("17", "pmd", {**ONE, "bound": 1.7}, 1, "c = 1.7"),
    ("19", "tpower", {**ONE, "n_nonzero": 4}, 1, "k = 4"),
    ("24", "rsvdgp_sp", {**ONE, "n_nonzero": 4}, 1, "k = 4"),
    ("21.3", "rspca", {**ONE, "n_nonzero": 6, "init": "published", "random_state": 0}, 1, "k = 6, p = 0"),
    *[
        ("23.6", f"spcart_{t}", {"n_components": 3, **level}, -1, "objective falls")
        for t, level in (("l1", {}), ("sp", {"n_nonzero": 5}))
    ],
    *[
        ("27", f"am_{v}_{s}{f}", {**ONE, **level, "init": "ones", "random_state": 0}, 1, "start at ones")
        for v in ("l2", "l1")
        for s, f, level in (
            ("l0", "c", {"n_nonzero": 4}),
            ("l1", "c", {"bound": 1.7}),
            ("l0", "p", {"rho": 0.2}),
            ("l1", "p", {"rho": 0.2}),
        )
    ],
    *[
        ("28", name, {"n_components": 3, "alpha": 0.02, "beta": 0.01}, -1, "objective falls")
        for name in ("varpro", "varpro_robust")
    ],
]
for section, name, params, sense, how in CLIMBS:
    add(
        section,
        name,
        f"{WHERE}, {how}: largest step the wrong way",
        zero(1e-12),
        partial(worst_step, name, params, sense),
    )


def dcpca_step(rho: float) -> float:
    S = covariance("pitprops")
    run = [
        float(fit_covariance("dcpca", S, n_components=1, rho=rho, refit=False, tol=0.0, max_iter=m).objective_[0])
        for m in range(1, 60)
    ]
    return wrong_way(run, 1)


for rho in (0.1, 0.3, 0.5, 0.8):
    add("10", "dcpca", f"pitprops, rho = {rho}: largest step the wrong way", zero(1e-14), partial(dcpca_step, rho))


@check(
    "23.6",
    "spcart_l0",
    f"{WHERE}, columns not scaled: largest step of ||V - WR||^2 + lambda^2 ||W||_0 the wrong way",
    zero(1e-12),
)
def unscaled_hard_thresholds() -> object:
    return max(wrong_way(unscaled(X), -1) for X in matrices())


def unscaled(X: Array) -> list[float]:
    """Follow the objective of hard thresholds (section 23.1) without scaling columns."""
    V = np.linalg.svd(centred(X), full_matrices=False)[2][:3].T
    lam, R, series = 1 / np.sqrt(len(V)), np.eye(3), []
    for _ in range(STEPS):
        Z = V @ R.T
        W = np.where(np.abs(Z) > lam, Z, 0.0)
        U, _, Vt = np.linalg.svd(W.T @ V)
        R = U @ Vt
        series.append(float(np.linalg.norm(V - W @ R) ** 2 + lam**2 * np.count_nonzero(W)))
    return series
