"""How near a method is to its own limit, against the CPU time of a fit."""

from __future__ import annotations

from collections.abc import Iterator

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import View
from spcabench.report.groups import Group
from spcabench.report.model import Results

FLOOR = 1e-9
"""Distances below it, down to none, are drawn here."""

AXES = Axes(
    "CPU time of a fit (s, lower is better)",
    "relative distance of the objective to its limit (lower is better)",
    log_x=True,
    log_y=True,
    bounds={"1e-3": 1e-3, "1e-6": 1e-6},
)

NOTE = (
    "Each point is a fit of the first seed with capped iterations. The limit is the method's own, at a thousandth of "
    f"its tolerance; distances below {FLOOR:g} stand at {FLOOR:g}."
)


def draw(results: Results) -> View | None:
    """Draw one panel for each data set with traces, a curve for each method that reached its limit; None if none."""
    panels = (_panel(results, one_level(results, dataset)) for dataset in results.datasets)
    return stack(panels, "Distance to the method's own limit", NOTE)


def _panel(results: Results, groups: list[Group]) -> View | None:
    points = [point for group in groups for point in _points(group)]
    return panel(points, looks(results), AXES, title=heading(groups)) if points else None


def _points(group: Group) -> Iterator[Point]:
    """Yield the trace of the first seed that finished, if it reaches the limit in more than one point."""
    trace = next(iter(group.finished("trace")), None)
    if trace is not None and not trace.reason and len(trace.objective) > 1:
        for seconds, distance in zip(trace.seconds.tolist(), trace.distances.tolist(), strict=True):
            yield Point(group.method, seconds, max(distance, FLOOR))
