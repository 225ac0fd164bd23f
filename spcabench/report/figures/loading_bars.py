"""The loadings of the first components, variable by variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt

from spcabench.report.figures.selection import Fits, feature_names, first_fits, image_shape, largest, n_features
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import data, stack
from spcabench.report.figures.views import single
from spcabench.report.model import Results

COMPONENTS, MOST_FEATURES = 6, 40
TICKS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
ROOM = 0.9
"""A tick further out than this share of the axis would be cut."""

COLOURS = ("#2166ac", "#b2182b")


def draw(results: Results) -> Any:
    """Draw methods as rows, components as columns, a bar for each variable; None with images or many variables."""
    panels = [
        _panel(fits) for fits in first_fits(results) if not image_shape(fits.draw) and n_features(fits) <= MOST_FEATURES
    ]
    legend = "Red is positive, blue negative; the variables keep their order."
    return stack(panels, "Loadings of the first seed", legend)


def _panel(fits: Fits) -> Any:
    limit = max(largest(arrays["components"]) for arrays in fits.arrays.values())
    tick = next((tick for tick in TICKS if tick <= ROOM * limit), TICKS[-1])
    d = n_features(fits)
    names = feature_names(fits)
    x = alt.X("variable:O", title=None, axis=alt.Axis(labelExpr=_names_expression(names), labelAngle=-90))
    y = alt.Y(
        "loading:Q",
        title=None,
        scale=alt.Scale(domain=[-limit, limit], nice=False),
        axis=alt.Axis(values=[-tick, 0, tick], format="~g", labelOverlap=False, grid=False),
    )
    colour = alt.condition("datum.loading < 0", alt.value(COLOURS[0]), alt.value(COLOURS[1]))
    tooltip = ["method:N", "component:O", "name:N", alt.Tooltip("loading:Q", format=".10~g")]
    bars = alt.Chart().mark_bar().encode(x=x, y=y, color=colour, tooltip=tooltip)
    zero = alt.Chart().mark_rule(color="#888888", strokeWidth=0.7).encode(y=alt.datum(0))
    return single(
        alt.layer(bars, zero, data=data(_rows(fits, names)))
        .properties(width=max(90, 11 * d), height=54)
        .facet(
            row=alt.Row(
                "method:N",
                sort=list(fits.arrays),
                title=None,
                header=alt.Header(labelAngle=0, labelAlign="left"),
            ),
            column=alt.Column("component:O", title=None, header=alt.Header(labelExpr="'component ' + datum.value")),
            spacing=8,
        )
        .properties(title=heading(fits.label, fits.stand_in, fits.groups))
    )


def _rows(fits: Fits, names: list[str]) -> Iterator[dict[str, Any]]:
    for method, arrays in fits.arrays.items():
        for component, values in enumerate(arrays["components"][:COMPONENTS], start=1):
            for variable, value in enumerate(values):
                yield {
                    "method": method,
                    "component": component,
                    "variable": variable,
                    "name": names[variable],
                    "loading": float(value),
                }


def _names_expression(names: list[str]) -> str:
    """Name the variables by their place: names need not be unique."""
    import json

    return f"{json.dumps(names)}[datum.value]"
