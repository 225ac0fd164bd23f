"""Sparse PCA methods as scikit-learn estimators: ``from spcabench_methods import TPower``.

One folder a family, one file an algorithm.  An estimator's module is imported when its name is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spcabench_methods.alternating.am_gpower import AMGPower
    from spcabench_methods.alternating.varpro import VarProSPCA
    from spcabench_methods.block.gpower_block import GPowerBlock
    from spcabench_methods.block.itspca import ITSPCA
    from spcabench_methods.block.rsvd_gpb import RSVDGPB
    from spcabench_methods.classic.pca import PCA
    from spcabench_methods.classic.thresholding import SimpleThresholding
    from spcabench_methods.greedy.branch_and_bound import ExactSPCA
    from spcabench_methods.greedy.gspca import GSPCA
    from spcabench_methods.greedy.least_squares import LeastSquaresSPCA
    from spcabench_methods.greedy.pathspca import PathSPCA
    from spcabench_methods.greedy.splicing import Splicing
    from spcabench_methods.joint.geospca import GeoSPCA
    from spcabench_methods.joint.orthogonal import OrthogonalSPCA
    from spcabench_methods.path.cop import COPPCA
    from spcabench_methods.penalised.alspca import ALSPCA
    from spcabench_methods.penalised.dcpca import DCPCA
    from spcabench_methods.penalised.empca import EMPCA
    from spcabench_methods.penalised.pmd import PMD
    from spcabench_methods.penalised.scotlass import SCoTLASS
    from spcabench_methods.penalised.spca import SPCA
    from spcabench_methods.power.gpower import GPower
    from spcabench_methods.power.rsvd import RSVD
    from spcabench_methods.power.rsvd_gp import RSVDGP
    from spcabench_methods.power.tpower import TPower
    from spcabench_methods.relaxation.dspca import DSPCA
    from spcabench_methods.relaxation.first_order import FirstOrderDSPCA
    from spcabench_methods.robust.pca_l1 import PCAL1
    from spcabench_methods.robust.rspca import RSPCA
    from spcabench_methods.robust.spca_grid import SPCAGrid
    from spcabench_methods.rotation.spcart import SPCArt
    from spcabench_methods.rotation.varimax import Rotation

__all__ = [
    "ALSPCA",
    "COPPCA",
    "DCPCA",
    "DSPCA",
    "EMPCA",
    "GSPCA",
    "ITSPCA",
    "PCA",
    "PCAL1",
    "PMD",
    "RSPCA",
    "RSVD",
    "RSVDGP",
    "RSVDGPB",
    "SPCA",
    "AMGPower",
    "ExactSPCA",
    "FirstOrderDSPCA",
    "GPower",
    "GPowerBlock",
    "GeoSPCA",
    "LeastSquaresSPCA",
    "OrthogonalSPCA",
    "PathSPCA",
    "Rotation",
    "SCoTLASS",
    "SPCAGrid",
    "SPCArt",
    "SimpleThresholding",
    "Splicing",
    "TPower",
    "VarProSPCA",
]

_HOME = {
    "PCA": "classic.pca",
    "SimpleThresholding": "classic.thresholding",
    "GPower": "power.gpower",
    "RSVD": "power.rsvd",
    "RSVDGP": "power.rsvd_gp",
    "RSVDGPB": "block.rsvd_gpb",
    "GPowerBlock": "block.gpower_block",
    "ITSPCA": "block.itspca",
    "Rotation": "rotation.varimax",
    "SPCArt": "rotation.spcart",
    "TPower": "power.tpower",
    "SCoTLASS": "penalised.scotlass",
    "SPCA": "penalised.spca",
    "PMD": "penalised.pmd",
    "DCPCA": "penalised.dcpca",
    "EMPCA": "penalised.empca",
    "ALSPCA": "penalised.alspca",
    "DSPCA": "relaxation.dspca",
    "FirstOrderDSPCA": "relaxation.first_order",
    "COPPCA": "path.cop",
    "ExactSPCA": "greedy.branch_and_bound",
    "GSPCA": "greedy.gspca",
    "LeastSquaresSPCA": "greedy.least_squares",
    "PathSPCA": "greedy.pathspca",
    "Splicing": "greedy.splicing",
    "PCAL1": "robust.pca_l1",
    "RSPCA": "robust.rspca",
    "SPCAGrid": "robust.spca_grid",
    "AMGPower": "alternating.am_gpower",
    "VarProSPCA": "alternating.varpro",
    "GeoSPCA": "joint.geospca",
    "OrthogonalSPCA": "joint.orthogonal",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
