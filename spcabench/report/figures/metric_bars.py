"""The metrics of the main table: one dot for each method, with its spread."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import altair as alt

from spcabench.report.figures.curves import Extent
from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import LOUD, by_method, data, looks, stack
from spcabench.report.figures.views import join, layer
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.tracks import in_front, remark
from spcabench.suite.columns import Column

MOST_METRICS = 4
FAINT = 0.35
NOTE = "Faint: dense, or the target is missed or reached only in total. Red: no fit finished."
HOLLOW = " Hollow: refitted, with the best loadings on the same supports."
GOOD = {"higher": "higher is better →", "lower": "← lower is better"}


def draw(results: Results) -> Any:
    """Draw one row of panels for each data set, one panel for each metric; None without metrics to compare."""
    columns = results.drawn[:MOST_METRICS]
    rows = []
    for dataset in results.datasets:
        groups = one_level(results, dataset)
        shown = [column for column in columns if sum(_defined(group, column) for group in groups) > 1]
        if shown:
            panels = [_panel(results, groups, column, column == shown[0]) for column in shown]
            head = heading(label_of(groups), dataset in results.stand_ins, groups)
            rows.append(join("hconcat", panels, spacing=18, title=head))
    has_hollow = any(replace(column, refitted=True) in results.columns for column in columns)
    return stack(rows, "Metrics by method", NOTE + HOLLOW if has_hollow else NOTE)


def _defined(group: Group, column: Column) -> bool:
    return not math.isnan(group.spread(column).mean)


def _panel(results: Results, groups: list[Group], column: Column, first: bool) -> Any:
    methods = [group.method for group in groups]
    entries = [_row(group, column) for group in groups if _defined(group, column)]
    other = replace(column, refitted=True)
    refitted = [_row(group, other) for group in groups if other in results.columns and _defined(group, other)]
    ends = [entry[end] for entry in entries for end in ("low", "high")]
    across = Extent.of([*ends, *(entry["mean"] for entry in refitted)], within=column.range)
    failures = [{"method": group.method, "status": group.status} for group in groups if not group.n_finished]
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
    x_low, x = (alt.X(f"{end}:Q", title=direction, scale=across.scale, axis=axis) for end in ("low", "mean"))
    base = alt.Chart(data(entries))
    spread = base.mark_rule(strokeWidth=2).encode(x=x_low, x2="high:Q", y=y, color=colour)
    failed = alt.Chart(data(failures)).mark_text(align="left", dx=4, fontSize=11, color=LOUD)
    words = [failed.encode(x=alt.value(0), y=y, text="status:N")] if failures else []
    marks = {"x": x, "y": y, "color": colour, "shape": by_method(alt.Shape, all_looks, "shape")}
    dots = base.mark_point(size=70, filled=True).encode(
        **marks,
        opacity=alt.Opacity("opacity:Q", scale=None, legend=None),
        tooltip=["method:N", "sparsity:N", *(alt.Tooltip(f"{name}:Q", format=".10~g") for name in ("mean", "sd"))],
    )
    hollow = alt.Chart(data(refitted)).mark_point(size=70, filled=False, strokeWidth=1.3)
    rings = [hollow.encode(**marks, tooltip=["method:N", alt.Tooltip("mean:Q", title=other.name)])] if refitted else []
    return layer(
        spread,
        dots,
        *rings,
        *words,
        width=185,
        height=alt.Step(22),
        title=alt.TitleParams(column.name, frame="group"),
    )


def _row(group: Group, column: Column) -> dict[str, Any]:
    spread = group.spread(column)
    size = 0.0 if math.isnan(spread.sd) else spread.sd
    least, most = column.range
    return {
        "method": group.method,
        "sparsity": remark(group),
        "opacity": 1.0 if in_front(group) else FAINT,
        "mean": spread.mean,
        "sd": spread.sd,
        "low": min(spread.mean, max(spread.mean - size, least)),
        "high": max(spread.mean, min(spread.mean + size, most)),
    }
