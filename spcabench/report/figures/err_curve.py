"""Reconstruction error against the number of components."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import looks, shorten, stack
from spcabench.report.figures.views import View, join
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results
from spcabench.suite.columns import Column

MOST_POINTS = 12
MOST_MARKS = 6
"""Up to so many numbers of components each has a tick."""


def draw(results: Results) -> View | None:
    """Draw the errors of each data set, and beside them how they differ; None if there is no series of errors.

    The curves of good methods all but coincide: the second panel shows the difference from the first method of
    the suite, seed by seed, which the common course of the curves hides.
    """
    rows = (_row(results, dataset) for dataset in results.datasets)
    title = "Reconstruction error by number of components (lower is better)"
    return stack(rows, title, "Loadings are as returned.")


def _row(results: Results, dataset: str) -> View | None:
    every = one_level(results, dataset)
    groups = [group for group in every if group.n_finished]
    numbers = {float(column.index): column for column in _some(results.series("err")) if isinstance(column.index, int)}
    errors = _points(groups, numbers, Group.spread)
    if len({point.x for point in errors}) < 2:
        return None
    marks = tuple(numbers) if len(numbers) <= MOST_MARKS else ()
    n, within = "number of components", results.column("err").range
    axes = Axes(n, "reconstruction error", whole=True, within=within, marks=marks)
    panels = [panel(errors, looks(results), axes)]
    differences = _points(groups, numbers, lambda group, column: _percent(group, groups[0], column))
    if len(groups) > 1 and differences:
        apart = Axes(n, f"difference from {shorten(groups[0].method)} (%)", whole=True, marks=marks)
        panels.append(panel(differences, looks(results), apart))
    return join("hconcat", panels, spacing=24, title=heading(every))


def _some(series: list[Column]) -> list[Column]:
    """Take as many values of a series as a curve has room for, evenly, the first and the last among them."""
    steps = min(len(series), MOST_POINTS)
    return [series[round(step * (len(series) - 1) / max(1, steps - 1))] for step in range(steps)]


def _points(
    groups: list[Group], numbers: Mapping[float, Column], measure: Callable[[Group, Column], Spread]
) -> list[Point]:
    spreads = [(group.method, x, measure(group, column)) for group in groups for x, column in numbers.items()]
    return [Point(method, x, spread.mean, spread.sd) for method, x, spread in spreads if spread.n]


def _percent(group: Group, reference: Group, column: Column) -> Spread:
    """Compare with the reference on the same seed, hence on the same data."""
    base = reference.known(column)
    return Spread.of(100 * (value / base[seed] - 1) for seed, value in group.known(column).items() if base.get(seed))
