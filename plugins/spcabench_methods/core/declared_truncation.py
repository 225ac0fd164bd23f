"""The parameters of the methods that take any of the four truncations; light, for the pages of the families."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from spcabench import CARDINALITY, NOTHING, Either, Knob, ListOf, Number, OneOf, Parameter
from spcabench_methods.core.declared import n_nonzero

_THRESHOLD = Number(0.0, 1.0)
_SHARE = Number(0.0, 1.0, high_open=True)


def _parameters(threshold: Either, share: Either) -> dict[str, Parameter]:
    return {
        "n_nonzero": n_nonzero("what truncation says; with 'sp' the square root of n_features, rounded up"),
        "truncation": Parameter(
            "l0", OneOf("l1", "l0", "sp", "en"), "soft or hard thresholds, a number of nonzeros, or a share of energy"
        ),
        "threshold": Parameter(
            None,
            threshold,
            "entries not larger than it, relative to the length of a loading, become zero; null: 1/sqrt(n_features)",
        ),
        "energy": Parameter(
            None, share, "the share of squared length that the entries set to zero have at most; null: 0.1"
        ),
    }


TRUNCATION_PARAMETERS: Mapping[str, Parameter] = _parameters(Either(NOTHING, _THRESHOLD), Either(NOTHING, _SHARE))
"""Of methods with one level for all components."""
TRUNCATION_PARAMETERS_EACH: Mapping[str, Parameter] = _parameters(
    Either(NOTHING, _THRESHOLD, ListOf(_THRESHOLD)), Either(NOTHING, _SHARE, ListOf(_SHARE))
)
"""Of methods where each component may have a level of its own."""

WORDS = {
    "l1": "soft thresholds",
    "l0": "hard thresholds",
    "sp": "given cardinalities",
    "en": "truncated energy",
}
"""The truncations, in words for titles."""

_LEVEL = {"l1": "threshold", "l0": "threshold", "sp": "n_nonzero", "en": "energy"}


def knob(truncation: str) -> Knob:
    """Return the knob of a method that has one level for all components."""
    return CARDINALITY if truncation == "sp" else Knob("penalty", _LEVEL[truncation], high=1.0)


def fixed(truncation: str, *free: str) -> dict[str, object]:
    """Return the parameters that a method with one truncation fixes: those that others take, but for `free` ones."""
    others = {*_LEVEL.values()} - {_LEVEL[truncation], *free}
    return {"truncation": truncation, **dict.fromkeys(sorted(others))}


def without(parameters: Mapping[str, Parameter], names: Collection[str]) -> dict[str, Parameter]:
    """Return the parameters that are not fixed."""
    return {name: parameter for name, parameter in parameters.items() if name not in names}
