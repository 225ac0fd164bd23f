"""spcabench: the benchmark of sparse principal component analysis.

These names are what a plugin may use; all else may change.  They are imported when first used, so that the command
line answers before numpy is there.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spcabench.calibrate import Bracket, Calibration, search_penalty
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
        MetricSpec,
        Moments,
    )
    from spcabench.wrap import FunctionMethod

__version__ = "0.1.0"

__all__ = [
    "CARDINALITY",
    "DENSE",
    "FLAG",
    "NOTHING",
    "Anything",
    "Bracket",
    "Calibration",
    "DataUnavailable",
    "Dataset",
    "DatasetSpec",
    "Either",
    "Evaluation",
    "ExistingFile",
    "Fields",
    "Fitted",
    "FunctionMethod",
    "Knob",
    "ListOf",
    "MethodSpec",
    "MetricSpec",
    "Moments",
    "Number",
    "OneOf",
    "Parameter",
    "Text",
    "Whole",
    "hookimpl",
    "nearest",
    "parameter_faults",
    "search_penalty",
    "without_file",
]

_HOMES = ("specs", "parameters", "hookspecs", "calibrate", "wrap")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'spcabench' has no attribute {name!r}")
    for home in _HOMES:
        module = importlib.import_module(f"spcabench.{home}")
        if name in vars(module):
            globals()[name] = vars(module)[name]
            return globals()[name]
    raise AssertionError(f"{name} has no home")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
