"""spcabench: the benchmark of sparse principal component analysis.

These names are what a plugin may use; all else may change.
"""

from spcabench.calibrate import Calibration, search_penalty
from spcabench.hookspecs import hookimpl
from spcabench.parameters import (
    FLAG,
    NOTHING,
    Anything,
    Either,
    Fields,
    ListOf,
    Number,
    OneOf,
    Parameter,
    Text,
    Whole,
    parameter_faults,
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
    "Fields",
    "Fitted",
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
    "parameter_faults",
    "search_penalty",
]
