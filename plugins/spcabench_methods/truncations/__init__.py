"""Truncations, one a file: the rule and its compiled form, its level, its penalty and its words.

To add one, write a file here, ``firm.py``, with a `Threshold` or a `Selection` named as the file, ``firm``.  Every
method that takes a truncation or a penalty then takes it by its symbol.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from spcabench import OneOf, Parameter
from spcabench_methods.truncations.contract import Level, Selection, Threshold, Truncation

__all__ = [
    "Level",
    "Selection",
    "Threshold",
    "Truncation",
    "declared",
    "fixed",
    "level_parameters",
    "of_methods",
    "thresholds",
    "truncations",
    "without",
]

T = TypeVar("T", bound=Truncation)


@cache
def truncations() -> Mapping[str, Truncation]:
    """Find the truncations, by their symbols."""
    named = [getattr(import_module(f"{__name__}.{file.name}"), file.name, None) for file in iter_modules(__path__)]
    found = [t for t in named if isinstance(t, Truncation)]
    return {t.symbol: t for t in sorted(found, key=lambda t: t.symbol)}


@cache
def thresholds() -> Mapping[str, Threshold]:
    """Find those that look at each entry by itself, by their symbols."""
    return {symbol: t for symbol, t in truncations().items() if isinstance(t, Threshold)}


def of_methods(name: str, found: Mapping[str, T]) -> Iterator[T]:
    """Yield the truncations that a benchmark knows the methods `name` with."""
    return (t for t in found.values() if t.methods is None or name in t.methods)


def declared(found: Mapping[str, Truncation], default: str) -> Parameter:
    """Declare the parameter that chooses among truncations by these words."""
    return Parameter(default, OneOf(*found), "; ".join(f"{word}: {t.words}" for word, t in found.items()))


def level_parameters(each: bool) -> Mapping[str, Parameter]:
    """Declare the parameter ``truncation`` and those for the levels.

    Parameters
    ----------
    each : bool
        Whether each component may have a level of its own, whatever the truncation.
    """
    levels = {t.level.name: t.level.parameter(each) for t in truncations().values()}
    return {"n_nonzero": levels.pop("n_nonzero"), "truncation": declared(truncations(), "l0"), **levels}


def fixed(truncation: Truncation, *free: str) -> dict[str, object]:
    """Return the parameters that a method with one truncation fixes: those that others take, but for `free` ones."""
    others = {t.level.name for t in truncations().values()} - {truncation.level.name, *free}
    return {"truncation": truncation.symbol, **dict.fromkeys(sorted(others))}


def without(parameters: Mapping[str, Parameter], names: Collection[str]) -> dict[str, Parameter]:
    """Return the parameters that are not fixed."""
    return {name: parameter for name, parameter in parameters.items() if name not in names}
