"""Explained variance against sparsity, and the front of what no other method beats in both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spcabench.report.eligibility import in_front
from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.selection import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import Rows, View
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.suite.columns import Column

CPEV = Column("cpev")

WIDE = 8.0
"""Where the densest has so many times the nonzeros of the sparsest, their axis is logarithmic."""

NOTE = (
    "The grey steps are the front: nothing sparser explains more. Dense methods and those that missed their target "
    "or reach it only in total are not part of it. Loadings are as returned."
)


def draw(results: Results) -> View | None:
    """Draw a panel for each data set and number of components, a curve for each method; None without cpev."""
    panels = (panel for dataset, known in results.draws() for panel in _panels(results, dataset, known))
    return stack(panels, "Explained variance against sparsity", NOTE)


def _panels(results: Results, dataset: str, known: Mapping[str, Any]) -> Iterator[View | None]:
    """Draw the groups of each number of components: what one explains and what several do are not of one curve."""
    groups = results.of_dataset(dataset)
    sizes = list(dict.fromkeys(group.n_components for group in groups))
    for n in sizes:
        name = f"{dataset}, {n} component{'s' * (n > 1)}" if len(sizes) > 1 else dataset
        some = [group for group in groups if group.n_components == n]
        yield _panel(results, some, name, float(known.get("n_features", math.nan)))


def _panel(results: Results, groups: Sequence[Group], name: str, n_features: float) -> View | None:
    placed = [
        (group, Point(group.method, nonzeros, variance.mean, variance.sd))
        for group in groups
        if not math.isnan((variance := group.spread(CPEV)).mean)
        and not math.isnan(nonzeros := _nonzeros(group, n_features))
    ]
    points = [point for _, point in placed]
    if len(points) < 2:
        return None
    sparsest, densest = (choose(point.x for point in points) for choose in (min, max))
    axes = Axes(
        "mean number of nonzeros of a component (fewer is sparser)",
        "explained variance, CPEV (higher is better)",
        log_x=0 < WIDE * sparsest <= densest,
        within=results.column(CPEV.name).range,
    )
    steps = Rows({"x": point.x, "y": point.y} for point in front(point for group, point in placed if in_front(group)))
    at, style = {"x": "x:Q", "y": "y:Q"}, {"strokeWidth": 4, "color": "#dddddd", "interpolate": "step-after"}
    behind = [steps.mark("line", at, **style)]
    return panel(points, looks(results), axes, behind=behind, title=heading(groups, name))


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
