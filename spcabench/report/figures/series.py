"""Curves of a metric: of explained variance against sparsity, of a series by components, of an objective in time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from spcabench.report.figures.curves import Axes, Point, panel
from spcabench.report.figures.style import heading, looks, one_level, shorten, stack
from spcabench.report.figures.views import Rows, View, join
from spcabench.report.groups import Group, in_front, track_of
from spcabench.report.model import Results
from spcabench.store.about import DrawRecord
from spcabench.suite.columns import Column

CPEV, NOR, NONZEROS = Column("cpev"), Column("nor"), Column("fitted_nonzeros")

Placed = tuple[float, Group, Column]
"""Where the value of a column stands."""

EXPLAINED = "explained variance, CPEV (higher is better)"
FIRST = "variance of the first component (higher is better)"

WIDE = 8.0
"""Where the densest has so many times the nonzeros of the sparsest, their axis is logarithmic."""

OF_PARETO = (
    "The grey steps are the front: nothing sparser explains more. Dense methods and those that missed their target "
    "or reach it only in total are not part of it. Loadings are as returned."
)

OF_SERIES = (
    "Bars are 95 % intervals of means over the seeds. At the right: how each method differs from the first, seed by "
    "seed. Loadings are as returned."
)

OF_TARGETS = (
    f"{OF_SERIES} Methods that missed a target have no point there; those that reach it only in total are named so, "
    "and not compared."
)


def pareto(results: Results) -> View | None:
    """Draw a panel for each data set and number of components, a curve for each method; None without cpev."""
    panels = []
    for dataset, known in results.draws():
        groups = results.of_dataset(dataset)
        sizes = list(dict.fromkeys(group.n_components for group in groups))
        for n in sizes:
            name = f"{dataset}, {n} component{'s' * (n > 1)}" if len(sizes) > 1 else dataset
            some = [group for group in groups if group.n_components == n]
            panels.append(_front(results, some, name, known.n_features if known else math.nan))
    return stack(panels, "Explained variance against sparsity", OF_PARETO)


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
    known = (group.spread(NONZEROS).mean, group.level.mean, n_features)
    return next((number for number in known if not math.isnan(number)), math.nan)


def nor_cpev(results: Results) -> View | None:
    """Draw one panel for each data set, one point for each method; None without nor and cpev."""
    axes = Axes(EXPLAINED, "nonorthogonality, NOR (lower is better)", within=results.column(NOR.name).range)
    panels = []
    for groups in (one_level(results, dataset) for dataset in results.datasets):
        points = [point for group in groups if (point := _against(group, group.spread(CPEV).mean, NOR))]
        if len(points) > 1:
            panels.append(panel(points, looks(results), axes, title=heading(groups)))
    return stack(panels, "What orthogonality costs", "The best corner is at the lower right. Loadings are as returned.")


def cpev_curve(results: Results) -> View | None:
    """Draw one row for each data set with several target cardinalities; None if there is none."""
    first = {Column("component_variance", index=1): FIRST} if results.suite.n_components > 1 else {}
    rows = []
    for dataset, known in results.draws():
        groups = results.of_dataset(dataset)
        shown = {**first, CPEV: EXPLAINED}.items()
        panels = [one for column, says in shown for one in _at_targets(results, groups, known, column, says)]
        rows.append(join("concat", panels, columns=2, spacing=24, title=heading(groups, dataset)) if panels else None)
    return stack(rows, "Explained variance at each target cardinality", OF_TARGETS)


def _at_targets(
    results: Results, groups: Sequence[Group], known: DrawRecord | None, column: Column, says: str
) -> list[View]:
    """Draw the curves of a column against the targets."""
    placed = [(group.level.mean, group, column) for group in groups if group.level and not group.n_missed]
    totals = {group.method for group in groups if (track := track_of(group)) and track.kind == "total"}
    axes = Axes(
        "target number of nonzeros of a component",
        says,
        whole=True,
        marks=True,
        within=results.column(column.name).range,
        bounds=_bound(groups, known, column),
    )
    return _beside(results, placed, axes, "%", {method: f"{method} (in total)" for method in totals})


def _beside(
    results: Results, placed: Sequence[Placed], axes: Axes, unit: str, names: Mapping[str, str] | None = None
) -> list[View]:
    """Draw curves, and how each differs from the first, seed by seed: their common course hides that.

    There is no panel if they have one place alone, and no second one for a single curve.  Those in `names` are named
    so, as they differ from the others in kind, and no difference is drawn.
    """
    known = [(place, group.method, values) for place, group, column in placed if (values := group.known(column))]
    points = [Point.mean(method, place, list(values.values())) for place, method, values in known]
    if len({point.x for point in points}) < 2:
        return []
    alike = [one for one in known if one[1] not in (names or {})]
    first = alike[0][1] if alike else ""
    bases = {place: values for place, method, values in alike if method == first}
    apart = []
    for place, method, values in alike:
        base = bases.get(place, {})
        shared = [(value, base[seed]) for seed, value in values.items() if base.get(seed)]
        if off := [100 * (value / other - 1 if unit == "%" else value - other) for value, other in shared]:
            apart.append(Point.mean(method, place, off))
    panels = [panel(points, looks(results), axes, names)]
    if len({point.method for point in apart}) > 1:
        beside = Axes(axes.x, f"difference from {shorten(first)} ({unit})", whole=True, marks=True)
        panels.append(panel(apart, looks(results), beside))
    return panels


def _bound(groups: Sequence[Group], known: DrawRecord | None, column: Column) -> dict[str, float]:
    """Return the best that dense loadings explain, and who they are of."""
    n_features = known.n_features if known else math.nan
    dense = [group for group in groups if not group.level and group.spread(NONZEROS).mean == n_features]
    best = max(dense, key=lambda group: group.spread(column).mean, default=None)
    return {f"dense: {best.method}": best.spread(column).mean} if best else {}


FLOOR = 1e-9
"""Distances to a limit below it, down to none, are drawn here."""

OF_CONVERGENCE = (
    "Each point is a fit of the first seed with capped iterations. The limit is the method's own, at a thousandth of "
    f"its tolerance; distances below {FLOOR:g} stand at {FLOOR:g}."
)


def err_curve(results: Results) -> View | None:
    """Draw the errors on each data set, and how many % each method is off the first; None without a series of them."""
    rows = (_by_components(results, name, "err", "reconstruction error", "%") for name in results.datasets)
    return stack(rows, "Reconstruction error by number of components (lower is better)", OF_SERIES)


def accuracy_curve(results: Results) -> View | None:
    """Draw the accuracies on each data set, and how each differs from the first; None without a series of them."""
    says = "accuracy (higher is better)", "percentage points"
    rows = (_by_components(results, name, "accuracy", *says) for name in results.datasets)
    return stack(rows, "Accuracy of the nearest neighbour by number of components", OF_SERIES)


def _by_components(results: Results, dataset: str, stem: str, title: str, unit: str) -> View | None:
    """Draw the curves of a series against the number of components, beside what all features reach."""
    groups = one_level(results, dataset)
    numbers = [(column.index, column) for column in results.series[stem] if isinstance(column.index, int)]
    raw = [spread.mean for group in groups if (spread := group.spread(Column(f"{stem}_raw"))).n]
    axes = Axes(
        "number of components",
        title,
        whole=True,
        marks=True,
        within=results.column(stem).range,
        bounds={"all features": raw[0]} if raw else {},
    )
    panels = _beside(results, [(number, group, column) for group in groups for number, column in numbers], axes, unit)
    return join("hconcat", panels, spacing=24, title=heading(groups)) if panels else None


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
    trace = next((cell["trace"] for cell in group.finished), None)
    if trace is not None and not trace.reason and len(trace.objective) > 1:
        for seconds, distance in zip(trace.seconds.tolist(), trace.distances.tolist(), strict=True):
            yield Point(group.method, seconds, max(distance, FLOOR))
