"""One row for each method: the metrics of the main table with their intervals, and how nonzeros are shared out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from spcabench.report.figures.curves import BARS, Extent, means
from spcabench.report.figures.style import by_method, heading, looks, one_level, stack
from spcabench.report.figures.views import Rows, Spec, View, field, join, layer, number
from spcabench.report.groups import Group, in_front, remark
from spcabench.report.model import Results
from spcabench.suite.columns import Column

MOST_METRICS = 4
WIDTH = 185
FAINT = 0.35
GOOD = {"higher": "higher is better →", "lower": "← lower is better"}

OF_METRICS = (
    "The best of the first metric is on top. Faint: dense, or the target is missed or reached only in total; these are "
    "below, and a number at the end of an axis stands for a point beyond it. " + BARS
)
OF_NONZEROS = "A tick is a component, the dot their mean: ticks close together share the nonzeros evenly."


def metric_bars(results: Results) -> View | None:
    """Draw one row of panels for each data set, one panel for each metric; None without metrics to compare."""
    columns = results.drawn[:MOST_METRICS]
    rows = (_metrics(results, one_level(results, dataset), columns) for dataset in results.datasets)
    return stack(rows, "Metrics by method", OF_METRICS)


def _metrics(results: Results, groups: list[Group], columns: Sequence[Column]) -> View | None:
    known = [column for column in columns if sum(bool(group.known(column)) for group in groups) > 1]
    if not known:
        return None
    first, sign = known[0], -1 if known[0].better == "higher" else 1
    places = {group: (not in_front(group), sign * group.spread(first).mean) for group in groups if group.known(first)}
    ordered = [*sorted(places, key=lambda group: places[group]), *(group for group in groups if group not in places)]
    panels = [_metric(results, ordered, column, column == first) for column in known]
    return join("hconcat", panels, spacing=18, title=heading(groups))


def _metric(results: Results, groups: Sequence[Group], column: Column, first: bool) -> View:
    about = {group.method: {"sparsity": remark(group), "front": in_front(group)} for group in groups}
    ends = ((point, *point.within(*column.range)) for point in means([(0.0, group) for group in groups], column))
    every: list[dict[str, Any]] = [
        {"method": point.method, "mean": point.y, "sd": point.sd, "low": low, "high": high, **about[point.method]}
        for point, low, high in ends
    ]
    leading = [bar for bar in every if bar["front"]] or every  # those in front set the axis if there are any
    across = Extent.of([bar[end] for bar in leading for end in ("low", "mean", "high")], within=column.range)
    y = _methods([group.method for group in groups], labels=first, grid=True)
    axis = {"tickCount": 4, "labelFlush": False, "labelOverlap": "parity", "labelSeparation": 6}
    scale = {**across.scale, "clamp": True}
    low, x = (field(f"{end}:Q", title=GOOD[column.better], scale=scale, axis=axis) for end in ("low", "mean"))
    inside = f"inrange(datum.mean, [{across.low}, {across.high}])"
    written = {"x": x, "y": y, "text": number("mean", form=".3~f")}
    side = {"align": {"expr": f"datum.mean > {across.high} ? 'right' : 'left'"}, "fontSize": 10, "color": "#777777"}
    colour, shape = (by_method(looks(results), aspect) for aspect in ("colour", "shape"))
    dot = {"x": x, "y": y, "color": colour, "shape": shape}
    tooltip = ["method:N", "sparsity:N", *map(number, ("mean", "low", "high", "sd"))]
    faint = {"condition": {"test": "datum.front", "value": 1.0}, "value": FAINT}
    bars = Rows(every)
    return layer(
        bars.mark("rule", {"x": low, "x2": "high", "y": y, "color": colour}, strokeWidth=2).where(inside),
        bars.mark("point", {**dot, "opacity": faint, "tooltip": tooltip}, size=70, filled=True).where(inside),
        bars.mark("text", {**written, "tooltip": tooltip}, **side).where(f"!{inside}"),
        width=WIDTH,
        height={"step": 22},
        title={"text": f"{column.name}, s" if column.unit == "s" else column.name, "frame": "group"},
    )


def _methods(methods: Sequence[str], **axis: bool) -> Spec:
    """Encode the methods as rows, in this order."""
    plain = {"ticks": False, "domain": False, "labelPadding": 8, **axis}
    return field("method:N", title=None, scale={"domain": methods}, sort=methods, axis=plain)


def sparsity_balance(results: Results) -> View | None:
    """Draw one row for each sparse method, one tick for each component of each seed; None if there is none."""
    known = ((dataset, draw.n_features if draw else math.inf) for dataset, draw in results.draws())
    panels = (_balance(results, dataset, n_features) for dataset, n_features in known)
    return stack(panels, "Nonzeros of each component", OF_NONZEROS)


def _balance(results: Results, dataset: str, n_features: float) -> View | None:
    groups = one_level(results, dataset)
    counts = {group.method: [count for cell in group.finished for count in cell["nnz"]] for group in groups}
    sparse = {method: found for method, found in counts.items() if found and min(found) < n_features}
    if not sparse:
        return None
    whole = {"tickCount": 6, "tickMinStep": 1, "format": "d"}
    at = {
        "x": field("nonzeros:Q", title="nonzeros of a component", scale={"zero": True, "padding": 6}, axis=whole),
        "y": _methods(list(sparse), grid=False),
        "color": by_method(looks(results), "colour"),
    }
    ticks = Rows(
        {"method": method, "nonzeros": nonzeros, "count": count}
        for method, found in sparse.items()
        for nonzeros, count in Counter(found).items()
    )
    middles = Rows({"method": method, "nonzeros": float(np.mean(found))} for method, found in sparse.items())
    counted = {"tooltip": ["method:N", "nonzeros:Q", field("count:Q", title="components")]}
    mean = {"tooltip": ["method:N", number("nonzeros", "mean", ".6~g")]}
    dot = {"size": 62, "filled": True, "opacity": 1, "stroke": "white", "strokeWidth": 1}
    targets = sorted({float(group.level.target) for group in groups if isinstance(group.level.target, int)})
    asked = Rows({"nonzeros": target} for target in targets)
    rule = asked.mark("rule", {"x": "nonzeros:Q"}, color="#777777", strokeDash=[5, 3])
    return layer(
        *([rule] if targets else []),
        ticks.mark("tick", at | counted, thickness=1.6, height=15, opacity=0.55),
        middles.mark("point", at | mean, **dot),
        width=460,
        height={"step": 24},
        title=heading(groups),
    )
