"""Figures of the site as values along an axis, which the page stretches to its width."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spcabench.analysis.intervals import Interval

MOST_NAMED = 8
"""Curves that have a colour and a name; the rest is grey, and named where the pointer is."""

POINTS = 120
"""Places at which a curve is read off."""


@dataclass(frozen=True)
class Axis:
    """An axis.

    Parameters
    ----------
    title : str
        What it shows.
    low, high : float
        Its ends.
    log : bool
        Whether steps along it are factors.
    """

    title: str
    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a value is, from 0 to 1; at an end if it is beyond that."""
        low, high, here = (math.log(x) if self.log else x for x in (self.low, self.high, max(value, self.low)))
        return min(1.0, (here - low) / (high - low))

    def value(self, place: float) -> float:
        """Return the value at a place from 0 to 1."""
        if self.log:
            return float(self.low * (self.high / self.low) ** place)
        return self.low + place * (self.high - self.low)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Places and words of round numbers."""
        if self.log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            return tuple((self.place(10.0**power), f"{10.0**power:g}") for power in range(first, last + 1))
        about = (self.high - self.low) / 4
        unit = 10.0 ** math.floor(math.log10(about))
        step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= about)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return tuple((self.place(number * step), f"{number * step:g}") for number in range(first, last + 1))


@dataclass(frozen=True)
class Dot:
    """A row of `Dots`: a method, its value and the interval of that, as places along the axis, and in words."""

    method: str
    place: float
    low: float
    high: float
    said: str


def dot(method: str, middle: float, between: Interval, axis: Axis, form: str) -> Dot:
    """Draw a value with its interval, if that is finite; a value that is not stands at the end of the axis."""
    known = math.isfinite(between.low) and math.isfinite(between.high)
    said = f"{middle:{form}}" + (f", {between.low:{form}} to {between.high:{form}}" if known else "")
    place = axis.place(middle) if math.isfinite(middle) else 1.0
    low, high = (axis.place(between.low), axis.place(between.high)) if known else (place, place)
    return Dot(method, place, low, high, said)


@dataclass(frozen=True)
class Dots:
    """Methods below one another, each with a value and its interval.

    Parameters
    ----------
    title, caption : str
        What it shows, and how it is read.
    axis : Axis
        Of the values.
    rows : tuple of Dot
        From the top.
    bars : tuple of (int, int)
        First and last row of each run that a bar joins.
    length : float
        Of a ruler above the rows, as a share of the axis; 0 if there is none.
    ruler : str
        What the ruler shows.
    """

    title: str
    caption: str
    axis: Axis
    rows: tuple[Dot, ...]
    bars: tuple[tuple[int, int], ...] = ()
    length: float = 0.0
    ruler: str = ""


@dataclass(frozen=True)
class Curve:
    """A curve: whose it is, its points as places, and the number of its colour from 1 up, 0 for grey."""

    method: str
    points: tuple[tuple[float, float], ...]
    colour: int


@dataclass(frozen=True)
class Curves:
    """Shares from 0 to 1 along an axis, a curve for each method."""

    title: str
    caption: str
    axis: Axis
    curves: tuple[Curve, ...]


def curves(title: str, caption: str, axis: Axis, costs: Mapping[str, ArrayLike], named: Sequence[str]) -> Curves:
    """Draw the share of each method's costs up to a value; those that are named come last, above the others."""
    colours = {method: number for number, method in enumerate(named[:MOST_NAMED], 1)}
    order = sorted(costs, key=lambda method: -colours.get(method, MOST_NAMED + 1))
    drawn = tuple(Curve(method, _points(costs[method], axis), colours.get(method, 0)) for method in order)
    return Curves(title, caption, axis, drawn)


def within(costs: ArrayLike, value: float) -> float:
    """Return the share of costs that are at most so large, but for rounding."""
    return float(np.mean(np.asarray(costs) <= value * (1 + 1e-9)))


def _points(costs: ArrayLike, axis: Axis) -> tuple[tuple[float, float], ...]:
    """Read a curve off, and leave out points between two of the same height."""
    found = [(place / POINTS, within(costs, axis.value(place / POINTS))) for place in range(POINTS + 1)]
    inner = zip(found, found[1:-1], found[2:], strict=False)
    return (found[0], *(here for before, here, after in inner if not before[1] == here[1] == after[1]), found[-1])
