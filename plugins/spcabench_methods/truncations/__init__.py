"""Truncations, one a file: the rule, its level, its penalty and its words.

To add one, write a file here, ``firm.py``, with a `Threshold` or a `Selection` named as the file, ``firm``.  Every
method that takes a truncation or a penalty then takes it by its symbol.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from spcabench_methods.truncations.contract import Level, Selection, Threshold, Truncation

__all__ = [
    "Level",
    "Selection",
    "Threshold",
    "Truncation",
    "thresholds",
    "truncations",
]


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
