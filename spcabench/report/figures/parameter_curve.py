"""Metrics against the one parameter in which the data sets of a grid differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.means import NOTE, Sweep, by_parameter, geometric, means
from spcabench.report.figures.metric_bars import MOST_METRICS
from spcabench.report.figures.selection import heading, level_of, one_level
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import View, join
from spcabench.report.model import Results
from spcabench.suite.columns import Column

MOST_VALUES = 100
"""A curve over more values of the parameter is averaged."""

WIDE = 10.0
"""Values that differ by this factor or more are drawn on a logarithmic axis."""

MOST_MARKED = 10
"""If there are no more values, each has a tick."""

SUCCESSIVE = 10
"""So many successive values make a point then, as in the figures of Zhao, Meng and Xu 2014."""


def draw(results: Results) -> View | None:
    """Draw one panel for each metric of the main table with a direction; None without such a grid."""
    rows = (_panels(results, sweep) for sweep in by_parameter(results))
    return stack(rows, "Metrics against a parameter of the data", NOTE)


def _panels(results: Results, sweep: Sweep) -> View | None:
    known = {column: points for column in results.drawn if (points := _points(results, sweep, column))}
    shown = list(known.items())[:MOST_METRICS]
    panels = [panel(points, looks(results), _axes(results, sweep, column)) for column, points in shown]
    groups = [group for label in sweep.values for group in one_level(results, label)]
    first = one_level(results, next(iter(sweep.values)))
    head = heading(groups, ", ".join(filter(None, (sweep.name, level_of(first)))))
    return join("concat", panels, columns=2, spacing=24, title=head) if panels else None


def _axes(results: Results, sweep: Sweep, column: Column) -> Axes:
    many = len(sweep.values) > MOST_VALUES
    low, high = min(sweep.values.values()), max(sweep.values.values())
    return Axes(
        sweep.parameter + (f", averaged over {SUCCESSIVE} successive values" if many else ""),
        f"{column.name} ({column.better} is better)",
        within=column.range,
        log_x=low > 0 and high / low >= WIDE and not many,
        log_y=column.unit == "s",
        marks=tuple(sweep.values.values()) if len(sweep.values) <= MOST_MARKED else (),
        places=results.suite.report.marks,
    )


def _points(results: Results, sweep: Sweep, column: Column) -> list[Point]:
    """Return the points of a metric, or none if it is known at one value of the parameter alone."""
    placed = [(value, group) for label, value in sweep.values.items() for group in one_level(results, label)]
    points: list[Point] = [*(geometric if column.unit == "s" else means)(placed, column)]
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
