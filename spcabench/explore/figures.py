"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spcabench import plots
from spcabench.report.figures import Figure
from spcabench.report.figures.style import HUES, LOUD, shorten, stack
from spcabench.report.figures.views import Rows, View, field, layer, number, value

if TYPE_CHECKING:
    from spcabench.explore.answer import Answer


def heat_map(answer: Answer) -> View | None:
    """Draw the loadings, variables clustered by the component that has them."""
    return plots.loading_map(answer.components)


def stability(answer: Answer) -> View | None:
    """Draw how often half-samples select each variable of a component, and the most frequent others."""
    rows = []
    for name in answer.components:
        loadings, often = answer.components[name], answer.frequencies[name]
        if often.isna().any():
            return None
        chosen = often[loadings != 0].sort_values(ascending=False, kind="stable")[: plots.MOST_LOADINGS]
        others = often[(loadings == 0) & (often > 0)].sort_values(ascending=False, kind="stable")[:3]
        rows += [
            {"variable": f"{name} {shorten(str(variable), 28)}", "share": float(share), "is": kind}
            for kind, shares in (("in the component", chosen), ("left out", others))
            for variable, share in shares.items()
        ]
    if not rows:
        return None
    scale = {"domain": ["in the component", "left out"], "range": [HUES[1], plots.LINE]}
    place = {
        "x": field("share:Q", title="share of half-samples that select it", scale={"domain": [0, 1]}),
        "y": field("variable:N", title=None, sort=None),
        "color": field("is:N", scale=scale, legend={"title": None, "orient": "top"}),
        "tooltip": ["variable:N", number("share", form=".0%")],
    }
    return stack([layer(Rows(rows).mark("bar", place), width=420, height=16 * len(rows))], "Stability")


def held_out(answer: Answer) -> View | None:
    """Draw what the span keeps of held-out rows at each number of nonzeros, and the choice."""
    first = answer.decision.first
    if not len(first.components) or len(first.found.tried_) < 2:
        return None
    means = first.found.held_out_.mean(axis=0)
    rows = Rows(
        {"nonzeros": sum(counts), "each": ", ".join(map(str, counts)), "kept": float(kept), "chosen": i == first.place}
        for i, (counts, kept) in enumerate(zip(first.found.tried_, means, strict=True))
    )
    place = {
        "x": field("nonzeros:Q", title="nonzeros of all components"),
        "y": field("kept:Q", title="share of held-out variance", scale={"zero": False}),
        "tooltip": ["each:N", number("kept", form=".1%")],
    }
    points = rows.mark("point", {**place, "color": value(HUES[1])}, filled=True, size=50)
    ring = rows.mark("point", place, size=190, color=LOUD, strokeWidth=2).where("datum.chosen")
    return stack([layer(points, ring, width=470, height=260)], "Held-out variance", "The ring is the choice.")


def biplot(answer: Answer) -> View | None:
    """Draw the rows along the first two components, and the variables as arrows."""
    first, table = answer.decision.first, answer.table
    if len(first.components) < 2:
        return None
    classes = [table.classes[i] for i in np.flatnonzero(first.kept)] if table.classes else []
    return plots.scatter(answer.components.iloc[:, :2], first.X @ first.components[:2].T, classes, table.label)


def circle(answer: Answer) -> View | None:
    """Draw the correlations of the variables with the first two scores, within the unit circle."""
    X, W = answer.decision.first.X, answer.decision.first.components
    return plots.correlations(answer.components.iloc[:, :2], X @ W[:2].T, X) if len(W) > 1 else None


FIGURES = {
    heat_map: ("Loadings", "the variables of each component, signed"),
    stability: ("Stability", "how often half-samples select each variable"),
    held_out: ("Held-out variance", "what each choice keeps of held-out rows"),
    biplot: ("Biplot", "the rows along two components, with their variables"),
    circle: ("Correlation circle", "correlations of the variables with two scores"),
}
"""The figures in the order of the page: heading and caption."""


def figures(answer: Answer) -> list[Figure]:
    """Draw the figures that the answer has something for."""
    drawn = ((draw.__name__, said, draw(answer)) for draw, said in FIGURES.items())
    return [Figure(name, *said, chart) for name, said, chart in drawn if chart]
