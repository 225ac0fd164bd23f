"""Explained variance against the cardinality that was asked for, below the bound of dense loadings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from spcabench.report.eligibility import track_of
from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.means import means
from spcabench.report.figures.selection import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import View, join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.suite.columns import Column

MOST_TICKS = 13

CPEV = Column("cpev")

NOTE = (
    "Loadings are as returned. Methods that missed a target have no point there; those that reach it only in total are "
    "named so. At the right of each panel: how far each mean is below the best of its target."
)

FIRST = "variance of the first component (higher is better)"
ALL = "explained variance, CPEV (higher is better)"


def draw(results: Results) -> View | None:
    """Draw one row for each data set with several target cardinalities; None if there is none."""
    rows = (_row(results, dataset, known) for dataset, known in results.draws())
    return stack(rows, "Explained variance at each target cardinality", NOTE)


def _row(results: Results, dataset: str, known: Mapping[str, Any]) -> View | None:
    several = results.suite.n_components > 1
    shown = {**({Column("component_variance", index=1): FIRST} if several else {}), CPEV: ALL}
    panels = [panel for column, says in shown.items() for panel in _panels(results, dataset, known, column, says)]
    head = heading(results.of_dataset(dataset), dataset)
    return join("concat", panels, columns=2, spacing=24, title=head) if panels else None


def _panels(results: Results, dataset: str, known: Mapping[str, Any], column: Column, says: str) -> Iterator[View]:
    """Yield the curves of a column, and how far each method is below the best of each target."""
    groups = [group for group in results.of_dataset(dataset) if group.spread(column).n]
    points = means([(group.level.mean, group) for group in groups if group.level and not group.n_missed], column)
    totals = {group.method for group in groups if (track := track_of(group)) and track.kind == "total"}
    names = {method: f"{method} (in total)" for method in totals}
    targets = tuple(sorted({point.x for point in points}))
    if len(targets) < 2:
        return
    axes = Axes(
        "target number of nonzeros of a component",
        says,
        whole=True,
        within=results.column(column.name).range,
        marks=targets if len(targets) <= MOST_TICKS else (),
        bounds=_bound(groups, known, column),
    )
    yield panel(points, looks(results), axes, names)
    if len({point.method for point in points}) < 2:
        return
    best = {target: max(point.y for point in points if point.x == target) for target in targets}
    behind = [Point(point.method, point.x, 100 * (point.y / best[point.x] - 1)) for point in points]
    apart = Axes(axes.x, f"{says.partition(' (')[0]}: % below the best", whole=True, marks=axes.marks)
    yield panel(behind, looks(results), apart, names)


def _bound(groups: list[Group], known: Mapping[str, Any], column: Column) -> dict[str, float]:
    """Return the best that dense loadings explain, and who they are of."""
    n_features = known.get("n_features", math.nan)
    dense = [group for group in groups if not group.level and group.nonzeros == n_features]
    best = max(dense, key=lambda group: group.spread(column).mean, default=None)
    return {f"dense: {best.method}": best.spread(column).mean} if best else {}
