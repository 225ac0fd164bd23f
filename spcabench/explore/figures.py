"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spcabench import plots
from spcabench.report.figures import Figure, Kind
from spcabench.report.figures.style import HUES, LOUD, stack
from spcabench.report.figures.views import Rows, View, field, layer, number, value

if TYPE_CHECKING:
    from spcabench.explore.answer import Answer

CHANCE = "#777777"


def heat_map(answer: Answer) -> View | None:
    """Draw the loadings, variables clustered by the component that has them."""
    return plots.loading_map(answer.components)


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


def scree(answer: Answer) -> View | None:
    """Draw the eigenvalues up to the first within chance, and what chance reaches."""
    own, chance = answer.decision.first.found.scree_.tolist()
    n = answer.decision.first.found.n_permutations
    kinds = {"of the table": own, f"the largest of {n} without correlation": chance}
    legend = {"title": None, "orient": "top", "labelLimit": 400}
    rows = Rows(
        {"component": place, "eigenvalue": size, "kind": kind}
        for kind, sizes in kinds.items()
        for place, size in enumerate(sizes, 1)
    )
    place = {
        "x": field("component:Q", title="component", axis={"tickMinStep": 1, "format": "d"}),
        "y": field("eigenvalue:Q", title="eigenvalue (variance)"),
        "color": field("kind:N", scale={"domain": [*kinds], "range": [HUES[1], CHANCE]}, legend=legend),
        "tooltip": ["kind:N", "component:Q", number("eigenvalue", form=".4~g")],
    }
    lines = rows.mark("line", place, strokeWidth=1.5, point=True)
    return stack([layer(lines, width=470, height=240)], "Eigenvalues and chance")


def biplot(answer: Answer) -> View | None:
    """Draw the rows along the first two components, and the variables as arrows."""
    first, table = answer.decision.first, answer.table
    if len(first.components) < 2:
        return None
    classes = [table.classes[i] for i in np.flatnonzero(first.kept)] if table.classes else []
    return plots.scatter(answer.components.iloc[:, :2], first.X @ first.components[:2].T, classes, table.how.label)


DRAWN = tuple(
    Kind(name=draw.__name__, module=__name__, heading=heading, caption=caption, needs="sparse components")
    for draw, heading, caption in (
        (heat_map, "Loadings", "the variables of each component, signed"),
        (held_out, "Held-out variance", "what each choice keeps of held-out rows"),
        (biplot, "Biplot", "the rows along two components, with their variables"),
        (scree, "Scree", "eigenvalues, and what chance reaches"),
    )
)
"""The figures in the order of the page."""


def figures(answer: Answer) -> list[Figure]:
    """Draw the figures that the answer has something for."""
    return [figure for kind in DRAWN if (figure := kind.figure(answer))]
