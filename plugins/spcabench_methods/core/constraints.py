"""Valid values of parameters, as scikit-learn declares them: ``_parameter_constraints`` of a class.

Defaults are those of the constructor, words those of the docstring.  `SHARED` has the parameters that mean the same
in every method; a class adds its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

Closed = Literal["left", "right", "both", "neither"]
Constraints = dict[str, list[Any] | str]

LARGEST = 2**31 - 1
"""The largest whole number that any loop can count to."""


class ListOf(HasMethods):  # type: ignore[misc]
    """A list or array whose every element is valid; of a fixed length if `length` is given."""

    def __init__(self, each: Interval | StrOptions, length: int | None = None) -> None:
        super().__init__(["__len__", "__getitem__"])
        self.each, self.length = each, length

    def is_satisfied_by(self, val: Any) -> bool:
        """Return whether a value is such a list."""
        if not super().is_satisfied_by(val) or isinstance(val, str | bytes | Mapping) or np.ndim(val) == 0:
            return False
        return len(val) > 0 and self.length in (None, len(val)) and all(map(self.each.is_satisfied_by, val))

    def __str__(self) -> str:
        return f"a list{'' if self.length is None else f' of {self.length}'}, each {self.each}"


class Vectors(HasMethods):  # type: ignore[misc]
    """Starts as numbers: one vector, or a row for each component."""

    def __init__(self) -> None:
        super().__init__(["__len__", "__getitem__"])

    def is_satisfied_by(self, val: Any) -> bool:
        """Return whether a value is a list or array of finite numbers, of one axis or two."""
        if isinstance(val, str) or not super().is_satisfied_by(val):
            return False
        try:
            found = np.asarray(val)
        except ValueError:  # rows of different lengths
            return False
        return found.dtype.kind in "iuf" and found.ndim in (1, 2) and found.size > 0 and bool(np.isfinite(found).all())

    def __str__(self) -> str:
        return "a vector of finite numbers, or a list of them"


def whole(low: int, high: int = LARGEST) -> Interval:
    """Declare a whole number between two, both included."""
    return Interval(Integral, low, high, closed="both")


def number(low: float | None = 0.0, high: float | None = None, closed: Closed = "left") -> Interval:
    """Declare a finite number, by default from 0."""
    return Interval(Real, low, high, closed=closed)


def words(*options: str) -> StrOptions:
    """Declare one of a few words."""
    return StrOptions(set(options))


def one_or_each(valid: Interval) -> list[Any]:
    """Declare one value for all components, or one for each."""
    return [valid, ListOf(valid)]


def starts(*others: str) -> list[Any]:
    """Declare a start: a word of `spcabench_methods.core.starts`, one of the method alone, or vectors."""
    return [words("ones", "pca", "max_variance", "random", *others), Vectors()]


SHARED: Constraints = {
    "n_components": [whole(1)],
    "n_nonzero": [None, *one_or_each(whole(1))],
    "refit": ["boolean"],
    "polish": ["boolean", None],
    "init": starts(),
    "n_init": [whole(1)],
    "n_jobs": [None, whole(1), whole(-1024, -1)],
    "tol": [number()],
    "max_iter": [whole(1)],
    "deflation": [words("projection", "schur", "gsd")],
    "covariance": [None, words("precomputed")],
    "random_state": ["random_state", np.random.Generator],
}
"""The parameters that mean the same in every method that has them."""
