"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spcabench.explore.answer import Answer
from spcabench.report.figures import FIGURES, Figure
from spcabench.report.figures.style import HUES, INK, LOUD, shorten, stack
from spcabench.report.figures.views import Rows, Spec, View, field, layer, number, value

MOST_LOADINGS = 60
"""Variables of the heat map."""
DARK = 0.55
"""A loading beyond this share of the largest has white text."""
MOST_ROWS, MOST_RINGS = 3000, 40
"""Rows that are drawn, of more a random part; and rows that are marked as far away: more would hide the others."""
CHANCE = "#777777"


def figures(answer: Answer) -> Iterator[Figure]:
    """Draw the figures that the answer has something for."""
    pareto = FIGURES["pareto"]
    drawn = (
        ("heat_map", "Loadings", "the variables of each component, signed", heat_map(answer)),
        ("pareto", pareto.heading, pareto.caption, pareto.draw(answer.results)),
        ("scree", "Scree", "eigenvalues, and the largest of permuted columns", scree(answer)),
        ("scores", "Scores", "the rows along the first components", scores(answer)),
    )
    return (Figure(name, heading, caption, view) for name, heading, caption, view in drawn if view is not None)


def heat_map(answer: Answer) -> View | None:
    """Draw the variables that any component has: those of the first, the largest first, then what the next adds."""
    W = answer.whole
    every = dict.fromkeys(f for w in W for f in np.argsort(-np.abs(w), kind="stable").tolist() if w[f])
    order = list(every)[:MOST_LOADINGS]
    largest = float(np.abs(W).max()) or 1.0
    rows = Rows(
        {
            "variable": shorten(answer.table.how.features[f], 32),
            "component": f"PC{j + 1}",
            "loading": float(W[j, f]),
            "text": f"{W[j, f]:+.2f}" if W[j, f] else "",
            "dark": bool(abs(W[j, f]) > DARK * largest),
        }
        for f in order
        for j in range(len(W))
    )
    place = {
        "x": field("component:N", title=None, sort=None, axis={"orient": "top", "labelAngle": 0}),
        "y": field("variable:N", title=None, sort=None),
    }
    scale = {"domain": [-largest, 0, largest], "range": ["#2166ac", "#f7f7f7", "#b2182b"]}
    colour = field("loading:Q", scale=scale, legend={"title": "loading", "format": "+.1f"})
    tooltip = ["variable:N", "component:N", "loading:Q"]
    boxes = rows.mark("rect", {**place, "color": colour, "tooltip": tooltip}, stroke="white")
    texts = rows.mark("text", {**place, "text": "text:N", "color": _where("datum.dark", "white", INK)}, fontSize=11)
    panel = layer(boxes, texts, width=max(60 * len(W), 120), height=18 * len(order))
    more = len(every) > MOST_LOADINGS
    first = f"The first {MOST_LOADINGS} of {len(every)} variables."
    return stack([panel], "Loadings", first if more else "Variables of no component are left out.")


def scree(answer: Answer) -> View | None:
    """Draw eigenvalues and what chance reaches; None if the user said the number of components."""
    choice = answer.choice
    if not choice.eigenvalues:
        return None
    kinds = {"of the table": choice.eigenvalues, f"largest of {choice.n_permutations} permutations": choice.chance}
    rows = Rows(
        {
            "component": place,
            "eigenvalue": value,
            "kind": kind,
            "chosen": values is choice.eigenvalues and place <= choice.n_components,
        }
        for kind, values in kinds.items()
        for place, value in enumerate(values, 1)
    )
    most = len(choice.eigenvalues)
    places = {"domain": [0.5, most + 0.5], "nice": False}
    axis = {"values": list(range(1, most + 1)), "format": "d", "grid": False}
    x = field("component:Q", title="component", scale=places, axis=axis)
    scale = {"domain": list(kinds), "range": [HUES[1], CHANCE]}
    place = {
        "x": x,
        "y": field("eigenvalue:Q", title="eigenvalue (variance)"),
        "color": field("kind:N", scale=scale, legend={"title": None, "orient": "top"}),
    }
    lines = rows.mark("line", place, strokeWidth=1.5)
    tooltip = ["kind:N", "component:Q", number("eigenvalue", form=".4~g")]
    size = _where("datum.chosen", 130, 40)
    points = rows.mark("point", {**place, "size": size, "tooltip": tooltip}, filled=True, opacity=1)
    end = Rows([{"component": choice.n_components, "text": f"{choice.n_components} chosen"}])
    mark = end.mark("rule", {"x": x}, color=LOUD, strokeDash=[5, 3])
    text = end.mark("text", {"x": x, "y": value(8), "text": "text:N"}, align="left", dx=6, color=LOUD, fontSize=12)
    return stack([layer(mark, lines, points, text, width=470, height=260)], "Eigenvalues and chance")


def scores(answer: Answer) -> View | None:
    """Draw the first component against the second, coloured by the label; against the row if there is one alone."""
    T = answer.table.scaled @ answer.whole.T
    several, classes = T.shape[1] > 1, answer.table.classes
    drawn = np.arange(len(T))
    if len(T) > MOST_ROWS:
        drawn = np.sort(np.random.default_rng(0).choice(len(T), MOST_ROWS, replace=False))
    flagged = set(answer.outliers.flagged.tolist())
    rows = Rows(
        {
            "row": int(answer.table.rows[i]),
            "first": float(T[i, 0]),
            "second": float(T[i, 1]) if several else int(answer.table.rows[i]),
            "label": shorten(classes[i], 28) if classes else "",
            "flagged": i in flagged,
        }
        for i in drawn.tolist()
    )
    place: Spec = {
        "x": field("first:Q", title="PC1", scale={"zero": False}),
        "y": field("second:Q", title="PC2" if several else "row of the file", scale={"zero": False}),
        "tooltip": ["row:Q", *(["label:N"] if classes else []), "first:Q", "second:Q"],
    }
    legend = {"title": answer.table.how.label, "symbolLimit": 20}
    colour = field("label:N", scale={"range": list(HUES)}, legend=legend) if classes else value(HUES[1])
    points = rows.mark("circle", {**place, "color": colour}, size=38, opacity=0.75)
    rings = rows.mark("point", place, size=110, color=LOUD, strokeWidth=1.3).where("datum.flagged")
    named = {"x": place["x"], "y": place["y"], "text": "row:Q"}
    names = rows.mark("text", named, dx=8, align="left", fontSize=10, color=INK).where("datum.flagged")
    marked = 0 < len(flagged) <= MOST_RINGS
    notes = ["Rings are rows that lie far away, with their rows in the file."] if marked else []
    notes += [f"{MOST_ROWS} of {len(T)} rows."] if len(T) > MOST_ROWS else []
    layers = [points, rings, names] if marked else [points]
    return stack([layer(*layers, width=470, height=340)], "Scores", " ".join(notes))


def _where(expression: str, then: Any, otherwise: Any) -> Spec:
    """Return a value for the rows of which an expression holds, and another for the others."""
    return {"condition": {"test": expression, "value": then}, "value": otherwise}
