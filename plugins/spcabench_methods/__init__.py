"""Sparse PCA methods as scikit-learn estimators: ``from spcabench_methods import TPower``.

One folder a family, one file an algorithm.  An estimator's module is imported when its name is first used; the stub
beside this file, ``__init__.pyi``, lists the estimators with their homes.
"""

from __future__ import annotations

import ast as _ast
import importlib as _importlib
from pathlib import Path as _Path


def _homes() -> dict[str, str]:
    """Read the module of each estimator from the stub."""
    stub = _ast.parse(_Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, _ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_HOMES = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
