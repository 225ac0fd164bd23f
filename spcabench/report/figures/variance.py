"""Explained variance: against sparsity, at each target, and against nonorthogonality."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spcabench.report.eligibility import in_front, track_of
from spcabench.report.figures.curves import Axes, panel
from spcabench.report.figures.points import Point, means
from spcabench.report.figures.style import heading, looks, one_level, stack
from spcabench.report.figures.views import Rows, View, join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.suite.columns import Column

CPEV, NOR = Column("cpev"), Column("nor")

EXPLAINED = "explained variance, CPEV (higher is better)"
FIRST = "variance of the first component (higher is better)"

WIDE = 8.0
"""Where the densest has so many times the nonzeros of the sparsest, their axis is logarithmic."""

MOST_TICKS = 13
"""Up to so many targets each has a tick."""

OF_PARETO = (
    "The grey steps are the front: nothing sparser explains more. Dense methods and those that missed their target "
    "or reach it only in total are not part of it. Loadings are as returned."
)

OF_TARGETS = (
    "Loadings are as returned. Methods that missed a target have no point there; those that reach it only in total are "
    "named so. At the right of each panel: how far each mean is below the best of its target."
)


def pareto(results: Results) -> View | None:
    """Draw a panel for each data set and number of components, a curve for each method; None without cpev."""
    panels = (panel for dataset, known in results.draws() for panel in _fronts(results, dataset, known))
    return stack(panels, "Explained variance against sparsity", OF_PARETO)


def _fronts(results: Results, dataset: str, known: Mapping[str, Any]) -> Iterator[View | None]:
    """Draw the groups of each number of components: what one explains and what several do are not of one curve."""
    groups = results.of_dataset(dataset)
    sizes = list(dict.fromkeys(group.n_components for group in groups))
    for n in sizes:
        name = f"{dataset}, {n} component{'s' * (n > 1)}" if len(sizes) > 1 else dataset
        some = [group for group in groups if group.n_components == n]
        yield _front(results, some, name, float(known.get("n_features", math.nan)))


def _front(results: Results, groups: Sequence[Group], name: str, n_features: float) -> View | None:
    placed = [(group, _against(group, _nonzeros(group, n_features), CPEV)) for group in groups]
    points = [point for _, point in placed if point]
    if len(points) < 2:
        return None
    sparsest, densest = (choose(point.x for point in points) for choose in (min, max))
    axes = Axes(
        "mean number of nonzeros of a component (fewer is sparser)",
        EXPLAINED,
        log_x=0 < WIDE * sparsest <= densest,
        within=results.column(CPEV.name).range,
    )
    leading = front(point for group, point in placed if point and in_front(group))
    steps = Rows({"x": point.x, "y": point.y} for point in leading)
    style = {"strokeWidth": 4, "color": "#dddddd", "interpolate": "step-after"}
    behind = [steps.mark("line", {"x": "x:Q", "y": "y:Q"}, **style)]
    return panel(points, looks(results), axes, behind=behind, title=heading(groups, name))


def _against(group: Group, x: float, column: Column) -> Point | None:
    """Return the mean of a group by a column at a place; None where either is unknown."""
    spread = group.spread(column)
    return None if math.isnan(x) or math.isnan(spread.mean) else Point(group.method, x, spread.mean, spread.sd)


def front(points: Iterable[Point]) -> list[Point]:
    """Return the points than which none with as few nonzeros explains as much, the sparsest first.

    Examples
    --------
    >>> found = front([Point("a", 2, 0.5), Point("b", 4, 0.4), Point("c", 4, 0.7), Point("d", 2, 0.3)])
    >>> [point.method for point in found]
    ['a', 'c']
    """
    found: list[Point] = []
    for point in sorted(points, key=lambda point: (point.x, -point.y)):
        if not found or point.y > found[-1].y:
            found.append(point)
    return found


def _nonzeros(group: Group, n_features: float) -> float:
    """Return the mean number of nonzeros of a component: as measured, else as asked for, else all."""
    known = (group.nonzeros, group.level.mean, n_features)
    return next((number for number in known if not math.isnan(number)), math.nan)


def nor_cpev(results: Results) -> View | None:
    """Draw one panel for each data set, one point for each method; None without nor and cpev."""
    axes = Axes(
        EXPLAINED,
        "nonorthogonality, NOR (lower is better)",
        within=results.column(NOR.name).range,
        within_x=results.column(CPEV.name).range,
    )

    def drawn(groups: list[Group]) -> View | None:
        points = [point for group in groups if (point := _against(group, group.spread(CPEV).mean, NOR))]
        return panel(points, looks(results), axes, title=heading(groups)) if len(points) > 1 else None

    panels = (drawn(one_level(results, dataset)) for dataset in results.datasets)
    return stack(panels, "What orthogonality costs", "The best corner is at the lower right. Loadings are as returned.")


def cpev_curve(results: Results) -> View | None:
    """Draw one row for each data set with several target cardinalities; None if there is none."""
    first = {Column("component_variance", index=1): FIRST} if results.suite.n_components > 1 else {}
    rows = []
    for dataset, known in results.draws():
        shown = {**first, CPEV: EXPLAINED}.items()
        panels = [one for column, says in shown for one in _at_targets(results, dataset, known, column, says)]
        head = heading(results.of_dataset(dataset), dataset)
        rows.append(join("concat", panels, columns=2, spacing=24, title=head) if panels else None)
    return stack(rows, "Explained variance at each target cardinality", OF_TARGETS)


def _at_targets(results: Results, dataset: str, known: Mapping[str, Any], column: Column, says: str) -> Iterator[View]:
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
    if len({point.method for point in points}) > 1:
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
