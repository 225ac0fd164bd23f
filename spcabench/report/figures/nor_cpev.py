"""Nonorthogonality against explained variance."""

from __future__ import annotations

import math

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import View
from spcabench.report.model import Results
from spcabench.suite.columns import Column

CPEV, NOR = Column("cpev"), Column("nor")

NOTE = "The best corner is at the lower right. Loadings are as returned."


def draw(results: Results) -> View | None:
    """Draw one panel for each data set, one point for each method; None without nor and cpev."""
    panels = (_panel(results, dataset) for dataset in results.datasets)
    return stack(panels, "What orthogonality costs", NOTE)


def _panel(results: Results, dataset: str) -> View | None:
    groups = one_level(results, dataset)
    pairs = [(group.method, group.spread(CPEV).mean, group.spread(NOR)) for group in groups]
    points = [
        Point(method, variance, angle.mean, angle.sd)
        for method, variance, angle in pairs
        if not math.isnan(variance) and not math.isnan(angle.mean)
    ]
    if len(points) < 2:
        return None
    axes = Axes(
        "explained variance, CPEV (higher is better)",
        "nonorthogonality, NOR (lower is better)",
        within=results.column(NOR.name).range,
        within_x=results.column(CPEV.name).range,
    )
    return panel(points, looks(results), axes, title=heading(groups))
