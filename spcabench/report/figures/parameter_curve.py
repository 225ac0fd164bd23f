"""Metrics against the one parameter in which the data sets of a grid differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.metric_bars import MOST_METRICS
from spcabench.report.figures.selection import level_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.sweeps import Sweep, by_parameter
from spcabench.report.figures.views import join
from spcabench.report.model import Results
from spcabench.suite.columns import Column

SIDE_BY_SIDE = 2

MOST_VALUES = 100
"""A curve over more values of the parameter is averaged."""

SUCCESSIVE = 10
"""So many successive values make a point then, as in the figures of Zhao, Meng and Xu 2014."""


def draw(results: Results) -> Any:
    """Draw one panel for each metric of the main table with a direction; None without such a grid."""
    rows = [drawn for sweep in by_parameter(results) if (drawn := _panels(results, sweep))]
    return stack(rows, "Metrics against a parameter of the data")


def _panels(results: Results, sweep: Sweep) -> Any:
    known = {column: points for column in results.drawn if (points := _points(results, sweep, column))}
    panels = [
        panel(points, looks(results), _axes(sweep, column)) for column, points in list(known.items())[:MOST_METRICS]
    ]
    if not panels:
        return None
    groups = [group for label in sweep.values for group in one_level(results, label)]
    text = ", ".join(filter(None, (sweep.name, level_of(one_level(results, next(iter(sweep.values)))))))
    head = heading(text, sweep.stand_in, groups)
    return join("concat", panels, columns=SIDE_BY_SIDE, spacing=24, title=head)


def _axes(sweep: Sweep, column: Column) -> Axes:
    averaged = f", averaged over {SUCCESSIVE} successive values" if len(sweep.values) > MOST_VALUES else ""
    return Axes(
        sweep.parameter + averaged,
        f"{column.name} ({column.better} is better)",
        within=column.range,
    )


def _points(results: Results, sweep: Sweep, column: Column) -> list[Point]:
    """Return the points of a metric, or none if it is known at one value of the parameter alone."""
    points = [
        Point(group.method, value, spread.mean, spread.sd)
        for label, value in sweep.values.items()
        for group in one_level(results, label)
        if (spread := group.spread(column)).n
    ]
    if len(sweep.values) > MOST_VALUES:
        points = [point for method in results.methods for point in averaged([p for p in points if p.method == method])]
    return points if len({point.x for point in points}) > 1 else []


def averaged(curve: Sequence[Point]) -> Iterator[Point]:
    """Average a curve over successive values, each point with the spread of those it is made of.

    Examples
    --------
    >>> [(point.x, point.y) for point in averaged([Point("a", float(x), 2.0 * x) for x in range(1, 21)])]
    [(5.5, 11.0), (15.5, 31.0)]
    """
    for start in range(0, len(curve), SUCCESSIVE):
        some = curve[start : start + SUCCESSIVE]
        heights = np.array([point.y for point in some])
        sd = float(heights.std(ddof=1)) if len(some) > 1 else math.nan
        yield Point(some[0].method, float(np.mean([point.x for point in some])), float(heights.mean()), sd)
