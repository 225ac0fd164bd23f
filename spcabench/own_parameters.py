"""The parameters that code declares itself: a class as scikit-learn's do, a function by its annotations.

A class has ``_parameter_constraints``; a function says what is valid where it takes it, as in
``n: Annotated[int, Whole(2)] = 100``.  Both have their defaults in the signature, and say in the docstring what each
parameter means.  The code is imported when one of its parameters is asked for, so that listing methods imports none.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from numbers import Integral
from typing import Any, get_type_hints

from spcabench.importing import Unusable, resolve
from spcabench.parameters import (
    FLAG,
    LARGEST,
    NOTHING,
    Anything,
    Either,
    ListOf,
    Number,
    OneOf,
    Parameter,
    Valid,
    Whole,
)

_EMPTY = inspect.Parameter.empty
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class OwnParameters(Mapping[str, Parameter]):
    """The parameters of an estimator, a loader or a metric that a suite may set, as its code declares them.

    There are none if the code cannot be imported or declares none.

    Parameters
    ----------
    target : str
        ``"module:attribute"``, a class or a function.
    fixed : mapping
        What a method fixes.
    settable : frozenset of str
        Those of `fixed` that a suite may set all the same.
    """

    target: str
    fixed: Mapping[str, object] = field(default_factory=dict)
    settable: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> Parameter:
        if name in self.fixed and name not in self.settable:
            raise KeyError(name)
        declared = _declared(self.target)[name]
        return Parameter(self.fixed.get(name, declared.default), declared.valid, declared.meaning)

    def __iter__(self) -> Iterator[str]:
        return (name for name in _declared(self.target) if name not in self.fixed or name in self.settable)

    def __len__(self) -> int:
        return len(list(iter(self)))


@cache
def _declared(target: str) -> Mapping[str, Parameter]:
    """Import a class or a function and read its declarations."""
    try:
        code = resolve(target)
    except Unusable:
        return {}
    valid = _of_class(code) if isinstance(code, type) else _of_function(code)
    words = documented(inspect.getdoc(code) or "") if valid else {}
    return {
        name: Parameter(given.default, valid[name], words.get(name, ""))
        for name, given in (inspect.signature(code).parameters if valid else {}).items()
        if given.kind in _NAMED and given.default is not _EMPTY and name in valid
    }


def _of_class(cls: type) -> Mapping[str, Valid]:
    constraints = getattr(cls, "_parameter_constraints", None)
    if not isinstance(constraints, Mapping):
        return {}
    return {name: _valid(constraints.get(name, "no_validation")) for name in inspect.signature(cls).parameters}


def _of_function(function: Any) -> Mapping[str, Valid]:
    try:
        hints = get_type_hints(function, include_extras=True)
    except Exception:  # what a plugin writes there may be of no meaning
        return {}
    said = {name: getattr(hint, "__metadata__", (None,))[0] for name, hint in hints.items()}
    return {name: way for name, way in said.items() if way is not None and hasattr(way, "accepts")}


def documented(docstring: str) -> dict[str, str]:
    r"""Return what a docstring in numpy's style says of each parameter, on one line.

    Examples
    --------
    >>> documented("Fit.\n\nParameters\n----------\na, b : int\n    How many.\n\nReturns\n-------\nself")
    {'a': 'How many.', 'b': 'How many.'}
    """
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", docstring, re.DOTALL | re.MULTILINE)
    entries = re.findall(
        r"^(\w[\w, ]*?)(?: :[^\n]*)?\n((?:[ ]+[^\n]*\n?|\n)*)", section[1] if section else "", re.MULTILINE
    )
    return {name.strip(): " ".join(text.split()) for names, text in entries for name in names.split(",")}


def _valid(declared: Any) -> Valid:
    """Return what a declaration of scikit-learn's accepts."""
    from sklearn.utils._param_validation import Hidden, make_constraint

    if isinstance(declared, str):  # "no_validation"
        return Anything()
    ways = [_way(make_constraint(way)) for way in declared if not isinstance(way, Hidden)]
    return ways[0] if len(ways) == 1 else Either(*ways)


def _way(constraint: Any) -> Valid:
    from sklearn.utils import _param_validation as known

    if isinstance(constraint, known.Interval):
        return _interval(constraint)
    if isinstance(constraint, known.Options):  # words too
        return OneOf(*sorted(constraint.options, key=str))
    if isinstance(constraint, known._NoneConstraint):
        return NOTHING
    if isinstance(constraint, known._Booleans):
        return FLAG
    if isinstance(getattr(constraint, "each", None), known.Interval):
        return ListOf(_interval(constraint.each))
    return Judged(constraint)


def _interval(found: Any) -> Valid:
    low_open, high_open = found.closed in ("right", "neither"), found.closed in ("left", "neither")
    if found.type is Integral:
        low = -LARGEST if found.left is None else found.left + low_open
        return Whole(low, LARGEST if found.right is None else min(found.right - high_open, LARGEST))
    ends = {"low": found.left, "high": found.right}
    given = {name: float(end) for name, end in ends.items() if end is not None}
    return Number(**given, low_open=low_open and "low" in given, high_open=high_open and "high" in given)


@dataclass(frozen=True)
class Judged:
    """What a constraint of scikit-learn accepts, in its words."""

    constraint: Any

    def accepts(self, value: object) -> bool:
        """Return whether the constraint accepts a value."""
        return bool(self.constraint.is_satisfied_by(value))

    def __str__(self) -> str:
        return str(self.constraint)
