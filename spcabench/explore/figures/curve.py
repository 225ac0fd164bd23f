"""Explained variance against nonzeros, with the choice marked."""

from __future__ import annotations

import altair as alt
import numpy as np

from spcabench.explore.answer import Answer
from spcabench.report.figures.style import HUES, INK, LOUD, QUIET, data, stack
from spcabench.report.figures.views import View, layer


def draw(answer: Answer) -> View | None:
    """Draw a curve for each method, the proposed one in front; None without three cardinalities."""
    chosen = float(np.mean(answer.choice.n_nonzero))
    loud = [answer.winner.method, *answer.winner.tied]
    rows = [
        {
            "method": method,
            "nonzeros": point.nonzeros,
            "variance": point.variance,
            "kind": "chosen" if point.nonzeros == chosen else "curve",
        }
        for method in sorted(answer.curve, key=lambda name: (name in loud, name == answer.winner.method))
        for point in answer.curve[method]
    ]
    if len({row["nonzeros"] for row in rows}) < 3:
        return None
    names = list(answer.curve)
    hues = iter(HUES)
    colours = [next(hues, QUIET) if name in loud else QUIET for name in sorted(names, key=lambda n: n not in loud)]
    scale = alt.Scale(domain=sorted(names, key=lambda n: n not in loud), range=colours)
    frame = data(rows)
    x = alt.X("nonzeros:Q", title="nonzeros of a component, mean (fewer is sparser)")
    y = alt.Y("variance:Q", title="explained variance, CPEV", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False))
    colour = alt.Color("method:N", scale=scale, legend=alt.Legend(title=None, orient="right"))
    tooltip = ["method:N", "nonzeros:Q", alt.Tooltip("variance:Q", format=".3%")]
    lines = (
        alt.Chart(frame)
        .transform_filter("datum.kind === 'curve'")
        .mark_line(strokeWidth=2)
        .encode(x=x, y=y, color=colour, order=alt.Order("nonzeros:Q"))
    )
    size = alt.condition("datum.kind === 'chosen'", alt.value(110), alt.value(40))
    points = (
        alt.Chart(frame).mark_point(filled=True, opacity=1).encode(x=x, y=y, color=colour, size=size, tooltip=tooltip)
    )
    mark = data([{"nonzeros": chosen, "variance": answer.dense, "text": f"chosen: {chosen:.3g}"}])
    rule = alt.Chart(mark).mark_rule(color=LOUD, strokeDash=[5, 3], strokeWidth=1.5).encode(x="nonzeros:Q")
    dense = alt.Chart(mark).mark_rule(color="#888888", strokeDash=[2, 2]).encode(y="variance:Q")
    text = (
        alt.Chart(mark)
        .mark_text(align="left", dx=5, dy=12, color=LOUD, fontSize=12)
        .encode(x="nonzeros:Q", y="variance:Q", text="text:N")
    )
    above = (
        alt.Chart(data([{"variance": answer.dense, "text": "dense components"}]))
        .mark_text(align="right", dy=-6, color=INK, fontSize=11)
        .encode(x=alt.value("width"), y="variance:Q", text="text:N")
    )
    panel = layer(dense, rule, lines, points, text, above, width=470, height=300)
    note = "Methods in colour are not ruled out as the best. Large points have the chosen nonzeros of each component."
    return stack([panel], "Explained variance against nonzeros", note)
