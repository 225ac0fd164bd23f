"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from spcabench import plots
from spcabench.explore.deciding import View as Chosen
from spcabench.explore.prepared import Prepared
from spcabench.report.figures import Figure
from spcabench.report.figures.style import HUES, LOUD, shorten, stack
from spcabench.report.figures.views import Rows, View, field, layer, number, value
from spcabench.wording import InputError

CHANCE = "#777777"


class Shown(NamedTuple):
    """What figures show: the answer that stands, of which table, with its loadings and how often each is selected."""

    first: Chosen
    table: Prepared
    components: pd.DataFrame
    frequencies: pd.DataFrame


class Drawing(NamedTuple):
    """A figure: what it is called, what it shows, and what draws it."""

    heading: str
    caption: str
    draw: Callable[[Shown], View | None]


def figures(shown: Shown) -> Iterator[Figure]:
    """Draw the figures that the answer has something for."""
    for name, (heading, caption, draw) in DRAWN.items():
        view = draw(shown)
        if view is not None:
            yield Figure(name, heading, caption, view)


def figure(shown: Shown, name: str) -> Figure:
    """Return one figure, which shows itself in a notebook.

    Raises
    ------
    InputError
        If there is no such figure, or the answer has nothing for it.
    """
    view = DRAWN[name].draw(shown) if name in DRAWN else None
    if view is None:
        raise InputError(f"no figure '{name}' of this answer; valid are {', '.join(f.name for f in figures(shown))}")
    return Figure(name, DRAWN[name].heading, DRAWN[name].caption, view)


def heat_map(shown: Shown) -> View | None:
    """Draw the loadings, variables clustered by the component that has them."""
    return plots.loading_map(shown.components)


def stability(shown: Shown) -> View | None:
    """Draw how often half-samples select each variable of a component, and the most frequent others."""
    rows = []
    for name in shown.components:
        loadings, often = shown.components[name], shown.frequencies[name]
        if often.isna().any():
            return None
        chosen = often[loadings != 0].sort_values(ascending=False, kind="stable")[: plots.MOST_LOADINGS]
        others = often[(loadings == 0) & (often > 0)].sort_values(ascending=False, kind="stable")[:3]
        kinds = (("in the component", chosen), ("left out", others))
        rows += [
            {"variable": f"{name} {shorten(str(variable), 28)}", "share": float(share), "is": kind}
            for kind, series in kinds
            for variable, share in series.items()
        ]
    if not rows:
        return None
    scale = {"domain": ["in the component", "left out"], "range": [HUES[1], CHANCE]}
    place = {
        "x": field("share:Q", title="share of half-samples that select it", scale={"domain": [0, 1]}),
        "y": field("variable:N", title=None, sort=None),
        "color": field("is:N", scale=scale, legend={"title": None, "orient": "top"}),
        "tooltip": ["variable:N", number("share", form=".0%")],
    }
    return stack([layer(Rows(rows).mark("bar", place), width=420, height=16 * len(rows))], "Stability")


def held_out(shown: Shown) -> View | None:
    """Draw what the span keeps of held-out rows at each number of nonzeros, and the choice."""
    first = shown.first
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


def scree(shown: Shown) -> View | None:
    """Draw the eigenvalues up to the first within chance, and what chance reaches."""
    own, chance = shown.first.found.scree_.tolist()
    n = shown.first.found.n_permutations
    kinds = {"of the table": own, f"largest of {n} tables without correlation": chance}
    rows = Rows(
        {"component": place, "eigenvalue": size, "kind": kind}
        for kind, sizes in kinds.items()
        for place, size in enumerate(sizes, 1)
    )
    place = {
        "x": field("component:Q", title="component", axis={"tickMinStep": 1, "format": "d"}),
        "y": field("eigenvalue:Q", title="eigenvalue (variance)"),
        "color": field("kind:N", scale={"domain": [*kinds], "range": [HUES[1], CHANCE]}, legend={"orient": "top"}),
        "tooltip": ["kind:N", "component:Q", number("eigenvalue", form=".4~g")],
    }
    lines = rows.mark("line", place, strokeWidth=1.5, point=True)
    return stack([layer(lines, width=470, height=240)], "Eigenvalues and chance")


def biplot(shown: Shown) -> View | None:
    """Draw the rows along the first two components, and the variables as arrows."""
    first, table = shown.first, shown.table
    if len(first.components) < 2:
        return None
    classes = [table.classes[i] for i in np.flatnonzero(first.kept)] if table.classes else []
    return plots.scatter(shown.components.iloc[:, :2], first.X @ first.components[:2].T, classes, table.how.label)


def circle(shown: Shown) -> View | None:
    """Draw the correlations of the variables with the first two scores, within the unit circle."""
    first = shown.first
    if len(first.components) < 2:
        return None
    return plots.correlations(shown.components.iloc[:, :2], first.X @ first.components[:2].T, first.X)


DRAWN: Mapping[str, Drawing] = {
    "heat_map": Drawing("Loadings", "the variables of each component, signed", heat_map),
    "stability": Drawing("Stability", "how often half-samples select each variable", stability),
    "held_out": Drawing("Held-out variance", "what each choice keeps of held-out rows", held_out),
    "biplot": Drawing("Biplot", "the rows along two components, with their variables", biplot),
    "circle": Drawing("Correlation circle", "correlations of the variables with two scores", circle),
    "scree": Drawing("Scree", "eigenvalues, and what chance reaches", scree),
}
"""The figures in the order of the page."""
