"""The time of a fit against the size of the data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spcabench.report.figures.curves import Axes, LogPoint, panel
from spcabench.report.figures.selection import one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.sweeps import Sweep, by_size
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results

SECONDS = "time of a fit (s, lower is better)"


def draw(results: Results) -> Any:
    """Draw one panel for each data set that comes in several sizes, both axes logarithmic; None if there is none."""
    panels = [drawn for sweep in by_size(results) if (drawn := _panel(results, sweep))]
    note = "Geometric mean over the seeds; the slope is the power at which the time grows."
    if (results.frame["contended"] == True).any():  # noqa: E712  (an object column, which may hold None)
        note += " Contended: other work shared the machine, so that the times are too long."
    return stack(panels, "How the time of a fit grows", note)


def _panel(results: Results, sweep: Sweep) -> Any:
    found = [(size, group) for label, size in sweep.values.items() for group in one_level(results, label)]
    points = [
        LogPoint(group.method, size, math.exp(spread.mean), spread.sd)
        for size, group in found
        if (spread := _log_time(group)).n
    ]
    curves = {name: [point for point in points if point.method == name] for name in results.methods}
    if len({point.x for point in points}) < 2:
        return None
    names = {name: f"{name}: slope {_slope(curve):.1f}" for name, curve in curves.items() if len(curve) > 1}
    axes = Axes(sweep.parameter, SECONDS, log_x=True, log_y=True, marks=tuple(sweep.values.values()))
    head = heading(sweep.name, sweep.stand_in, [group for _, group in found])
    return panel(points, looks(results), axes, names).titled(head)


def _log_time(group: Group) -> Spread:
    return Spread.of(math.log(time) for time in group.measured["fit_time"] if time > 0)


def _slope(curve: list[LogPoint]) -> float:
    x, y = (np.log([getattr(point, axis) for point in curve]) for axis in "xy")
    return float(np.polyfit(x, y, 1)[0])
