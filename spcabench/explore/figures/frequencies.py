"""How often halves of the rows select each variable."""

from __future__ import annotations

import altair as alt
import numpy as np

from spcabench.explore.answer import Answer
from spcabench.explore.stability import LEANING, STABLE
from spcabench.report.figures.style import HUES, data, shorten, stack
from spcabench.report.figures.views import View, layer

MOST_VARIABLES = 25
SELDOM = 0.1
MOST_COMPONENTS = 6


def draw(answer: Answer) -> View | None:
    """Draw a panel for each component; None without halves."""
    found = answer.stability
    if not found.n_halves:
        return None
    panels = [_panel(answer, j) for j in range(min(len(answer.whole), MOST_COMPONENTS))]
    note = (
        f"Of {found.n_halves} halves. From {STABLE:g} on a variable is stable, below {LEANING:g} it is not supported."
    )
    return stack(panels, "Selection frequencies", note)


def _panel(answer: Answer, j: int) -> View:
    frequency, w = answer.stability.frequencies[j], answer.whole[j]
    order = [f for f in np.argsort(-frequency, kind="stable") if frequency[f] > SELDOM or w[f]][:MOST_VARIABLES]
    frame = data(
        {
            "variable": shorten(answer.table.names[f], 32),
            "frequency": float(frequency[f]),
            "chosen": "in the component" if w[f] else "not in it",
        }
        for f in order
    )
    x = alt.X("frequency:Q", title="share of halves", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    y = alt.Y("variable:N", title=None, sort=None)
    colour = alt.Color(
        "chosen:N",
        scale=alt.Scale(domain=["in the component", "not in it"], range=[HUES[1], "#c2c2c2"]),
        legend=alt.Legend(title=None, orient="right"),
    )
    bars = alt.Chart(frame).mark_bar().encode(x=x, y=y, color=colour, tooltip=["variable:N", "frequency:Q"])
    marks = data([{"frequency": LEANING}, {"frequency": STABLE}])
    rules = alt.Chart(marks).mark_rule(color="#666666", strokeDash=[4, 3]).encode(x="frequency:Q")
    return layer(bars, rules, width=420, height=16 * max(len(order), 1), title=alt.TitleParams(f"PC{j + 1}"))
