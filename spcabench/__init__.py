"""spcabench: the benchmark of sparse principal component analysis.

These names are public: `run`, `load`, `compare` and `make` for notebooks and scripts, the others for plugins.  All else
may change without notice.  They are imported when first used, so that the command line answers before numpy is there,
and a plugin needs neither the host nor its figures.
"""

from __future__ import annotations

import importlib as _importlib
import inspect as _inspect
import sys as _sys
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from spcabench.api.comparing import compare
    from spcabench.api.running import load, run
    from spcabench.calibrate import Calibration, search_penalty
    from spcabench.hookspecs import hookimpl
    from spcabench.parameters import (
        FLAG,
        NOTHING,
        Anything,
        Either,
        ExistingFile,
        Fields,
        ListOf,
        Number,
        OneOf,
        Parameter,
        Text,
        Whole,
        nearest,
        parameter_faults,
        without_file,
    )
    from spcabench.program import ProgramMethod
    from spcabench.report.figures import Figure
    from spcabench.report.results import Results
    from spcabench.specs import (
        CARDINALITY,
        DENSE,
        Dataset,
        DatasetSpec,
        DataUnavailable,
        Evaluation,
        Fitted,
        Knob,
        MethodSpec,
        MethodUnavailable,
        MetricSpec,
        Moments,
    )
    from spcabench.suite.making import make
    from spcabench.wording import InputError
    from spcabench.wrap import FunctionMethod

__version__ = "0.1.0"

__all__ = [
    "CARDINALITY",
    "DENSE",
    "FLAG",
    "NOTHING",
    "Anything",
    "Calibration",
    "DataUnavailable",
    "Dataset",
    "DatasetSpec",
    "Either",
    "Evaluation",
    "ExistingFile",
    "Fields",
    "Figure",
    "Fitted",
    "FunctionMethod",
    "InputError",
    "Knob",
    "ListOf",
    "MethodSpec",
    "MethodUnavailable",
    "MetricSpec",
    "Moments",
    "Number",
    "OneOf",
    "Parameter",
    "ProgramMethod",
    "Results",
    "Text",
    "Whole",
    "compare",
    "hookimpl",
    "load",
    "make",
    "nearest",
    "parameter_faults",
    "run",
    "search_penalty",
    "without_file",
]

_HOMES = (
    *("specs", "parameters", "hookspecs", "calibrate", "wording", "wrap", "program"),
    *("suite.making", "report.figures", "report.results", "api.running", "api.comparing"),
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'spcabench' has no attribute {name!r}")
    if name == "run":
        return _importlib.import_module("spcabench.run")  # which is the function too
    for home in _HOMES:
        module = _importlib.import_module(f"spcabench.{home}")
        if name in vars(module):
            globals()[name] = vars(module)[name]
            return globals()[name]
    raise AssertionError(f"{name} has no home")


class _CallablePackage(_ModuleType):
    """The package ``spcabench.run``, which is called like the public function of its name."""

    def __call__(self, *args: _Any, **options: _Any) -> _Any:
        """Call `spcabench.api.running.run`, which is imported then."""
        return _importlib.import_module("spcabench.api.running").run(*args, **options)

    @property
    def __signature__(self) -> _inspect.Signature:
        """The signature of the function, for help and editors."""
        return _inspect.signature(_importlib.import_module("spcabench.api.running").run)


class _Package(_ModuleType):
    """The package spcabench: a part that shares its name with a public function is called like it."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "run" and isinstance(value, _ModuleType):  # what an import of spcabench.run sets
            value.__class__ = _CallablePackage
        super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
