"""Curves of a metric against the number of components, and of an objective against time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from spcabench.report.figures.curves import Axes, panel
from spcabench.report.figures.points import Point
from spcabench.report.figures.style import heading, looks, one_level, shorten, stack
from spcabench.report.figures.views import View, join
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.published import pairs
from spcabench.suite.columns import Column

MOST_POINTS = 12
"""Points of a curve; a longer series is thinned evenly."""

MOST_MARKS = 6
"""Up to so many numbers of components each has a tick."""

FLOOR = 1e-9
"""Distances to a limit below it, down to none, are drawn here."""

RAW = Column("accuracy_raw")

OF_ACCURACY = "Bars are the 95 % intervals of means over the seeds. A number of a paper is marked by a cross."

OF_CONVERGENCE = (
    "Each point is a fit of the first seed with capped iterations. The limit is the method's own, at a thousandth of "
    f"its tolerance; distances below {FLOOR:g} stand at {FLOOR:g}."
)


def err_curve(results: Results) -> View | None:
    """Draw the errors on each data set, and beside them how many % they are off; None if there is no series of them."""
    rows = (_row(results, name, "err", "reconstruction error", "%") for name in results.datasets)
    return stack(rows, "Reconstruction error by number of components (lower is better)", "Loadings are as returned.")


def accuracy_curve(results: Results) -> View | None:
    """Draw the accuracies on each data set, and beside them how they differ; None if there is no series of them."""
    says = "accuracy (higher is better)", "percentage points"
    rows = (_row(results, name, "accuracy", *says) for name in results.datasets)
    return stack(rows, "Accuracy of the nearest neighbour by number of components", OF_ACCURACY)


def _row(results: Results, dataset: str, stem: str, title: str, unit: str) -> View | None:
    """Draw the curves of a series, and how each differs from the first, seed by seed: their common course hides that.

    Errors have their standard deviations, and differ by shares; accuracies have intervals.
    """

    def point(group: Group, n: int, values: Iterable[float]) -> Point:
        mean = Point.mean(group.method, n, list(values))
        return replace(mean, interval=None) if stem == "err" else mean

    def off(value: float, base: float) -> float:
        return 100 * (value / base - 1 if unit == "%" else value - base)

    planned = one_level(results, dataset)
    groups = [group for group in planned if group.n_finished]
    numbers = {column.index: column for column in _some(results.series(stem)) if isinstance(column.index, int)}
    known = [(group, n, column, group.known(column)) for group in groups for n, column in numbers.items()]
    curves = [point(group, n, by_seed.values()) for group, n, _, by_seed in known if by_seed]
    if len({one.x for one in curves}) < 2:
        return None
    first = groups[0]
    raw = first.spread(RAW)
    axes = Axes(
        "number of components",
        title,
        whole=True,
        within=results.column(stem).range,
        marks=tuple(numbers) if len(numbers) <= MOST_MARKS else (),
        bounds={"all features": raw.mean} if raw.n and stem == RAW.metric.removesuffix("_raw") else {},
        cited=tuple(_cited(results, stem, {group.method for group in groups}, dataset)),
    )
    panels = [panel(curves, looks(results), axes)]
    apart = []
    for group, n, column, by_seed in known:
        base = first.known(column)
        if shared := [off(value, base[seed]) for seed, value in by_seed.items() if base.get(seed)]:
            apart.append(point(group, n, shared))
    if len(groups) > 1 and apart:
        beside = Axes(axes.x, f"difference from {shorten(first.method)} ({unit})", whole=True, marks=axes.marks)
        panels.append(panel(apart, looks(results), beside))
    return join("hconcat", panels, spacing=24, title=heading(planned))


def _some(series: list[Column]) -> list[Column]:
    """Take as many of a series as a curve has room for, evenly, the first and the last among them."""
    steps = min(len(series), MOST_POINTS)
    return [series[round(step * (len(series) - 1) / max(1, steps - 1))] for step in range(steps)]


def _cited(results: Results, stem: str, methods: set[str], dataset: str) -> Iterator[Point]:
    """Yield what a paper says of methods and numbers of components that are drawn."""
    for pair in (pair for block in results.suite.published for pair in pairs(results, block)):
        n = pair.column.index
        if pair.column.stem == stem and isinstance(n, int) and pair.dataset == dataset and pair.method in methods:
            yield Point(pair.method, n, pair.published)


def convergence(results: Results) -> View | None:
    """Draw a panel for each data set with traces, a curve for each method that reached its limit; None if none."""
    axes = Axes(
        "CPU time of a fit (s, lower is better)",
        "relative distance of the objective to its limit (lower is better)",
        log_x=True,
        log_y=True,
        bounds={"1e-3": 1e-3, "1e-6": 1e-6},
    )
    found = []
    for groups in (one_level(results, dataset) for dataset in results.datasets):
        if points := [point for group in groups for point in _trace(group)]:
            found.append(panel(points, looks(results), axes, title=heading(groups)))
    return stack(found, "Distance to the method's own limit", OF_CONVERGENCE)


def _trace(group: Group) -> Iterator[Point]:
    """Yield the trace of the first seed that finished, if it reaches the limit in more than one point."""
    trace = next(iter(group.finished("trace")), None)
    if trace is not None and not trace.reason and len(trace.objective) > 1:
        for seconds, distance in zip(trace.seconds.tolist(), trace.distances.tolist(), strict=True):
            yield Point(group.method, seconds, max(distance, FLOOR))
