"""Points of curves, and the axes that they are drawn on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import altair as alt

MOST_TICKS = 10
"""A logarithmic axis has at most so many, unless powers of ten are more."""

FLAT = 1e-9
"""Values that differ relatively by no more are drawn at one place: the ticks between them would show rounding."""


@dataclass(frozen=True)
class Point:
    """A point of a method's curve, with the spread of its height."""

    method: str
    x: float
    y: float
    sd: float = math.nan

    @property
    def low(self) -> float:
        """The lower end of the spread."""
        return self.y if math.isnan(self.sd) else self.y - self.sd

    @property
    def high(self) -> float:
        """The upper end of the spread."""
        return self.y if math.isnan(self.sd) else self.y + self.sd


@dataclass(frozen=True)
class Extent:
    """The stretch of an axis, linear or logarithmic."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def of(
        cls, values: Iterable[float], log: bool = False, within: tuple[float, float] = (-math.inf, math.inf)
    ) -> Extent:
        """Hold all the values, with a margin that ends where values can no longer be."""
        known = [math.log(value) if log else value for value in values]
        low, high = min(known), max(known)
        is_flat = high - low <= FLAT * (1.0 if log else max(abs(low), abs(high)))
        margin = (0.7 if log else 0.05 * abs(high) or 1.0) if is_flat else 0.04 * (high - low)
        low, high = low - margin, high + margin
        if log:
            return cls(math.exp(low), math.exp(high), log=True)
        least, most = min(within[0], *known), max(within[1], *known)
        return cls(max(low, least), min(high, most))

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1."""
        low, high, at = (math.log(v) if self.log else v for v in (self.low, self.high, value))
        return (at - low) / (high - low)

    @property
    def ticks(self) -> list[float]:
        """The round numbers on a logarithmic axis: 1, 2, 5, 10, ... or, where these are many, powers of ten."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for digits in ((1.0, 2.0, 5.0), (1.0,)):
            found = [digit * 10.0**power for power in powers for digit in digits]
            inside = [tick for tick in found if self.low <= tick <= self.high]
            if len(inside) <= MOST_TICKS:
                break
        return inside

    @property
    def scale(self) -> alt.Scale:
        """The scale of the axis."""
        kind: dict[str, Any] = {"type": "log"} if self.log else {"zero": False}
        return alt.Scale(domain=[self.low, self.high], nice=False, **kind)


@dataclass(frozen=True)
class Axes:
    """What the axes of a panel say, and whether they are logarithmic.

    Parameters
    ----------
    x, y : str
        Titles.
    log_x, log_y : bool
        Whether they are logarithmic.
    whole : bool
        Whether only whole numbers make sense on the x axis.
    within, within_x : (float, float)
        What the heights, and what the places on the x axis, cannot be below or above; axes and spreads end there.
    marks : sequence of float
        The ticks of the x axis, where they are not left to the scale.
    bounds : mapping of str to float
        Heights to be marked by a line across, by what it says.
    places : mapping of str to float
        Places on the x axis to be marked by an upright line, by what it says; those beyond the curves are left out.
    cited : sequence of Point
        What a paper says of a method, to be marked by a cross.
    """

    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    whole: bool = False
    within: tuple[float, float] = (-math.inf, math.inf)
    within_x: tuple[float, float] = (-math.inf, math.inf)
    marks: tuple[float, ...] = ()
    bounds: dict[str, float] = field(default_factory=dict)
    places: Mapping[str, float] = field(default_factory=dict)
    cited: tuple[Point, ...] = ()
