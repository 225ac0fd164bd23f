"""Explained variance against sparsity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.style import looks, stack, title
from spcabench.report.groups import Group
from spcabench.report.results import Results
from spcabench.report.sparsity import reached, wanted


def draw(results: Results) -> Any:
    """Draw one panel for each data set, one curve for each method over the sparsity levels; None without cpev."""
    panels = [drawn for dataset, known in results.draws() if (drawn := _panel(results, dataset, known))]
    return stack(panels, "Explained variance against sparsity")


def _panel(results: Results, dataset: str, known: Mapping[str, Any]) -> Any:
    n_features = float(known.get("n_features", math.nan))
    points = [
        Point(group.method, nonzeros, variance.mean, variance.sd)
        for group in results.groups
        if group.dataset == dataset
        and not math.isnan((variance := group.spread("cpev")).mean)
        and not math.isnan(nonzeros := _nonzeros(results, group, n_features))
    ]
    if len(points) < 2:
        return None
    axes = Axes(
        "mean number of nonzeros of a component (fewer is sparser)", "explained variance, CPEV (higher is better)"
    )
    drawn = panel(points, looks(results), axes)
    return drawn.properties(title=title(dataset, dataset in results.stand_ins))


def _nonzeros(results: Results, group: Group, n_features: float) -> float:
    """Give the mean number of nonzeros of a component: as measured, else as asked for, else all."""
    known = (reached(results, group), wanted(group), n_features)
    return next((number for number in known if not math.isnan(number)), math.nan)
