"""Metrics against the one parameter in which the data sets of a grid differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.means import NOTE, geometric, means
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

WIDE = 10.0
"""Values that differ by this factor or more are drawn on a logarithmic axis."""

MOST_MARKED = 10
"""If there are no more values, each has a tick."""

SUCCESSIVE = 10
"""So many successive values make a point then, as in the figures of Zhao, Meng and Xu 2014."""


def draw(results: Results) -> Any:
    """Draw one panel for each metric of the main table with a direction; None without such a grid."""
    rows = [drawn for sweep in by_parameter(results) if (drawn := _panels(results, sweep))]
    return stack(rows, "Metrics against a parameter of the data", NOTE)


def _panels(results: Results, sweep: Sweep) -> Any:
    known = {column: points for column in results.drawn if (points := _points(results, sweep, column))}
    panels = [
        panel(points, looks(results), _axes(results, sweep, column))
        for column, points in list(known.items())[:MOST_METRICS]
    ]
    if not panels:
        return None
    groups = [group for label in sweep.values for group in one_level(results, label)]
    text = ", ".join(filter(None, (sweep.name, level_of(one_level(results, next(iter(sweep.values)))))))
    head = heading(text, sweep.stand_in, groups)
    return join("concat", panels, columns=SIDE_BY_SIDE, spacing=24, title=head)


def _axes(results: Results, sweep: Sweep, column: Column) -> Axes:
    averaged = f", averaged over {SUCCESSIVE} successive values" if len(sweep.values) > MOST_VALUES else ""
    return Axes(
        sweep.parameter + averaged,
        f"{column.name} ({column.better} is better)",
        within=column.range,
        log_x=_is_wide(sweep),
        log_y=column.unit == "s",
        marks=tuple(sweep.values.values()) if len(sweep.values) <= MOST_MARKED else (),
        places=results.suite.report.marks,
    )


def _is_wide(sweep: Sweep) -> bool:
    """Return whether the values of the parameter are better spaced by their logarithms."""
    low, high = min(sweep.values.values()), max(sweep.values.values())
    return low > 0 and high / low >= WIDE and len(sweep.values) <= MOST_VALUES


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
