"""What a check is: a claim, where it was made, and the function that computes the value now."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

SPECIFICATION = "specification"
"""A number computed independently when the specification was written, not printed in a paper."""


class Expected(Protocol):
    """What a claim says of a value."""

    def __str__(self) -> str:
        """Return the claim as the table shows it."""
        ...

    def written(self, reached: object) -> str:
        """Return a value as the table shows it."""
        ...

    def holds(self, reached: object) -> bool:
        """Return whether the claim is true of the value."""
        ...

    def agrees(self, written: str, reached: object) -> bool:
        """Return whether the table, perhaps of another machine, shows this value."""
        ...


@dataclass(frozen=True)
class Numbers:
    """Numbers shown to the digits that `tolerance` lets count; whole ones if it is 0, or 1 and more."""

    tolerance: float

    @property
    def decimals(self) -> int:
        """Digits after the point."""
        return max(0, math.ceil(0.5 - math.log10(self.tolerance))) if 0.0 < self.tolerance < 1.0 else 0

    def written(self, reached: object) -> str:
        """Return a value as the table shows it."""
        rounded = np.round(np.atleast_1d(np.asarray(reached, dtype=float)), self.decimals) + 0.0
        return " ".join(f"{value:.{self.decimals}f}" for value in rounded)

    def agrees(self, written: str, reached: object) -> bool:
        """Return whether the table shows this value, up to the tolerance and the last digit."""
        shown = np.array([float(word) for word in written.split()])
        values = np.atleast_1d(np.asarray(reached, dtype=float))
        slack = self.tolerance + (10.0**-self.decimals if self.tolerance else 0.0)
        return shown.shape == values.shape and bool(np.all(np.abs(shown - values) <= slack))


@dataclass(frozen=True)
class Near(Numbers):
    """Numbers within the tolerance."""

    values: tuple[float, ...]

    def __str__(self) -> str:
        """Return the numbers and the tolerance."""
        numbers = " ".join(f"{value:.10g}" for value in self.values)
        return f"{numbers} ± {self.tolerance:g}" if self.tolerance else numbers

    def holds(self, reached: object) -> bool:
        """Return whether all numbers are that near."""
        found = np.atleast_1d(np.asarray(reached, dtype=float))
        return found.shape == (len(self.values),) and bool(np.all(np.abs(found - self.values) <= self.tolerance))


@dataclass(frozen=True)
class AtMost(Numbers):
    """A number not above the bound."""

    bound: float

    def __str__(self) -> str:
        """Return the bound."""
        return f"≤ {self.bound:g}"

    def holds(self, reached: object) -> bool:
        """Return whether the number is not above the bound."""
        return float(np.max(np.asarray(reached, dtype=float))) <= self.bound


@dataclass(frozen=True)
class Nothing(AtMost):
    """A difference that is nothing but rounding; its magnitude alone is shown."""

    def written(self, reached: object) -> str:
        """Return the magnitude."""
        return f"{float(np.max(np.asarray(reached, dtype=float))):.1e}"


@dataclass(frozen=True)
class AtLeast(Numbers):
    """A number not below the bound."""

    bound: float

    def __str__(self) -> str:
        """Return the bound."""
        return f"≥ {self.bound:g}"

    def holds(self, reached: object) -> bool:
        """Return whether the number is not below the bound."""
        return float(np.min(np.asarray(reached, dtype=float))) >= self.bound


@dataclass(frozen=True)
class Same:
    """A text: supports, cardinalities in their order, names."""

    text: str

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def written(self, reached: object) -> str:
        """Return the text reached."""
        return str(reached)

    def holds(self, reached: object) -> bool:
        """Return whether it is the same."""
        return str(reached) == self.text

    def agrees(self, written: str, reached: object) -> bool:
        """Return whether the table shows this text."""
        return written == str(reached)


def near(values: float | list[float], tolerance: float) -> Near:
    """Expect these numbers, each within the tolerance."""
    return Near(tolerance, tuple(np.atleast_1d(np.asarray(values, dtype=float)).tolist()))


def exactly(*counts: int) -> Near:
    """Expect these whole numbers."""
    return near(list(counts), 0.0)


def zero(tolerance: float = 1e-10) -> Nothing:
    """Expect a difference, or how far a bound is exceeded, that is nothing but rounding."""
    return Nothing(tolerance, tolerance)


def at_most(bound: float, tolerance: float) -> AtMost:
    """Expect no more; the tolerance sets the digits that are shown."""
    return AtMost(tolerance, bound)


def at_least(bound: float, tolerance: float) -> AtLeast:
    """Expect no less; the tolerance sets the digits that are shown."""
    return AtLeast(tolerance, bound)


@dataclass(frozen=True)
class Check:
    """One claim.

    Parameters
    ----------
    section : str
        Of the specification.
    method : str
        As registered, or what else is checked.
    what : str
        The data and the quantity.
    source : str
        Who published the number; `SPECIFICATION` if nobody did.
    expected : Expected
        What is claimed.
    compute : callable
        Returns the value now.
    reason : str
        Why the claim is not reached; empty if it is.
    """

    section: str
    method: str
    what: str
    source: str
    expected: Expected
    compute: Callable[[], object]
    reason: str = ""

    @cached_property
    def reached(self) -> object:
        """The value now, computed once."""
        return self.compute()

    @property
    def verdict(self) -> str:
        """Whether the claim holds."""
        return "reached" if self.expected.holds(self.reached) else "not reached"


CHECKS: list[Check] = []


def add(
    section: str,
    method: str,
    what: str,
    expected: Expected,
    compute: Callable[[], object],
    source: str = SPECIFICATION,
    reason: str = "",
) -> None:
    """Register a check."""
    CHECKS.append(Check(section, method, what, source, expected, compute, reason))


def check(
    section: str, method: str, what: str, expected: Expected, source: str = SPECIFICATION, reason: str = ""
) -> Callable[[Callable[[], object]], Callable[[], object]]:
    """Register what is decorated as the check that computes this value."""

    def register(compute: Callable[[], object]) -> Callable[[], object]:
        add(section, method, what, expected, compute, source, reason)
        return compute

    return register
