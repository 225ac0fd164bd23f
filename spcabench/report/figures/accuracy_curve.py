"""Accuracy of classification against the number of components, beside all features and the numbers of a paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.means import Mean
from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, shorten, stack
from spcabench.report.figures.views import join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.published import pairs
from spcabench.suite.columns import Column

ACCURACY, RAW = "accuracy", Column("accuracy_raw")

NOTHING_BESIDE: Any = {"within": (-math.inf, math.inf), "bounds": {}, "cited": ()}

NOTE = "Bars are the 95 % intervals of means over the seeds. A number of a paper is marked by a cross."


def draw(results: Results) -> Any:
    """Draw the accuracies on each data set, and beside them how they differ; None if there is no series of them.

    The second panel shows the difference from the first method of the suite, seed by seed, which the spread over the
    seeds hides.
    """
    rows = [drawn for dataset in results.datasets if (drawn := _row(results, dataset))]
    return stack(rows, "Accuracy of the nearest neighbour by number of components", NOTE)


def _row(results: Results, dataset: str) -> Any:
    planned = one_level(results, dataset)
    groups = [group for group in planned if group.n_finished]
    numbers = {column.index: column for column in results.series(ACCURACY) if isinstance(column.index, int)}
    if len(numbers) < 2 or not groups:
        return None
    axes = Axes(
        "number of components",
        "accuracy (higher is better)",
        whole=True,
        within=results.column(ACCURACY).range,
        marks=tuple(numbers),
        bounds={"all features": groups[0].spread(RAW).mean} if groups[0].spread(RAW).n else {},
        cited=tuple(_cited(results, groups)),
    )
    apart = replace(axes, y=f"difference from {shorten(groups[0].method)} (percentage points)", **NOTHING_BESIDE)
    first = {column: _by_seed(groups[0], column) for column in numbers.values()}
    known = [(group, m, column, _by_seed(group, column)) for group in groups for m, column in numbers.items()]
    shares = [Mean.of(group.method, m, list(by_seed.values())) for group, m, _, by_seed in known if by_seed]
    differences = [
        Mean.of(group.method, m, [100 * (by_seed[seed] - first[column][seed]) for seed in shared])
        for group, m, column, by_seed in known
        if (shared := sorted(by_seed.keys() & first[column].keys()))
    ]
    panels = [panel(shares, looks(results), axes)]
    if len(groups) > 1 and differences:
        panels.append(panel(differences, looks(results), apart))
    return join("hconcat", panels, spacing=24, title=heading(label_of(groups), dataset in results.stand_ins, planned))


def _by_seed(group: Group, column: Column) -> dict[int, float]:
    values = zip(group.finished["seed"], group.finished[column.name], strict=True)
    return {int(seed): float(value) for seed, value in values if not math.isnan(value)}


def _cited(results: Results, groups: list[Group]) -> Iterator[Point]:
    """Return what a paper says of methods and numbers of components that are drawn."""
    shown = {(group.dataset, group.method) for group in groups}
    for block in results.suite.published:
        for pair in pairs(results, block):
            at = pair.column.index
            if pair.column.stem == ACCURACY and isinstance(at, int) and (pair.dataset, pair.method) in shown:
                yield Point(pair.method, at, pair.published)
