"""Explained variance against sparsity, and the front of what no other method beats in both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import data, looks, stack
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.tracks import in_front
from spcabench.suite.columns import Column

CPEV = Column("cpev")

WIDE = 8.0
"""Where the densest has so many times the nonzeros of the sparsest, their axis is logarithmic."""


def draw(results: Results) -> Any:
    """Draw a panel for each data set and number of components, a curve for each method over the sparsity levels.

    Returns
    -------
    View or None
        None without cpev.
    """
    panels = [
        drawn
        for dataset, known in results.draws()
        for groups in by_components(results.of_dataset(dataset))
        if (drawn := _panel(results, dataset, known, groups))
    ]
    note = (
        "The grey steps are the front: nothing sparser explains more. Dense methods and those that missed their target "
        "or reach it only in total are not part of it. Loadings are as returned."
    )
    return stack(panels, "Explained variance against sparsity", note)


def by_components(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Yield the groups of each number of components: what one explains and what several do are not of one curve."""
    for n in dict.fromkeys(group.n_components for group in groups):
        yield [group for group in groups if group.n_components == n]


def _panel(results: Results, dataset: str, known: Mapping[str, Any], groups: Sequence[Group]) -> Any:
    n_features = float(known.get("n_features", math.nan))
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
    leading = front(point for group, point in placed if in_front(group))
    steps = alt.Chart(data({"x": point.x, "y": point.y} for point in leading)).encode(x="x:Q", y="y:Q")
    line = steps.mark_line(strokeWidth=4, color="#dddddd", interpolate="step-after")
    several = len({group.n_components for group in results.of_dataset(dataset)}) > 1
    n = groups[0].n_components
    name = f"{dataset}, {n} component{'s' * (n > 1)}" if several else dataset
    head = heading(name, dataset in results.stand_ins, list(groups))
    return panel(points, looks(results), axes, behind=[line]).titled(head)


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
