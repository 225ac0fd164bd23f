"""Means over the seeds with their 95 % intervals, as points of figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench.analysis.intervals import Interval, mean_interval, wilson
from spcabench.report.figures.axes import Point
from spcabench.report.groups import Group, Spread
from spcabench.suite.columns import Column

NOTE = "Bars are 95 % intervals of means over the seeds; of shares, where a fit is right or wrong, Wilson's."


UNKNOWN = Interval(-np.inf, np.inf)


@dataclass(frozen=True)
class Mean(Point):
    """A mean over the seeds with its interval."""

    interval: Interval = UNKNOWN

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.y if np.isinf(self.interval.low) else self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.y if np.isinf(self.interval.high) else self.interval.high

    @classmethod
    def of(cls, method: str, x: float, values: Sequence[float], share: bool = False) -> Mean:
        """Summarise some values, at least one of them; as a share, they are 0 or 1."""
        spread = Spread.of(values)
        interval = wilson(round(sum(values)), len(values)) if share else mean_interval(values)
        return cls(method, x, spread.mean, spread.sd, interval)


def known(group: Group, column: Column) -> list[float]:
    """Return the values of a column over the cells that count; see `Group.measured`."""
    return [] if column.name not in group.measured else [float(v) for v in group.measured[column.name].dropna()]


def is_share(groups: Iterable[Group], column: Column) -> bool:
    """Return whether a column says of every fit whether it is right: 0 or 1, and of the groups together both."""
    return column.range == (0.0, 1.0) and {value for group in groups for value in known(group, column)} == {0.0, 1.0}


def means(placed: Sequence[tuple[float, Group]], column: Column) -> list[Mean]:
    """Return the mean of a column for each group that has it, at its place."""
    share = is_share((group for _, group in placed), column)
    return [Mean.of(group.method, place, values, share) for place, group in placed if (values := known(group, column))]


def geometric(placed: Sequence[tuple[float, Group]], column: Column) -> list[Mean]:
    """Return the geometric mean of times for each group that has any, at its place; of one seed, of its repeats."""
    return [
        Mean(group.method, place, float(np.exp(mean.y)), mean.sd, _exponential(mean.interval))
        for place, group in placed
        if (values := [time for time in _times(group, column) if time > 0])
        for mean in [Mean.of(group.method, place, list(map(float, np.log(values))))]
    ]


def _times(group: Group, column: Column) -> list[float]:
    """Return the seconds of each seed, or of each repeat of a fit where there is one seed."""
    repeats = group.measured["wall_times"]
    if column.name == "fit_time" and len(repeats) == 1 and len(repeats.iloc[0]) > 1:
        return [float(seconds) for seconds in repeats.iloc[0]]
    return known(group, column)


def _exponential(interval: Interval) -> Interval:
    return interval if np.isinf(interval.low) else Interval(float(np.exp(interval.low)), float(np.exp(interval.high)))


def row(mean: Mean, column: Column) -> dict[str, Any]:
    """Return what a chart needs of a mean; its interval ends where values can no longer be."""
    least, most = column.range
    return {
        "method": mean.method,
        "mean": mean.y,
        "sd": mean.sd,
        "low": min(mean.y, max(mean.low, least)),
        "high": max(mean.y, min(mean.high, most)),
    }
