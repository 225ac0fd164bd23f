"""Metrics against the one parameter in which the data sets of a grid differ."""

from __future__ import annotations

from typing import Any

import altair as alt

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.metric_bars import MOST_METRICS
from spcabench.report.figures.selection import level_of, one_level
from spcabench.report.figures.style import looks, stack, title
from spcabench.report.figures.sweeps import Sweep, by_parameter
from spcabench.report.results import Results

SIDE_BY_SIDE = 2


def draw(results: Results) -> Any:
    """Draw one panel for each metric of the main table with a direction; None without such a grid."""
    rows = [drawn for sweep in by_parameter(results) if (drawn := _panels(results, sweep))]
    return stack(rows, "Metrics against a parameter of the data")


def _panels(results: Results, sweep: Sweep) -> Any:
    columns = [column for column in results.columns if results.better(column) != "neither"]
    known = {column: points for column in columns if (points := _points(results, sweep, column))}
    panels = [
        panel(points, looks(results), Axes(sweep.parameter, f"{column} ({results.better(column)} is better)"))
        for column, points in list(known.items())[:MOST_METRICS]
    ]
    if not panels:
        return None
    heading = ", ".join(filter(None, (sweep.name, level_of(one_level(results, next(iter(sweep.values)))))))
    return alt.concat(*panels, columns=SIDE_BY_SIDE, spacing=24, title=title(heading, sweep.stand_in))


def _points(results: Results, sweep: Sweep, column: str) -> list[Point]:
    """Give the points of a metric, or none if it is known at one value of the parameter alone."""
    points = [
        Point(group.method, value, spread.mean, spread.sd)
        for label, value in sweep.values.items()
        for group in one_level(results, label)
        if (spread := group.spread(column)).n
    ]
    return points if len({point.x for point in points}) > 1 else []
