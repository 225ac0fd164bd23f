"""The scores of the rows, coloured by the label."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from spcabench.explore.answer import Answer
from spcabench.report.figures.style import HUES, INK, LOUD, data, shorten, stack
from spcabench.report.figures.views import View, layer

MOST_ROWS = 3000
"""Rows that are drawn; of more a random part is."""
MOST_RINGS = 40
"""Rows that are marked as lying far away; more would hide the others."""


def draw(answer: Answer) -> View | None:
    """Draw the first component against the second; against the row if there is one alone."""
    T = answer.table.scaled @ answer.whole.T
    places = np.arange(len(T))
    if len(T) > MOST_ROWS:
        places = np.sort(np.random.default_rng(0).choice(len(T), MOST_ROWS, replace=False))
    flagged = set(answer.outliers.flagged.tolist())
    classes = answer.table.classes
    rows = [
        {
            "row": int(answer.table.rows[i]),
            "first": float(T[i, 0]),
            "second": float(T[i, 1]) if T.shape[1] > 1 else int(answer.table.rows[i]),
            "label": shorten(classes[i], 28) if classes else "",
            "flagged": i in flagged,
        }
        for i in places.tolist()
    ]
    frame = data(rows)
    x = alt.X("first:Q", title="PC1", scale=alt.Scale(zero=False))
    y = alt.Y("second:Q", title="PC2" if T.shape[1] > 1 else "row of the file", scale=alt.Scale(zero=False))
    colour: Any = alt.value(HUES[1])
    if classes:
        legend = alt.Legend(title=answer.table.label, symbolLimit=20)
        colour = alt.Color("label:N", scale=alt.Scale(range=list(HUES)), legend=legend)
    tooltip = ["row:Q", *(["label:N"] if classes else []), alt.Tooltip("first:Q"), alt.Tooltip("second:Q")]
    points = alt.Chart(frame).mark_circle(size=38, opacity=0.75).encode(x=x, y=y, color=colour, tooltip=tooltip)
    rings = (
        alt.Chart(frame)
        .transform_filter("datum.flagged")
        .mark_point(size=110, color=LOUD, strokeWidth=1.3)
        .encode(x=x, y=y, tooltip=tooltip)
    )
    names = (
        alt.Chart(frame)
        .transform_filter("datum.flagged")
        .mark_text(dx=8, align="left", fontSize=10, color=INK)
        .encode(x=x, y=y, text="row:Q")
    )
    marked = 0 < len(flagged) <= MOST_RINGS
    note = "Rings are rows that lie far away, with their rows in the file." if marked else ""
    if len(T) > MOST_ROWS:
        note = f"{note} {MOST_ROWS} of {len(T)} rows.".strip()
    layers = [points, rings, names] if marked else [points]
    return stack([layer(*layers, width=470, height=340)], "Scores", note)
