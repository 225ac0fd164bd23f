"""Reconstruction error against the number of components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spcabench.report.figures.axes import Axes, Point
from spcabench.report.figures.curves import panel
from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import looks, shorten, stack
from spcabench.report.figures.views import join
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results
from spcabench.suite.columns import Column

MOST_POINTS = 12
MOST_MARKS = 6
"""Up to so many numbers of components each has a tick."""

NOTE = "Loadings are as returned."


def draw(results: Results) -> Any:
    """Draw the errors of each data set, and beside them how they differ; None if there is no series of errors.

    The curves of good methods all but coincide: the second panel shows the difference from the first method of
    the suite, seed by seed, which the common course of the curves hides.
    """
    rows = [row for dataset in results.datasets if (row := _row(results, dataset))]
    return stack(rows, "Reconstruction error by number of components (lower is better)", NOTE)


def _row(results: Results, dataset: str) -> Any:
    every = one_level(results, dataset)
    groups = [group for group in every if group.n_finished]
    numbers = {float(column.index): column for column in _some(results.series("err")) if isinstance(column.index, int)}
    errors = _points(groups, numbers, Group.spread)
    if len({point.x for point in errors}) < 2:
        return None
    reference = groups[0]
    differences = _points(groups, numbers, lambda group, column: _percent(group, reference, column))
    n, all_looks = "number of components", looks(results)
    bounds = results.column("err").range
    marks = tuple(numbers) if len(numbers) <= MOST_MARKS else ()
    panels = [panel(errors, all_looks, Axes(n, "reconstruction error", whole=True, within=bounds, marks=marks))]
    if len(groups) > 1 and differences:
        compared = Axes(n, f"difference from {shorten(reference.method)} (%)", whole=True, marks=marks)
        panels.append(panel(differences, all_looks, compared))
    head = heading(label_of(every), dataset in results.stand_ins, every)
    return join("hconcat", panels, spacing=24, title=head)


def _some(series: list[Column]) -> list[Column]:
    """Take as many values of a series as a curve has room for, evenly, the first and the last among them."""
    steps = min(len(series), MOST_POINTS)
    return [series[round(step * (len(series) - 1) / max(1, steps - 1))] for step in range(steps)]


def _points(
    groups: list[Group], numbers: dict[float, Column], measure: Callable[[Group, Column], Spread]
) -> list[Point]:
    spreads = [(group.method, x, measure(group, column)) for group in groups for x, column in numbers.items()]
    return [Point(method, x, spread.mean, spread.sd) for method, x, spread in spreads if spread.n]


def _percent(group: Group, reference: Group, column: Column) -> Spread:
    """Compare with the reference on the same seed, hence on the same data."""
    base = reference.measured.set_index("seed")[column.name]
    return Spread.of(
        100 * (value / base[seed] - 1)
        for seed, value in zip(group.measured["seed"], group.measured[column.name], strict=True)
        if seed in base.index and base[seed]
    )
