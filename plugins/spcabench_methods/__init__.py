"""Sparse PCA methods as scikit-learn estimators: ``from spcabench_methods import TPower``.

One folder a family, one file an algorithm.  An estimator's module is imported when its name is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spcabench_methods.classic.pca import PCA
    from spcabench_methods.classic.thresholding import SimpleThresholding
    from spcabench_methods.power.gpower import GPower
    from spcabench_methods.power.rsvd import RSVD
    from spcabench_methods.power.tpower import TPower
    from spcabench_methods.robust.pca_l1 import PCAL1
    from spcabench_methods.robust.rspca import RSPCA

__all__ = ["PCA", "PCAL1", "RSPCA", "RSVD", "GPower", "SimpleThresholding", "TPower"]

_HOME = {
    "PCA": "classic.pca",
    "SimpleThresholding": "classic.thresholding",
    "GPower": "power.gpower",
    "RSVD": "power.rsvd",
    "TPower": "power.tpower",
    "PCAL1": "robust.pca_l1",
    "RSPCA": "robust.rspca",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
