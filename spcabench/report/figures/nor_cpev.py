"""Nonorthogonality against explained variance."""

from __future__ import annotations

import math
from typing import Any

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.model import Results
from spcabench.suite.columns import Column

CPEV, NOR = Column("cpev"), Column("nor")


def draw(results: Results) -> Any:
    """Draw one panel for each data set, one point for each method; None without nor and cpev."""
    panels = [drawn for dataset in results.datasets if (drawn := _panel(results, dataset))]
    return stack(panels, "What orthogonality costs", "The best corner is at the lower right. Loadings are as returned.")


def _panel(results: Results, dataset: str) -> Any:
    groups = one_level(results, dataset)
    pairs = [(group.method, group.spread(CPEV), group.spread(NOR)) for group in groups]
    points = [
        Point(method, variance.mean, angle.mean, angle.sd)
        for method, variance, angle in pairs
        if not math.isnan(variance.mean) and not math.isnan(angle.mean)
    ]
    if len(points) < 2:
        return None
    axes = Axes(
        "explained variance, CPEV (higher is better)",
        "nonorthogonality, NOR (lower is better)",
        within=results.column(NOR.name).range,
        within_x=results.column(CPEV.name).range,
    )
    head = heading(label_of(groups), dataset in results.stand_ins, groups)
    return panel(points, looks(results), axes).titled(head)
