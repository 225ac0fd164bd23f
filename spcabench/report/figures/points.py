"""Points of curves: means over the seeds with the ends of their bars, and the stretch of an axis that holds them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from spcabench.analysis.intervals import Interval, mean_interval, wilson
from spcabench.report.figures.views import Spec
from spcabench.report.groups import Group, Spread
from spcabench.suite.columns import Column

BARS = "Bars are 95 % intervals of means over the seeds; of shares, where a fit is right or wrong, Wilson's."

FLAT = 1e-9
"""Values that differ relatively by no more are drawn at one place: the ticks between them would show rounding."""

ANYWHERE = (-math.inf, math.inf)


@dataclass(frozen=True)
class Point:
    """A point of a method's curve, with the spread of its height, and the interval of it if its bar shows that."""

    method: str
    x: float
    y: float
    sd: float = math.nan
    interval: Interval | None = None

    @classmethod
    def mean(cls, method: str, x: float, values: Sequence[float], share: bool = False) -> Point:
        """Summarise some values, at least one of them, with their interval; as a share, they are 0 or 1."""
        spread = Spread.of(values)
        interval = wilson(round(sum(values)), len(values)) if share else mean_interval(values)
        return cls(method, x, spread.mean, spread.sd, interval)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The ends of its bar: of the interval, else of the standard deviation; itself where they are not known."""
        off = (self.y - self.sd, self.y + self.sd)
        low, high = (self.interval.low, self.interval.high) if self.interval else off
        return (low if math.isfinite(low) else self.y, high if math.isfinite(high) else self.y)

    def within(self, least: float, most: float) -> tuple[float, float]:
        """Return the ends of its bar, as far as heights can go."""
        low, high = self.ends
        return min(self.y, max(low, least)), max(self.y, min(high, most))


def means(placed: Iterable[tuple[float, Group]], column: Column) -> list[Point]:
    """Return the mean of a column for each group that has it, at its place.

    A column that says of every fit whether it is right, 0 or 1, and of the groups together both, is a share.
    """
    known = [(group.method, place, [*group.known(column).values()]) for place, group in placed]
    share = column.range == (0.0, 1.0) and {value for *_, values in known for value in values} == {0.0, 1.0}
    return [Point.mean(method, place, values, share) for method, place, values in known if values]


def geometric(placed: Iterable[tuple[float, Group]], column: Column) -> list[Point]:
    """Return the geometric mean of times for each group that has any, at its place."""
    found = []
    for place, group in placed:
        if logs := [math.log(time) for time in group.known(column).values() if time > 0]:
            mean = Point.mean(group.method, place, logs)
            ends = Interval(*map(math.exp, mean.ends))
            found.append(Point(group.method, place, math.exp(mean.y), mean.sd, ends))
    return found


@dataclass(frozen=True)
class Extent:
    """The stretch of an axis, linear or logarithmic."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def of(cls, values: Iterable[float], log: bool = False, within: tuple[float, float] = ANYWHERE) -> Extent:
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
    def scale(self) -> Spec:
        """The scale of the axis."""
        kind: Spec = {"type": "log"} if self.log else {"zero": False}
        return {"domain": [self.low, self.high], "nice": False, **kind}
