"""The registered metrics: numbers printed, and numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from published_checks.claims import add, check, near, zero
from published_checks.estimators import Array, dataset, known, measured
from spcabench import Dataset

RSPCA = "Zhao, Meng, Xu 2014 (RSPCA), Table 1"
SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4"


def on_pitprops(metric: str, fitted: Any) -> Any:
    return measured(metric, fitted.components_, dataset("pitprops"))


for metric in ("cpev", "explained_variance", "adjusted_variance", "deflated_variance"):
    add(
        "metrics 2-5",
        metric,
        "pitprops, 6 principal components",
        near(0.8700, 5e-5),
        lambda metric=metric: on_pitprops(metric, known("pca", "pitprops", n_components=6)),
        SPCART if metric == "cpev" else "Zou, Hastie, Tibshirani 2006, Table 1",
    )
add(
    "metrics 8",
    "nor",
    "pitprops, 6 principal components",
    zero(1e-12),
    lambda: on_pitprops("nor", known("pca", "pitprops", n_components=6)),
)


@check(
    "metrics 3",
    "adjusted_variance",
    "pitprops, loadings as Zou, Hastie and Tibshirani print them",
    near(0.758, 5e-4),
    "Zou, Hastie, Tibshirani 2006, Table 3",
)
def printed() -> object:
    W = np.zeros((6, 13))
    W[0, [0, 1, 6, 7, 8, 9]] = [-0.477, -0.476, -0.250, -0.344, -0.416, -0.400]
    W[0, 4] = 0.177
    W[1, [2, 3, 7, 11]] = [0.785, 0.619, -0.021, 0.013]
    W[2, [4, 5, 6, 12]] = [0.641, 0.589, 0.492, -0.016]
    W[3, 10], W[4, 11], W[5, 12] = -1.0, -1.0, 1.0
    return measured("adjusted_variance", W / np.linalg.norm(W, axis=1, keepdims=True), dataset("pitprops"))


def pattern(*counts: int) -> Array:
    return np.array([[1.0] * k + [0.0] * (13 - k) for k in counts]) / np.sqrt(counts)[:, None]


for counts, std in (
    ((7, 2, 2, 2, 1, 3), 0.1644),
    ((7, 1, 2, 1, 6, 2), 0.2030),
    ((6, 1, 2, 4, 2, 2), 0.1411),
    ((7, 2, 4, 1, 1, 2), 0.1782),
    ((5, 3, 4, 1, 3, 2), 0.1088),
    ((4, 2, 4, 3, 3, 2), 0.0688),
    ((3, 3, 3, 3, 3, 3), 0.0),
):
    add(
        "metrics 7",
        "sp_std",
        f"pattern {' '.join(map(str, counts))} of 13",
        near(std, 5e-5),
        lambda counts=counts: measured("sp_std", pattern(*counts), dataset("pitprops")),
        SPCART,
    )


@check("metrics 12", "are", "the toy's grid -2.4, -2.3, .. 2.5: of the loading (0, 1)", near(1.25, 1e-7), RSPCA)
def grid() -> object:
    X = np.column_stack([np.arange(-24, 26) / 10, np.random.default_rng(0).standard_normal(50)])
    return measured("are", np.array([[0.0, 1.0]]), Dataset(X=X))
