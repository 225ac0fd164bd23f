"""spcabench: the benchmark of sparse principal component analysis.

The names in ``__init__.pyi`` are public: `run`, `load`, `compare`, `explore` and `make` for notebooks, the others for
plugins.  All else may change without notice.  They are imported when first used, so that the command line answers
before numpy is there, and a plugin needs neither the host nor its figures.
"""

from __future__ import annotations

import ast as _ast
import importlib as _importlib
import sys as _sys
from pathlib import Path as _Path
from types import ModuleType as _ModuleType
from typing import Any as _Any

__version__ = "0.2.0rc1"

_HOMES = {
    name.name: str(line.module)
    for line in _ast.parse(_Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")).body
    if isinstance(line, _ast.ImportFrom)
    for name in line.names
}
__all__ = sorted(_HOMES)
_BOTH = ("run", "explore")
"""Public functions that share their names with packages."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'spcabench' has no attribute {name!r}")
    if name in _BOTH or _HOMES[name] == __name__:
        return _importlib.import_module(f"spcabench.{name}")  # a module, or one that is the function too
    return globals().setdefault(name, getattr(_importlib.import_module(_HOMES[name]), name))


class _CallablePackage(_ModuleType):
    """A package such as ``spcabench.run``, which is called like the public function of its name."""

    def __call__(self, *args: _Any, **options: _Any) -> _Any:
        """Call the function, which is imported then."""
        return self._function()(*args, **options)

    def _function(self) -> _Any:
        name = self.__name__.rpartition(".")[2]
        return getattr(_importlib.import_module(_HOMES[name]), name)

    @property
    def __signature__(self) -> object:
        """The signature of the function, for help and editors."""
        import inspect

        return inspect.signature(self._function())


class _Package(_ModuleType):
    """The package spcabench: a part that shares its name with a public function is called like it."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _BOTH and isinstance(value, _ModuleType):  # what an import of spcabench.run sets
            value.__class__ = _CallablePackage
        super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
