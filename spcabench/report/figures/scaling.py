"""The time of a fit against the size of the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.means import geometric
from spcabench.report.figures.selection import one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.sweeps import Sweep, by_size
from spcabench.report.model import Results
from spcabench.report.published import pairs
from spcabench.suite.columns import Column

TIME = Column("fit_time", unit="s")
SECONDS = "time of a fit (s, lower is better)"


def draw(results: Results) -> Any:
    """Draw one panel for each data set that comes in several sizes, both axes logarithmic; None if there is none."""
    panels = [drawn for sweep in by_size(results) if (drawn := _panel(results, sweep))]
    note = (
        "Geometric means over the seeds, or over the repeats of one seed, with 95 % intervals; the slope is the power "
        "at which the time grows."
    )
    if _published(results):
        note += " In brackets: the mean seconds that a paper states, on its machine."
    if (results.frame["contended"] == True).any():  # noqa: E712  (an object column, which may hold None)
        note += " Contended: other work shared the machine, so that the times are too long."
    return stack(panels, "How the time of a fit grows", note)


def _panel(results: Results, sweep: Sweep) -> Any:
    found = [(size, group) for label, size in sweep.values.items() for group in one_level(results, label)]
    points = geometric(found, TIME)
    curves = {name: [point for point in points if point.method == name] for name in results.methods}
    if len({point.x for point in points}) < 2:
        return None
    stated = _published(results)
    names = {
        name: f"{name}: slope {_slope(curve):.1f}" + (f" [{stated[name]:.3g} s]" if name in stated else "")
        for name, curve in curves.items()
        if len(curve) > 1
    }
    axes = Axes(sweep.parameter, SECONDS, log_x=True, log_y=True, marks=tuple(sweep.values.values()))
    head = heading(sweep.name, sweep.stand_in, [group for _, group in found])
    return panel(points, looks(results), axes, names).titled(head)


def _published(results: Results) -> dict[str, float]:
    """Return the seconds that a paper states of a method on average over the sizes."""
    return {
        pair.method: pair.published
        for block in results.suite.published
        if block.over == "mean"
        for pair in pairs(results, block)
        if pair.column == TIME
    }


def _slope(curve: Sequence[Point]) -> float:
    x, y = (np.log([getattr(point, axis) for point in curve]) for axis in "xy")
    return float(np.polyfit(x, y, 1)[0])
