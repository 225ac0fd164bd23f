"""The fits whose speed is followed from commit to commit: a solver or two of each family, on small data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import spcabench_methods
from numpy.typing import NDArray

SIZES = {"100 x 60": (100, 60), "40 x 400": (40, 400)}
COMPONENTS, K = 2, 8


@cache
def samples(size: str) -> NDArray[np.float64]:
    """Draw samples of two sparse spikes in noise, with this file alone, so that both commits have the same."""
    n, d = SIZES[size]
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    for j, strength in enumerate((4.0, 3.0)):
        X[:, j * K : (j + 1) * K] += strength * rng.standard_normal((n, 1)) / np.sqrt(K)
    X -= X.mean(axis=0)
    X.flags.writeable = False
    return X


@dataclass(frozen=True)
class Case:
    """A fit.

    Parameters
    ----------
    family, solver : str
        The folder of the method, and its name.
    estimator : str
        In `spcabench_methods`; a commit that does not have it has no such case.
    params : mapping
    size : str
    quick : bool
        Whether it is among the few that each push counts.
    """

    family: str
    solver: str
    estimator: str
    params: Mapping[str, Any]
    size: str
    quick: bool = False

    def prepare(self) -> tuple[Any, NDArray[np.float64]]:
        """Return the estimator, whose draws are fixed, and the samples."""
        method = getattr(spcabench_methods, self.estimator)(COMPONENTS, **self.params)
        if "random_state" in method.get_params():
            method.set_params(random_state=0)
        return method, samples(self.size)


EXACT = {"n_nonzero": K}
SOLVERS: tuple[tuple[str, str, str, Mapping[str, Any]], ...] = (
    ("power", "tpower", "TPower", EXACT),
    ("power", "rsvd_l1", "RSVD", {"penalty": "l1", **EXACT}),
    ("power", "gpower_l0", "GPower", {"penalty": "l0", "rho": 0.1}),
    ("power", "inverse_power", "InversePower", EXACT),
    ("alternating", "am_gpower", "AMGPower", {}),
    ("alternating", "varpro", "VarProSPCA", {}),
    ("block", "gpower_block", "GPowerBlock", {}),
    ("block", "itspca", "ITSPCA", {}),
    ("certified", "exact", "ExactSPCA", {"n_nonzero": 3}),
    ("classic", "pca", "PCA", {}),
    ("classic", "eespca", "EESPCA", {}),
    ("greedy", "pathspca", "PathSPCA", EXACT),
    ("greedy", "gspca", "GSPCA", EXACT),
    ("greedy", "splicing", "Splicing", EXACT),
    ("joint", "orthogonal", "OrthogonalSPCA", {}),
    ("manifold", "manpg", "ManPG", {}),
    ("path", "cop", "COPPCA", {}),
    ("penalised", "pmd", "PMD", {}),
    ("penalised", "spca", "SPCA", {}),
    ("random_projections", "spcavrp", "SPCAvRP", {"n_groups": 20, **EXACT}),
    ("reduction", "block_diagonal", "BlockDiagonal", {}),
    ("relaxation", "fps", "FPS", {}),
    ("robust", "rspca_l0", "RSPCA", {**EXACT}),
    ("robust", "pca_l1", "PCAL1", {}),
    ("rotation", "spcart_l0", "SPCArt", {"truncation": "l0"}),
    ("rotation", "varimax", "Rotation", EXACT),
    ("streaming", "oja", "ThresholdedOja", {}),
    ("thresholding", "diagonal", "DiagonalThresholding", {}),
    ("thresholding", "covariance", "CovarianceThresholding", {}),
)
QUICK = {"tpower", "gspca", "cop", "rspca_l0", "spcart_l0", "pmd"}
"""The solvers of the small set."""
SMALL_ALONE = {"exact", "fps", "block_diagonal", "orthogonal", "gspca", "spcavrp", "covariance"}
"""What takes long on the larger size."""
MINIMISED = {"rsvd_l1", "varpro", "manpg", "spca", "spcart_l0"}
"""The solvers whose objective is better if it is lower."""

CASES = {
    f"{solver}, {size}": Case(family, solver, estimator, params, size, solver in QUICK and size == "100 x 60")
    for family, solver, estimator, params in SOLVERS
    for size in SIZES
    if size == "100 x 60" or solver not in SMALL_ALONE
}
"""The cases by name, as `spcabench-perf` and the benchmarks read them."""
