"""The metrics of the main table: one dot for each method with its interval, best first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from spcabench.report.eligibility import in_front, remark
from spcabench.report.figures import means
from spcabench.report.figures.curves import Extent
from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import LOUD, by_method, looks, stack
from spcabench.report.figures.views import Rows, View, field, join, layer, number, value
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.suite.columns import Column

MOST_METRICS = 4
PLACES = 3
WIDTH = 185
FAINT = 0.35
NOTE = (
    "The best of the first metric is on top. Faint: dense, or the target is missed or reached only in total; these are "
    "below, and stand at the end of an axis that would have to be longer for them. Red: no fit finished."
)
HOLLOW = " Hollow: refitted, with the best loadings on the same supports."
GOOD = {"higher": "higher is better →", "lower": "← lower is better"}

Bar = dict[str, Any]
"""The mean of a method, with its interval."""


def draw(results: Results) -> View | None:
    """Draw one row of panels for each data set, one panel for each metric; None without metrics to compare."""
    columns = results.drawn[:MOST_METRICS]
    has_hollow = any(replace(column, refitted=True) in results.columns for column in columns)
    rows = (_row(results, one_level(results, dataset), columns) for dataset in results.datasets)
    return stack(rows, "Metrics by method", f"{NOTE} {means.NOTE}{HOLLOW if has_hollow else ''}")


def _row(results: Results, groups: list[Group], columns: Sequence[Column]) -> View | None:
    known = [column for column in columns if sum(not math.isnan(group.spread(column).mean) for group in groups) > 1]
    if not known:
        return None
    ordered = sorted(groups, key=lambda group: _place(group, known[0]))
    panels = [_panel(results, ordered, column, column == known[0]) for column in known]
    return join("hconcat", panels, spacing=18, title=heading(groups))


def _place(group: Group, column: Column) -> tuple[bool, bool, float]:
    """Order the methods: first those that may be compared, then others, then what has no number; the best on top."""
    mean = group.spread(column).mean
    if math.isnan(mean):
        return True, True, 0.0
    return False, not in_front(group), -mean if column.better == "higher" else mean


def _bars(groups: Sequence[Group], column: Column) -> list[Bar]:
    """Return what a chart needs of each mean; its interval ends where values can no longer be."""
    about, (least, most) = {group.method: group for group in groups}, column.range
    return [
        {
            "method": mean.method,
            "mean": mean.y,
            "sd": mean.sd,
            "low": min(mean.y, max(mean.low, least)),
            "high": max(mean.y, min(mean.high, most)),
            "sparsity": remark(about[mean.method]),
            "front": (front := in_front(about[mean.method])),
            "opacity": 1.0 if front else FAINT,
        }
        for mean in means.means([(0.0, group) for group in groups], column)
    ]


def _panel(results: Results, groups: Sequence[Group], column: Column, first: bool) -> View:
    other = replace(column, refitted=True)
    returned, refitted = _bars(groups, column), _bars(groups, other) if other in results.columns else []
    every = [*returned, *refitted]
    leading = [bar for bar in every if bar["front"]] or every  # those in front set the axis if there are any
    across = Extent.of([bar[end] for bar in leading for end in ("low", "mean", "high")], within=column.range)
    methods = [group.method for group in groups]
    names = {"labels": first, "ticks": False, "domain": False, "grid": True, "labelPadding": 8}
    y = field("method:N", title=None, scale={"domain": methods}, sort=methods, axis=names)
    axis = {"tickCount": 4, "labelFlush": False, "labelOverlap": "parity", "labelSeparation": 6}
    low, x = (field(f"{end}:Q", title=GOOD[column.better], scale=across.scale, axis=axis) for end in ("low", "mean"))
    colour, shape = (by_method(looks(results), aspect) for aspect in ("colour", "shape"))
    dot = {"x": x, "y": y, "color": colour, "shape": shape}
    about = ["method:N", "sparsity:N", *map(number, ("mean", "low", "high", "sd"))]
    faint = field("opacity:Q", scale=None, legend=None)
    tooltip = ["method:N", field("mean:Q", title=other.name)]
    bars, rings = Rows(_inside(returned, across)), Rows(_inside(refitted, across))
    hollow = rings.mark("point", {**dot, "tooltip": tooltip}, size=70, filled=False, strokeWidth=1.3)
    return layer(
        bars.mark("rule", {"x": low, "x2": "high", "y": y, "color": colour}, strokeWidth=2),
        bars.mark("point", {**dot, "opacity": faint, "tooltip": about}, size=70, filled=True),
        *([hollow] if rings.rows else []),
        *_beyond(returned, across, y),
        *_failed(groups, y),
        width=WIDTH,
        height={"step": 22},
        title={"text": f"{column.name}, s" if column.unit == "s" else column.name, "frame": "group"},
    )


def _inside(bars: Sequence[Bar], across: Extent) -> list[Bar]:
    """Return those whose mean is on the axis, their intervals cut at its ends."""
    low, high = across.low, across.high
    inside = [bar for bar in bars if low <= bar["mean"] <= high]
    return [{**bar, "low": max(low, bar["low"]), "high": min(high, bar["high"])} for bar in inside]


def _beyond(bars: Sequence[Bar], across: Extent, y: Any) -> list[View]:
    """Write the numbers that are off the axis at its ends."""

    def words(bar: Bar, form: str) -> Bar:
        mean = bar["mean"]
        return {**bar, "words": form.format(f"{mean:,.{PLACES if abs(mean) < 100 else 0}f}")}

    low = [words(bar, "‹ {}") for bar in bars if bar["mean"] < across.low]
    high = [words(bar, "{} ›") for bar in bars if bar["mean"] > across.high]
    at = {"y": y, "text": "words:N", "tooltip": ["method:N", number("mean")]}
    return [
        Rows(there).mark("text", {**at, "x": value(x)}, align=align, fontSize=10, color="#777777")
        for there, align, x in ((low, "left", 0), (high, "right", WIDTH))
        if there
    ]


def _failed(groups: Sequence[Group], y: Any) -> list[View]:
    """Write what became of the methods of which no fit finished."""
    failures = [{"method": group.method, "status": group.status} for group in groups if not group.n_finished]
    text = {"align": "left", "dx": 4, "fontSize": 11, "color": LOUD}
    return [Rows(failures).mark("text", {"x": value(0), "y": y, "text": "status:N"}, **text)] if failures else []
