"""How near a method is to its own limit, against the CPU time of a fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.traces import Trace

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


def draw(results: Results) -> Any:
    """Draw one panel for each data set with traces, a curve for each method that reached its limit; None if none."""
    panels = [drawn for dataset in results.datasets if (drawn := _panel(results, one_level(results, dataset)))]
    return stack(panels, "Distance to the method's own limit", NOTE)


def _panel(results: Results, groups: Sequence[Group]) -> Any:
    traces = {group.method: trace for group in groups if (trace := _first_trace(group))}
    points = [point for method, trace in traces.items() for point in _points(method, trace)]
    if not points:
        return None
    shown = panel(points, looks(results), AXES)
    return shown.titled(heading(label_of(list(groups)), groups[0].stand_in, groups))


def _first_trace(group: Group) -> Trace | None:
    """Return the trace of the first seed that finished, if it reaches the limit in more than one point."""
    trace = next(iter(group.finished["trace"]), None)
    return trace if trace is not None and not trace.reason and len(trace.objective) > 1 else None


def _points(method: str, trace: Trace) -> Iterator[Point]:
    for seconds, distance in zip(trace.seconds.tolist(), trace.distances.tolist(), strict=True):
        yield Point(method, seconds, max(distance, FLOOR))
