"""Eigenvalues, and what chance reaches."""

from __future__ import annotations

import altair as alt

from spcabench.explore.answer import Answer
from spcabench.report.figures.style import HUES, LOUD, data, stack
from spcabench.report.figures.views import View, layer

OWN = "of the table"


def draw(answer: Answer) -> View | None:
    """Draw both; None if the user said the number of components."""
    choice = answer.choice
    if not choice.eigenvalues:
        return None
    chance = f"largest of {choice.n_permutations} permutations"
    rows = [
        {"component": place, "eigenvalue": value, "kind": kind, "chosen": kind == OWN and place <= choice.n_components}
        for kind, values in ((OWN, choice.eigenvalues), (chance, choice.chance))
        for place, value in enumerate(values, 1)
    ]
    frame = data(rows)
    most = len(choice.eigenvalues)
    x = alt.X(
        "component:Q",
        title="component",
        scale=alt.Scale(domain=[0.5, most + 0.5], nice=False),
        axis=alt.Axis(values=list(range(1, most + 1)), format="d", grid=False),
    )
    y = alt.Y("eigenvalue:Q", title="eigenvalue (variance)")
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[OWN, chance], range=[HUES[1], "#777777"]),
        legend=alt.Legend(title=None, orient="top"),
    )
    lines = alt.Chart(frame).mark_line(strokeWidth=1.5).encode(x=x, y=y, color=colour)
    size = alt.condition("datum.chosen", alt.value(130), alt.value(40))
    tooltip = ["kind:N", "component:Q", alt.Tooltip("eigenvalue:Q", format=".4~g")]
    points = (
        alt.Chart(frame).mark_point(filled=True, opacity=1).encode(x=x, y=y, color=colour, size=size, tooltip=tooltip)
    )
    end = data([{"component": choice.n_components, "text": f"{choice.n_components} chosen"}])
    mark = alt.Chart(end).mark_rule(color=LOUD, strokeDash=[5, 3]).encode(x=x)
    text = (
        alt.Chart(end).mark_text(align="left", dx=6, color=LOUD, fontSize=12).encode(x=x, y=alt.value(8), text="text:N")
    )
    return stack([layer(mark, lines, points, text, width=470, height=260)], "Eigenvalues and chance")
