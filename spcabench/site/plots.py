"""Figures of the site as values: places from 0 to 1 along an axis, which the page stretches to its width."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spcabench.analysis.profiles import Steps

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
        return tuple((self.place(value), f"{value:g}") for value in (self._powers() if self.log else self._steps()))

    def _powers(self) -> list[float]:
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        return [10.0**power for power in range(first, last + 1)]

    def _steps(self) -> list[float]:
        about = (self.high - self.low) / 4
        unit = 10.0 ** math.floor(math.log10(about))
        step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= about)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass(frozen=True)
class Dot:
    """A row of `Dots`: a method, its value and the interval of that, as places along the axis, and in words."""

    method: str
    place: float
    low: float
    high: float
    said: str


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


def curves(title: str, caption: str, axis: Axis, steps: Mapping[str, Steps], named: Sequence[str]) -> Curves:
    """Draw the share of each method; those that are named come last, so that they lie above the others."""
    colours = {method: number for number, method in enumerate(named[:MOST_NAMED], 1)}
    order = sorted(steps, key=lambda method: -colours.get(method, MOST_NAMED + 1))
    drawn = tuple(Curve(method, _points(steps[method], axis), colours.get(method, 0)) for method in order)
    return Curves(title, caption, axis, drawn)


def _points(steps: Steps, axis: Axis) -> tuple[tuple[float, float], ...]:
    """Read a curve off, and leave out points between two of the same height."""
    found = [(place / POINTS, steps(axis.value(place / POINTS) * (1 + 1e-9))) for place in range(POINTS + 1)]
    inner = zip(found, found[1:-1], found[2:], strict=False)
    return (found[0], *(here for before, here, after in inner if not before[1] == here[1] == after[1]), found[-1])
