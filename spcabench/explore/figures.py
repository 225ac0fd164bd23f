"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from spcabench.explore.answer import Answer
from spcabench.report.figures import Figure
from spcabench.report.figures.style import HUES, INK, LOUD, shorten, stack
from spcabench.report.figures.views import Rows, Spec, View, field, layer, number, value
from spcabench.wording import InputError

MOST_LOADINGS = 60
"""Variables of a figure."""
DARK = 0.55
"""A loading beyond this share of the largest has white text."""
MOST_ROWS, MOST_ARROWS = 3000, 20
"""Rows and variables that are drawn of a biplot, of more rows a random part."""
CHANCE = "#777777"


class Drawing(NamedTuple):
    """A figure: what it is called, what it shows, and what draws it."""

    heading: str
    caption: str
    draw: Callable[[Answer], View | None]


def figures(answer: Answer) -> Iterator[Figure]:
    """Draw the figures that the answer has something for."""
    for name, (heading, caption, draw) in DRAWN.items():
        view = draw(answer)
        if view is not None:
            yield Figure(name, heading, caption, view)


def chart(answer: Answer, name: str) -> Any:
    """Return one figure as a chart of Altair.

    Raises
    ------
    InputError
        If there is no such figure, or the answer has nothing for it.
    """
    import altair

    view = DRAWN[name].draw(answer) if name in DRAWN else None
    if view is None:
        raise InputError(f"no figure '{name}' of this answer; valid are {', '.join(f.name for f in figures(answer))}")
    return altair.Chart.from_dict(view.to_dict())


def _shown(answer: Answer) -> list[int]:
    """Return the variables that any component has: those of the first, the largest first, then what the next adds."""
    W = answer.components.to_numpy().T
    return list(dict.fromkeys(f for w in W for f in np.argsort(-np.abs(w), kind="stable").tolist() if w[f]))


def heat_map(answer: Answer) -> View | None:
    """Draw the loadings, variables clustered by the component that has them."""
    W, every = answer.components.to_numpy().T, _shown(answer)
    if not every:
        return None
    order, largest = every[:MOST_LOADINGS], float(np.abs(W).max())
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
    first = f"The first {MOST_LOADINGS} of {len(every)} variables."
    return stack([panel], "Loadings", first if len(every) > len(order) else "Variables of no component are left out.")


def stability(answer: Answer) -> View | None:
    """Draw how often half-samples select each variable of a component, and the most frequent others."""
    rows = []
    for name in answer.components:
        loadings, often = answer.components[name], answer.frequencies[name]
        if often.isna().any():
            return None
        chosen = often[loadings != 0].sort_values(ascending=False, kind="stable")[:MOST_LOADINGS]
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
    kinds = {"of the table": own, f"largest of {n} tables without correlation": chance}
    rows = Rows(
        {"component": place, "eigenvalue": size, "kind": kind}
        for kind, sizes in kinds.items()
        for place, size in enumerate(sizes, 1)
    )
    place = {
        "x": field("component:O", title="component", axis={"labelAngle": 0}),
        "y": field("eigenvalue:Q", title="eigenvalue (variance)"),
        "color": field("kind:N", scale={"domain": [*kinds], "range": [HUES[1], CHANCE]}, legend={"orient": "top"}),
        "tooltip": ["kind:N", "component:O", number("eigenvalue", form=".4~g")],
    }
    lines = rows.mark("line", place, strokeWidth=1.5, point=True)
    return stack([layer(lines, width=470, height=240)], "Eigenvalues and chance")


def biplot(answer: Answer) -> View | None:
    """Draw the rows along the first two components, and the variables as arrows."""
    first = answer.decision.first
    if len(first.components) < 2:
        return None
    T, W = first.X @ first.components[:2].T, first.components[:2]
    drawn = np.arange(len(T))
    if len(T) > MOST_ROWS:
        drawn = np.sort(np.random.default_rng(0).choice(len(T), MOST_ROWS, replace=False))
    classes = [answer.table.classes[i] for i in np.flatnonzero(first.kept)] if answer.table.classes else []
    rows = Rows(
        {"first": float(T[i, 0]), "second": float(T[i, 1]), "label": shorten(classes[i], 28) if classes else ""}
        for i in drawn.tolist()
    )
    place: Spec = {"x": field("first:Q", title="PC1"), "y": field("second:Q", title="PC2")}
    legend = {"title": answer.table.how.label, "symbolLimit": 20}
    colour = field("label:N", scale={"range": list(HUES)}, legend=legend) if classes else value(HUES[1])
    points = rows.mark("circle", {**place, "color": colour}, size=38, opacity=0.6)
    length = 0.9 * float(np.abs(T).max()) / float(np.abs(W).max())
    arrows, names = _arrows(answer, W, length, "first", "second")
    return stack([layer(points, arrows, names, width=470, height=380)], "Biplot")


def circle(answer: Answer) -> View | None:
    """Draw the correlations of the variables with the first two scores, within the unit circle."""
    first = answer.decision.first
    if len(first.components) < 2:
        return None
    T = first.X @ first.components[:2].T
    spread = np.outer(np.linalg.norm(T, axis=0), np.linalg.norm(first.X, axis=0))
    C = T.T @ first.X / np.where(spread > 0, spread, np.inf)
    C = np.where((first.components[:2] != 0).any(axis=0), C, 0.0)
    angles = np.linspace(0, 2 * np.pi, 90)
    ring = Rows({"a": float(np.cos(t)), "b": float(np.sin(t)), "order": i} for i, t in enumerate(angles))
    scale = {"domain": [-1.05, 1.05], "nice": False}
    x, y = field("a:Q", title="correlation with PC1", scale=scale), field("b:Q", title="with PC2", scale=scale)
    line = ring.mark("line", {"x": x, "y": y, "order": field("order:Q")}, color=CHANCE)
    arrows, names = _arrows(answer, C, 1.0, "a", "b")
    return stack([layer(line, arrows, names, width=380, height=380)], "Correlation circle")


def _arrows(answer: Answer, W: np.ndarray, length: float, x: str, y: str) -> tuple[View, View]:
    sizes = np.linalg.norm(W, axis=0)
    largest = [f for f in np.argsort(-sizes, kind="stable").tolist() if sizes[f] > 0][:MOST_ARROWS]
    rows = Rows(
        {
            x: float(length * W[0, f]),
            y: float(length * W[1, f]),
            "zero": 0.0,
            "name": shorten(answer.table.how.features[f], 20),
        }
        for f in largest
    )
    ends = {"x": field("zero:Q"), "y": field("zero:Q"), "x2": field(x), "y2": field(y)}
    arrows = rows.mark("rule", ends, color=LOUD, strokeWidth=1.2)
    texts = {"x": field(f"{x}:Q"), "y": field(f"{y}:Q"), "text": "name:N"}
    return arrows, rows.mark("text", texts, dx=5, align="left", fontSize=11, color=LOUD)


def _where(expression: str, then: Any, otherwise: Any) -> Spec:
    """Return a value for the rows of which an expression holds, and another for the others."""
    return {"condition": {"test": expression, "value": then}, "value": otherwise}


DRAWN: Mapping[str, Drawing] = {
    "heat_map": Drawing("Loadings", "the variables of each component, signed", heat_map),
    "stability": Drawing("Stability", "how often half-samples select each variable", stability),
    "held_out": Drawing("Held-out variance", "what each choice keeps of held-out rows", held_out),
    "biplot": Drawing("Biplot", "the rows along two components, with their variables", biplot),
    "circle": Drawing("Correlation circle", "correlations of the variables with two scores", circle),
    "scree": Drawing("Scree", "eigenvalues, and what chance reaches", scree),
}
"""The figures in the order of the page."""
