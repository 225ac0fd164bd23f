"""A fit of each family of solvers on fixed small data: ``pytest tests/perf/bench_solvers.py --benchmark-autosave``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import spcabench_methods

from spcabench.perf.bench import COMPONENTS, SIZES, K, measure, one_fit_a_round, samples

SMALL = next(iter(SIZES))
EXACT = {"n_nonzero": K}
SOLVERS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "tpower": ("power", "TPower", EXACT),
    "rsvd_l1": ("power", "RSVD", {"penalty": "l1", **EXACT}),
    "gpower_l0": ("power", "GPower", {"penalty": "l0", "rho": 0.1}),
    "inverse_power": ("power", "InversePower", EXACT),
    "am_gpower": ("alternating", "AMGPower", {}),
    "varpro": ("alternating", "VarProSPCA", {}),
    "gpower_block": ("block", "GPowerBlock", {}),
    "itspca": ("block", "ITSPCA", {}),
    "exact": ("certified", "ExactSPCA", {"n_nonzero": 3}),
    "pca": ("classic", "PCA", {}),
    "eespca": ("classic", "EESPCA", {}),
    "pathspca": ("greedy", "PathSPCA", EXACT),
    "gspca": ("greedy", "GSPCA", EXACT),
    "splicing": ("greedy", "Splicing", EXACT),
    "orthogonal": ("joint", "OrthogonalSPCA", {}),
    "manpg": ("manifold", "ManPG", {}),
    "cop": ("path", "COPPCA", {}),
    "pmd": ("penalised", "PMD", {}),
    "spca": ("penalised", "SPCA", {}),
    "spcavrp": ("random_projections", "SPCAvRP", {"n_groups": 20, **EXACT}),
    "block_diagonal": ("reduction", "BlockDiagonal", {}),
    "fps": ("relaxation", "FPS", {}),
    "rspca_l0": ("robust", "RSPCA", {**EXACT}),
    "pca_l1": ("robust", "PCAL1", {}),
    "spcart_l0": ("rotation", "SPCArt", {"truncation": "l0"}),
    "varimax": ("rotation", "Rotation", EXACT),
    "oja": ("streaming", "ThresholdedOja", {}),
    "diagonal": ("thresholding", "DiagonalThresholding", {}),
    "covariance": ("thresholding", "CovarianceThresholding", {}),
}
SMALL_ALONE = {"exact", "fps", "block_diagonal", "orthogonal", "gspca", "spcavrp", "covariance"}
"""What takes long on the larger size."""
MINIMISED = {"rsvd_l1", "varpro", "manpg", "spca", "spcart_l0"}
"""The solvers whose objective is better if it is lower."""


@one_fit_a_round
@pytest.mark.parametrize(
    ("size", "solver"),
    [(size, solver) for size in SIZES for solver in SOLVERS if size == SMALL or solver not in SMALL_ALONE],
)
def test_fit(benchmark: Any, size: str, solver: str) -> None:
    family, estimator, params = SOLVERS[solver]
    benchmark.group = f"{family}, {size}"
    method = getattr(spcabench_methods, estimator)(COMPONENTS, **params)
    if "random_state" in method.get_params():
        method.set_params(random_state=0)
    measure(benchmark, method, samples(size), better="lower" if solver in MINIMISED else "higher")
    assert benchmark.extra_info["cpev"] > 0.0
