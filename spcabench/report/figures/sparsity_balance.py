"""How the nonzeros are shared out among the components."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from spcabench.report.figures.selection import heading, one_level
from spcabench.report.figures.style import by_method, looks, stack
from spcabench.report.figures.views import Rows, View, field, layer, number
from spcabench.report.model import Results

NOTE = "A tick is a component, the dot their mean: ticks close together share the nonzeros evenly."


def draw(results: Results) -> View | None:
    """Draw one row for each sparse method, one tick for each component of each seed; None if there is none."""
    panels = (_panel(results, dataset, known.get("n_features", math.inf)) for dataset, known in results.draws())
    return stack(panels, "Nonzeros of each component", NOTE)


def _panel(results: Results, dataset: str, n_features: float) -> View | None:
    groups = one_level(results, dataset)
    counts = {group.method: [count for fit in group.fits for count in fit.nnz] for group in groups}
    sparse = {method: found for method, found in counts.items() if found and min(found) < n_features}
    if not sparse:
        return None
    methods = list(sparse)
    names = {"ticks": False, "domain": False, "grid": False, "labelPadding": 8}
    whole = {"tickCount": 6, "tickMinStep": 1, "format": "d"}
    at = {
        "x": field("nonzeros:Q", title="nonzeros of a component", scale={"zero": True, "padding": 6}, axis=whole),
        "y": field("method:N", title=None, sort=methods, scale={"domain": methods}, axis=names),
        "color": by_method(looks(results), "colour"),
    }
    ticks = Rows(
        {"method": method, "nonzeros": nonzeros, "count": count}
        for method, found in sparse.items()
        for nonzeros, count in Counter(found).items()
    )
    means = Rows({"method": method, "nonzeros": float(np.mean(found))} for method, found in sparse.items())
    counted = {"tooltip": ["method:N", "nonzeros:Q", field("count:Q", title="components")]}
    mean = {"tooltip": ["method:N", number("nonzeros", "mean", ".6~g")]}
    dot = {"size": 62, "filled": True, "opacity": 1, "stroke": "white", "strokeWidth": 1}
    targets = sorted({float(group.level.target) for group in groups if isinstance(group.level.target, int)})
    asked = Rows({"nonzeros": target} for target in targets)
    rule = asked.mark("rule", {"x": "nonzeros:Q"}, color="#777777", strokeDash=[5, 3])
    return layer(
        *([rule] if targets else []),
        ticks.mark("tick", at | counted, thickness=1.6, height=15, opacity=0.55),
        means.mark("point", at | mean, **dot),
        width=460,
        height={"step": 24},
        title=heading(groups),
    )
