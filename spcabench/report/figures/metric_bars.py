"""The metrics of the main table: one dot for each method with its interval, best first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from spcabench.report.figures import means
from spcabench.report.figures.axes import Extent
from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import LOUD, by_method, data, looks, stack
from spcabench.report.figures.views import View, join, layer
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.tracks import in_front, remark
from spcabench.suite.columns import Column

MOST_METRICS = 4
PLACES = 3
WIDTH = 185
FAINT = 0.35
BEYOND = "#777777"
NOTE = (
    "The best of the first metric is on top. Faint: dense, or the target is missed or reached only in total; these are "
    "below, and stand at the end of an axis that would have to be longer for them. Red: no fit finished."
)
HOLLOW = " Hollow: refitted, with the best loadings on the same supports."
ENDS = ("low", "mean", "high")
GOOD = {"higher": "higher is better →", "lower": "← lower is better"}


def draw(results: Results) -> Any:
    """Draw one row of panels for each data set, one panel for each metric; None without metrics to compare."""
    columns = results.drawn[:MOST_METRICS]
    rows = []
    for dataset in results.datasets:
        groups = one_level(results, dataset)
        shown = [column for column in columns if sum(_defined(group, column) for group in groups) > 1]
        if shown:
            ordered = sorted(groups, key=lambda group: _place(group, shown[0]))
            panels = [_panel(results, ordered, column, column == shown[0]) for column in shown]
            head = heading(label_of(groups), dataset in results.stand_ins, groups)
            rows.append(join("hconcat", panels, spacing=18, title=head))
    has_hollow = any(replace(column, refitted=True) in results.columns for column in columns)
    return stack(rows, "Metrics by method", f"{NOTE} {means.NOTE}{HOLLOW if has_hollow else ''}")


def _place(group: Group, column: Column) -> tuple[bool, bool, float]:
    """Order the methods: first those that may be compared, then others, then what has no number; the best on top."""
    mean = group.spread(column).mean
    if math.isnan(mean):
        return True, True, 0.0
    return False, not in_front(group), -mean if column.better == "higher" else mean


def _defined(group: Group, column: Column) -> bool:
    return not math.isnan(group.spread(column).mean)


@dataclass(frozen=True)
class _Bars:
    """The entries of a panel, and the stretch of its axis, which those in front set if there are any."""

    returned: Sequence[dict[str, Any]]
    refitted: Sequence[dict[str, Any]]
    across: Extent

    @classmethod
    def of(cls, results: Results, groups: Sequence[Group], column: Column) -> _Bars:
        other = replace(column, refitted=True)
        returned = _rows(groups, column)
        refitted = _rows(groups, other) if other in results.columns else []
        every = [*returned, *refitted]
        ends = [
            row[end] for row in ([row for row in every if row["front"]] or every) for end in ("low", "mean", "high")
        ]
        return cls(returned, refitted, Extent.of(ends, within=column.range))

    def within(self, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the entries whose mean is on the axis, their intervals cut at its ends."""
        low, high = self.across.low, self.across.high
        inside = [row for row in rows if low <= row["mean"] <= high]
        return [{**row, "low": max(low, row["low"]), "high": min(high, row["high"])} for row in inside]

    @property
    def beyond(self) -> list[dict[str, Any]]:
        """The entries whose mean is off the axis, as words at that end of it."""
        off = [row for row in self.returned if not self.across.low <= row["mean"] <= self.across.high]
        return [
            {
                **row,
                "is_low": row["mean"] < self.across.low,
                "words": f"{row['mean']:,.{PLACES if abs(row['mean']) < 100 else 0}f}",
            }
            for row in off
        ]


def _front(row: dict[str, Any]) -> bool:
    return bool(row["front"])


def _rows(groups: Sequence[Group], column: Column) -> list[dict[str, Any]]:
    about = {group.method: group for group in groups}
    found = means.means([(0.0, group) for group in groups if _defined(group, column)], column)
    return [
        {
            **means.row(mean, column),
            "sparsity": remark(about[mean.method]),
            "front": in_front(about[mean.method]),
            "opacity": 1.0 if in_front(about[mean.method]) else FAINT,
        }
        for mean in found
    ]


def _panel(results: Results, groups: Sequence[Group], column: Column, first: bool) -> View:
    methods = [group.method for group in groups]
    bars = _Bars.of(results, groups, column)
    all_looks, direction = looks(results), GOOD[column.better]
    colour = by_method(alt.Color, all_looks, "colour")
    y = alt.Y(
        "method:N",
        title=None,
        scale=alt.Scale(domain=methods),
        sort=methods,
        axis=alt.Axis(labels=first, ticks=False, domain=False, grid=True, labelPadding=8),
    )
    axis = alt.Axis(tickCount=4, labelFlush=False, labelOverlap="parity", labelSeparation=6)
    x_low, x = (alt.X(f"{end}:Q", title=direction, scale=bars.across.scale, axis=axis) for end in ("low", "mean"))
    base = alt.Chart(data(bars.within(bars.returned)))
    marks = {"x": x, "y": y, "color": colour, "shape": by_method(alt.Shape, all_looks, "shape")}
    interval = [alt.Tooltip(f"{name}:Q", format=".10~g") for name in ("mean", "low", "high", "sd")]
    dots = base.mark_point(size=70, filled=True).encode(
        **marks,
        opacity=alt.Opacity("opacity:Q", scale=None, legend=None),
        tooltip=["method:N", "sparsity:N", *interval],
    )
    rings = bars.within(bars.refitted)
    tooltip = ["method:N", alt.Tooltip("mean:Q", title=replace(column, refitted=True).name)]
    hollow = alt.Chart(data(rings)).mark_point(size=70, filled=False, strokeWidth=1.3).encode(**marks, tooltip=tooltip)
    return layer(
        base.mark_rule(strokeWidth=2).encode(x=x_low, x2="high:Q", y=y, color=colour),
        dots,
        *([hollow] if rings else []),
        *_beyond(bars.beyond, y),
        *_failed(groups, y),
        width=WIDTH,
        height=alt.Step(22),
        title=alt.TitleParams(f"{column.name}, s" if column.unit == "s" else column.name, frame="group"),
    )


def _beyond(rows: Sequence[dict[str, Any]], y: Any) -> list[Any]:
    """Write the numbers that are off the axis at its ends."""
    low = [{**row, "words": f"‹ {row['words']}"} for row in rows if row["is_low"]]
    high = [{**row, "words": f"{row['words']} ›"} for row in rows if not row["is_low"]]
    left = alt.Chart(data(low)).mark_text(align="left", fontSize=10, color=BEYOND).encode(x=alt.value(0))
    right = alt.Chart(data(high)).mark_text(align="right", fontSize=10, color=BEYOND).encode(x=alt.value(WIDTH))
    tooltip = ["method:N", alt.Tooltip("mean:Q", format=".10~g")]
    return [text.encode(y=y, text="words:N", tooltip=tooltip) for there, text in ((low, left), (high, right)) if there]


def _failed(groups: Sequence[Group], y: Any) -> list[Any]:
    """Write what became of the methods of which no fit finished."""
    failures = [{"method": group.method, "status": group.status} for group in groups if not group.n_finished]
    if not failures:
        return []
    text = alt.Chart(data(failures)).mark_text(align="left", dx=4, fontSize=11, color=LOUD)
    return [text.encode(x=alt.value(0), y=y, text="status:N")]
