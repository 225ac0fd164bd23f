"""ROSPCA in the simulation of its authors' package: two blocks of features, with and without outliers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from spcabench_methods.robust.univariate import qn

from published_checks.claims import add, at_least, at_most, check, exactly, near
from published_checks.estimators import Array, fit, supports

SEEDS = 10
BLOCKS = ("1 2 3 4; 5 6 7 8", "5 6 7 8; 1 2 3 4")


def design(seed: int, n_outliers: int) -> Array:
    """Draw blocks with correlations 0.9 and 0.5 and deviations 10 and 5, and outliers far away."""
    rng = np.random.default_rng(seed)
    R = np.eye(10)
    R[:4, :4], R[4:8, 4:8] = 0.9, 0.5
    np.fill_diagonal(R, 1.0)
    deviations = np.array([10.0] * 4 + [5.0] * 4 + [2.0] * 2)
    X = rng.multivariate_normal(np.zeros(10), R * np.outer(deviations, deviations), 100)
    X += rng.standard_normal(X.shape)
    X[:n_outliers] = 25.0 * np.array([0, -4, 4, 2, 0, 4, -4, 2, 3, -3])
    X[:n_outliers] += np.sqrt(20.0) * rng.standard_normal((n_outliers, 10))
    return np.asarray(X)


@cache
def fitted(name: str, n_outliers: int) -> list[Any]:
    found = []
    for seed in range(SEEDS):
        X = design(seed, n_outliers)
        if name == "tpower":
            found.append(fit(name, (X - X.mean(axis=0)) / X.std(axis=0), n_components=2, n_nonzero=4, refit=True))
        else:
            found.append(fit(name, X, n_components=2, n_nonzero=4, n_directions=1000, random_state=seed))
    return found


def right(name: str, n_outliers: int) -> int:
    """Count the draws whose blocks are found."""
    return sum(supports(one) in BLOCKS for one in fitted(name, n_outliers))


for n_outliers, expected in ((0, at_least(10, 0.0)), (20, at_least(8, 0.0))):
    where = f"{SEEDS} draws of 100 samples, {n_outliers} outliers"
    add(
        "N10",
        "rospca",
        f"{where}: how often both blocks are found",
        expected,
        lambda n_outliers=n_outliers: right("rospca", n_outliers),
    )
    add(
        "N10",
        "tpower",
        f"{where}, standardised: how often both blocks are found",
        exactly(0 if n_outliers else 10),
        lambda n_outliers=n_outliers: right("tpower", n_outliers),
    )
    add(
        "N10",
        "rospca",
        f"{where}: mean number of clean samples that are flagged",
        near(5.7 if n_outliers else 8.2, 3.0),
        lambda n_outliers=n_outliers: float(
            np.mean([one.outliers_[n_outliers:].sum() for one in fitted("rospca", n_outliers)])
        ),
    )


@check("N10", "rospca", f"{SEEDS} draws of 100 samples, 20 outliers: outliers that are not flagged", exactly(0))
def missed() -> object:
    return sum(int((~one.outliers_[:20]).sum()) for one in fitted("rospca", 20))


@check(
    "N10",
    "rospca",
    "one draw, inner method the grid: how far the first loading is from equal entries",
    at_most(0.03, 1e-3),
)
def grid() -> object:
    found = fit("rospca", design(0, 0), n_components=1, n_nonzero=4, inner="grid")
    return np.abs(found.components_[0, :4] - 0.5).max()


@check("N10", "Qn", "2000 normal numbers: Qn", near(1.003, 0.03))
def scale() -> object:
    return qn(np.random.default_rng(0).standard_normal(2000))
