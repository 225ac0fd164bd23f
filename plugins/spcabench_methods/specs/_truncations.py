"""How a benchmark knows a method with each of its truncations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from spcabench import CARDINALITY, Knob
from spcabench_methods.truncations import Truncation, truncations

T = TypeVar("T", bound=Truncation)


def of_methods(name: str, found: Mapping[str, T]) -> Iterator[T]:
    """Yield the truncations that a benchmark knows the methods `name` with."""
    return (t for t in found.values() if t.methods is None or name in t.methods)


def fixed(truncation: Truncation, *free: str) -> dict[str, object]:
    """Return the parameters that a method with one truncation fixes: those that others take, but for `free` ones."""
    others = {t.level.name for t in truncations().values()} - {truncation.level.name, *free}
    return {"truncation": truncation.symbol, **dict.fromkeys(sorted(others))}


def knob_of(truncation: Truncation) -> Knob:
    """Return how the level of a truncation sets the sparsity."""
    level = truncation.level.name
    return CARDINALITY if level == CARDINALITY.parameter else Knob("penalty", level, high=1.0)
