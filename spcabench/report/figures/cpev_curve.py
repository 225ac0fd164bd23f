"""Explained variance against the cardinality that was asked for, below the bound of dense loadings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.tracks import track_of
from spcabench.suite.columns import Column

MOST_TICKS = 13

CPEV = Column("cpev")

NOTE = (
    "Loadings are as returned. Methods that missed a target have no point there; those that reach it only in total are "
    "named so."
)

COLUMNS = {
    Column("component_variance", index=1): "variance of the first component (higher is better)",
    CPEV: "explained variance, CPEV (higher is better)",
}
"""What is drawn, side by side, and what its axis says."""


def draw(results: Results) -> Any:
    """Draw one row for each data set with several target cardinalities; None if there is none."""
    rows = [drawn for dataset, known in results.draws() if (drawn := _row(results, dataset, known))]
    return stack(rows, "Explained variance at each target cardinality", NOTE)


def _row(results: Results, dataset: str, known: Mapping[str, Any]) -> Any:
    shown = {column: says for column, says in COLUMNS.items() if column == CPEV or results.suite.n_components > 1}
    panels = [drawn for column, says in shown.items() if (drawn := _panel(results, dataset, known, column, says))]
    head = heading(dataset, dataset in results.stand_ins, results.of_dataset(dataset))
    return join("hconcat", panels, spacing=24, title=head) if panels else None


def _panel(results: Results, dataset: str, known: Mapping[str, Any], column: Column, says: str) -> Any:
    groups = [group for group in results.of_dataset(dataset) if group.spread(column).n]
    points = [
        Point(group.method, group.level.mean, spread.mean, spread.sd)
        for group in groups
        if group.level and not _missed(group) and (spread := group.spread(column))
    ]
    totals = {group.method for group in groups if (track := track_of(group)) and track.kind == "total"}
    targets = tuple(sorted({point.x for point in points}))
    if len(targets) < 2:
        return None
    axes = Axes(
        "target number of nonzeros of a component",
        says,
        whole=True,
        within=results.column(column.name).range,
        marks=targets if len(targets) <= MOST_TICKS else (),
        bounds=_bound(groups, known, column),
    )
    return panel(points, looks(results), axes, {method: f"{method} (in total)" for method in totals})


def _missed(group: Group) -> bool:
    return any(fit.missed for fit in group.fits)


def _bound(groups: list[Group], known: Mapping[str, Any], column: Column) -> dict[str, float]:
    """Return the best that dense loadings explain, and who they are of."""
    n_features = known.get("n_features", math.nan)
    dense = [group for group in groups if not group.level and group.nonzeros == n_features]
    best = max(dense, key=lambda group: group.spread(column).mean, default=None)
    return {f"dense: {best.method}": best.spread(column).mean} if best else {}
