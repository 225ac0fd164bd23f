"""Accuracy of classification against the number of components, beside all features and the numbers of a paper."""

from __future__ import annotations

from collections.abc import Iterator

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.means import Mean
from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import looks, shorten, stack
from spcabench.report.figures.views import View, join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.published import pairs
from spcabench.suite.columns import Column

ACCURACY, RAW = "accuracy", Column("accuracy_raw")

NOTE = "Bars are the 95 % intervals of means over the seeds. A number of a paper is marked by a cross."


def draw(results: Results) -> View | None:
    """Draw the accuracies on each data set, and beside them how they differ; None if there is no series of them.

    The second panel shows the difference from the first method of the suite, seed by seed, which the spread over the
    seeds hides.
    """
    rows = (_row(results, dataset) for dataset in results.datasets)
    return stack(rows, "Accuracy of the nearest neighbour by number of components", NOTE)


def _row(results: Results, dataset: str) -> View | None:
    planned = one_level(results, dataset)
    groups = [group for group in planned if group.n_finished]
    numbers = {column.index: column for column in results.series(ACCURACY) if isinstance(column.index, int)}
    if len(numbers) < 2 or not groups:
        return None
    n, marks, first = "number of components", tuple(numbers), groups[0]
    raw = first.spread(RAW)
    axes = Axes(
        n,
        "accuracy (higher is better)",
        whole=True,
        within=results.column(ACCURACY).range,
        marks=marks,
        bounds={"all features": raw.mean} if raw.n else {},
        cited=tuple(_cited(results, groups)),
    )
    known = [(group, m, column, group.known(column)) for group in groups for m, column in numbers.items()]
    shares = [Mean.of(group.method, m, list(by_seed.values())) for group, m, _, by_seed in known if by_seed]
    differences = []
    for group, m, column, by_seed in known:
        base = first.known(column)
        if shared := sorted(by_seed.keys() & base.keys()):
            differences.append(Mean.of(group.method, m, [100 * (by_seed[seed] - base[seed]) for seed in shared]))
    panels = [panel(shares, looks(results), axes)]
    if len(groups) > 1 and differences:
        apart = Axes(n, f"difference from {shorten(first.method)} (percentage points)", whole=True, marks=marks)
        panels.append(panel(differences, looks(results), apart))
    return join("hconcat", panels, spacing=24, title=heading(planned, ""))


def _cited(results: Results, groups: list[Group]) -> Iterator[Point]:
    """Return what a paper says of methods and numbers of components that are drawn."""
    shown = {(group.dataset, group.method) for group in groups}
    for pair in (pair for block in results.suite.published for pair in pairs(results, block)):
        at = pair.column.index
        if pair.column.stem == ACCURACY and isinstance(at, int) and (pair.dataset, pair.method) in shown:
            yield Point(pair.method, at, pair.published)
