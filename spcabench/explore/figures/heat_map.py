"""The loadings as a signed heat map."""

from __future__ import annotations

import altair as alt
import numpy as np

from spcabench.explore.answer import Answer
from spcabench.report.figures.style import INK, data, shorten, stack
from spcabench.report.figures.views import View, layer

MOST_VARIABLES = 60
DARK = 0.55
"""A loading beyond this share of the largest has white text."""


def draw(answer: Answer) -> View | None:
    """Draw the variables that any component has, in the order of the components."""
    W = answer.whole
    order = _order(W)
    largest = float(np.abs(W).max()) or 1.0
    rows = [
        {
            "variable": shorten(answer.table.names[f], 32),
            "component": f"PC{j + 1}",
            "loading": float(W[j, f]),
            "text": f"{W[j, f]:+.2f}" if W[j, f] else "",
            "dark": bool(abs(W[j, f]) > DARK * largest),
        }
        for f in order[:MOST_VARIABLES]
        for j in range(len(W))
    ]
    frame = data(rows)
    x = alt.X("component:N", title=None, sort=None, axis=alt.Axis(orient="top", labelAngle=0))
    y = alt.Y("variable:N", title=None, sort=None)
    scale = alt.Scale(domain=[-largest, 0, largest], range=["#2166ac", "#f7f7f7", "#b2182b"])
    colour = alt.Color("loading:Q", scale=scale, legend=alt.Legend(title="loading", format="+.1f"))
    boxes = (
        alt.Chart(frame)
        .mark_rect(stroke="white")
        .encode(x=x, y=y, color=colour, tooltip=["variable:N", "component:N", "loading:Q"])
    )
    ink = alt.condition("datum.dark", alt.value("white"), alt.value(INK))
    texts = alt.Chart(frame).mark_text(fontSize=11).encode(x=x, y=y, text="text:N", color=ink)
    panel = layer(boxes, texts, width=max(60 * len(W), 120), height=18 * min(len(order), MOST_VARIABLES))
    more = len(order) - MOST_VARIABLES
    note = (
        f"The first {MOST_VARIABLES} of {len(order)} variables."
        if more > 0
        else "Variables of no component are left out."
    )
    return stack([panel], "Loadings", note)


def _order(W: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int]:
    """Return the variables of the first component, the largest first, then those that the next adds, and so on."""
    found: dict[int, None] = {}
    for w in W:
        for f in np.argsort(-np.abs(w), kind="stable"):
            if w[f]:
                found.setdefault(int(f))
    return list(found)
