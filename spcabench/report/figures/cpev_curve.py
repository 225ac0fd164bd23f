"""Explained variance against the cardinality that was asked for, below the bound of dense loadings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.style import looks, stack, title
from spcabench.report.groups import Group
from spcabench.report.results import Results
from spcabench.report.sparsity import reached, wanted

MOST_TICKS = 12


def draw(results: Results) -> Any:
    """Draw one panel for each data set with several target cardinalities; None if there is none."""
    panels = [drawn for dataset, known in results.draws() if (drawn := _panel(results, dataset, known))]
    return stack(panels, "Explained variance at each target cardinality")


def _panel(results: Results, dataset: str, known: Mapping[str, Any]) -> Any:
    groups = [group for group in results.groups if group.dataset == dataset and group.spread("cpev").n]
    points = [
        Point(group.method, wanted(group), spread.mean, spread.sd)
        for group in groups
        if group.n_nonzero and (spread := group.spread("cpev"))
    ]
    targets = tuple(sorted({point.x for point in points}))
    if len(targets) < 2:
        return None
    axes = Axes(
        "target number of nonzeros of a component",
        "explained variance, CPEV (higher is better)",
        marks=targets if len(targets) <= MOST_TICKS else (),
        bounds=_bound(results, groups, known),
    )
    return panel(points, looks(results), axes).properties(title=title(dataset, dataset in results.stand_ins))


def _bound(results: Results, groups: list[Group], known: Mapping[str, Any]) -> dict[str, float]:
    """Give the best that dense loadings explain, and who they are of."""
    n_features = known.get("n_features", math.nan)
    dense = [group for group in groups if not group.n_nonzero and reached(results, group) == n_features]
    best = max(dense, key=lambda group: group.spread("cpev").mean, default=None)
    return {f"dense: {best.method}": best.spread("cpev").mean} if best else {}
