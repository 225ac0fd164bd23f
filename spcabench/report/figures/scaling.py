"""The time of a fit against the size of the data."""

from __future__ import annotations

import numpy as np

from spcabench.report.figures.curves import Axes, panel
from spcabench.report.figures.means import Sweep, by_size, geometric
from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import View
from spcabench.report.model import Results
from spcabench.report.published import pairs
from spcabench.suite.columns import Column

TIME = Column("fit_time", unit="s")

NOTE = (
    "Geometric means over the seeds, or over the repeats of one seed, with 95 % intervals; the slope is the power "
    "at which the time grows."
)


def draw(results: Results) -> View | None:
    """Draw one panel for each data set that comes in several sizes, both axes logarithmic; None if there is none."""
    stated = _published(results)
    note = NOTE
    if stated:
        note += " In brackets: the mean seconds that a paper states, on its machine."
    if any(shared is True for shared in results.frame["contended"]):
        note += " Contended: other work shared the machine, so that the times are too long."
    return stack((_panel(results, sweep, stated) for sweep in by_size(results)), "How the time of a fit grows", note)


def _panel(results: Results, sweep: Sweep, stated: dict[str, float]) -> View | None:
    found = [(size, group) for label, size in sweep.values.items() for group in one_level(results, label)]
    points = geometric(found, TIME)
    if len({point.x for point in points}) < 2:
        return None
    names = {}
    for name in results.methods:
        curve = np.log([(point.x, point.y) for point in points if point.method == name])
        if len(curve) > 1:
            slope = np.polyfit(curve[:, 0], curve[:, 1], 1)[0]
            names[name] = f"{name}: slope {slope:.1f}" + (f" [{stated[name]:.3g} s]" if name in stated else "")
    marks = tuple(sweep.values.values())
    axes = Axes(sweep.parameter, "time of a fit (s, lower is better)", log_x=True, log_y=True, marks=marks)
    head = heading([group for _, group in found], sweep.name)
    return panel(points, looks(results), axes, names, title=head)


def _published(results: Results) -> dict[str, float]:
    """Return the seconds that a paper states of a method on average over the sizes."""
    means = [pair for block in results.suite.published if block.over == "mean" for pair in pairs(results, block)]
    return {pair.method: pair.published for pair in means if pair.column == TIME}
