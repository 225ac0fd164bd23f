"""How the nonzeros are shared out among the components."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np

from spcabench.report.figures.selection import label_of, one_level
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import by_method, data, looks, stack
from spcabench.report.figures.views import layer
from spcabench.report.groups import Group
from spcabench.report.model import Results

WIDTH = 460


def draw(results: Results) -> Any:
    """Draw one row for each sparse method, one tick for each component of each seed; None if there is none."""
    panels = [drawn for dataset, known in results.draws() if (drawn := _panel(results, dataset, known))]
    legend = "A tick is a component, the dot their mean: ticks close together share the nonzeros evenly."
    return stack(panels, "Nonzeros of each component", legend)


def _panel(results: Results, dataset: str, known: Mapping[str, Any]) -> Any:
    groups = one_level(results, dataset)
    counts = {group.method: found for group in groups if (found := _nonzeros(results, group))}
    sparse = {method: found for method, found in counts.items() if min(found) < known.get("n_features", math.inf)}
    if not sparse:
        return None
    methods = list(sparse)
    y = alt.Y(
        "method:N",
        title=None,
        sort=methods,
        scale=alt.Scale(domain=methods),
        axis=alt.Axis(ticks=False, domain=False, grid=False, labelPadding=8),
    )
    colour = by_method(alt.Color, looks(results), "colour")
    x = alt.X(
        "nonzeros:Q",
        title="nonzeros of a component",
        scale=alt.Scale(zero=True, padding=6),
        axis=alt.Axis(tickCount=6, tickMinStep=1, format="d"),
    )
    tooltip = ["method:N", "nonzeros:Q", alt.Tooltip("count:Q", title="components")]
    counted = (
        {"method": method, "nonzeros": nonzeros, "count": count}
        for method, found in sparse.items()
        for nonzeros, count in Counter(found).items()
    )
    means = ({"method": method, "nonzeros": float(np.mean(found))} for method, found in sparse.items())
    ticks = alt.Chart(data(counted)).mark_tick(thickness=1.6, height=15, opacity=0.55)
    dots = alt.Chart(data(means)).mark_point(size=62, filled=True, opacity=1, stroke="white", strokeWidth=1)
    layers = [
        *_target(groups),
        ticks.encode(x=x, y=y, color=colour, tooltip=tooltip),
        dots.encode(
            x=x, y=y, color=colour, tooltip=["method:N", alt.Tooltip("nonzeros:Q", title="mean", format=".6~g")]
        ),
    ]
    return layer(
        *layers,
        width=WIDTH,
        height=alt.Step(24),
        title=heading(label_of(groups), dataset in results.stand_ins, groups),
    )


def _nonzeros(results: Results, group: Group) -> list[int]:
    """Return the nonzeros of every component of every seed that finished."""
    records = (results.folder.record(str(key)) for key in group.finished["key"])
    return [count for record in records if record for count in record.fit.nnz]


def _target(groups: list[Group]) -> list[Any]:
    """Draw a line at the number that was asked for, if it is one for all components."""
    targets = {float(group.level.target) for group in groups if isinstance(group.level.target, int)}
    base = alt.Chart(data({"nonzeros": target} for target in sorted(targets)))
    return [base.mark_rule(color="#777777", strokeDash=[5, 3]).encode(x="nonzeros:Q")] if targets else []
