"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spcabench.explore.answer import Answer
from spcabench.explore.judging import LEANING, STABLE
from spcabench.report.figures import Figure
from spcabench.report.figures.style import HUES, INK, LOUD, QUIET, shorten, stack
from spcabench.report.figures.views import Rows, Spec, View, field, layer, number, value

MOST_LOADINGS, MOST_FREQUENCIES, MOST_PANELS = 60, 25, 6
"""Variables of the heat map and of a panel of frequencies, and panels of them."""
DARK = 0.55
"""A loading beyond this share of the largest has white text."""
SELDOM = 0.1
MOST_ROWS, MOST_RINGS = 3000, 40
"""Rows that are drawn, of more a random part; and rows that are marked as far away: more would hide the others."""
CHANCE = "#777777"


def figures(answer: Answer) -> Iterator[Figure]:
    """Draw the figures that the answer has something for."""
    drawn = (
        ("heat_map", "Loadings", "the variables of each component, signed", heat_map(answer)),
        ("curve", "Variance against nonzeros", "each method on the whole table, and the choice", curve(answer)),
        ("scree", "Scree", "eigenvalues, and the largest of permuted columns", scree(answer)),
        ("frequencies", "Selection frequencies", "how often halves of the rows select a variable", frequencies(answer)),
        ("scores", "Scores", "the rows along the first components", scores(answer)),
    )
    return (Figure(name, heading, caption, view) for name, heading, caption, view in drawn if view is not None)


def colours(answer: Answer) -> dict[str, str]:
    """Return the colour of each method: grey unless it may be the best."""
    loud = [answer.winner.method, *answer.winner.tied]
    hues = iter(HUES)
    names = sorted(answer.curve, key=lambda name: name not in loud)
    return {name: next(hues, QUIET) if name in loud else QUIET for name in names}


def heat_map(answer: Answer) -> View | None:
    """Draw the variables that any component has: those of the first, the largest first, then what the next adds."""
    W = answer.whole
    every = dict.fromkeys(f for w in W for f in np.argsort(-np.abs(w), kind="stable").tolist() if w[f])
    order = list(every)[:MOST_LOADINGS]
    largest = float(np.abs(W).max()) or 1.0
    rows = Rows(
        {
            "variable": shorten(answer.table.names[f], 32),
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


def curve(answer: Answer) -> View | None:
    """Draw a curve for each method, the proposed one in front; None without three cardinalities."""
    chosen = float(np.mean(answer.choice.n_nonzero))
    loud = [answer.winner.method, *answer.winner.tied]
    in_front = sorted(answer.curve, key=lambda name: (name in loud, name == answer.winner.method))
    rows = Rows(
        {"method": name, "nonzeros": point.nonzeros, "variance": point.variance, "chosen": point.nonzeros == chosen}
        for name in in_front
        for point in answer.curve[name]
    )
    if len({row["nonzeros"] for row in rows.rows}) < 3:
        return None
    looks = colours(answer)
    scale = {"domain": list(looks), "range": list(looks.values())}
    place = {
        "x": field("nonzeros:Q", title="nonzeros of a component, mean (fewer is sparser)"),
        "y": field("variance:Q", title="explained variance, CPEV", axis={"format": "%"}, scale={"zero": False}),
        "color": field("method:N", scale=scale, legend={"title": None, "orient": "right"}),
    }
    lines = rows.mark("line", {**place, "order": "nonzeros:Q"}, strokeWidth=2).where("!datum.chosen")
    tooltip = ["method:N", "nonzeros:Q", number("variance", form=".3%")]
    size = _where("datum.chosen", 110, 40)
    points = rows.mark("point", {**place, "size": size, "tooltip": tooltip}, filled=True, opacity=1)
    said = {"text": f"chosen: {chosen:.3g}", "dense": "dense components"}
    mark = Rows([{"nonzeros": chosen, "variance": answer.dense, **said}])
    at = {"x": "nonzeros:Q", "y": "variance:Q"}
    above = {"x": value("width"), "y": "variance:Q", "text": "dense:N"}
    panel = layer(
        mark.mark("rule", {"y": "variance:Q"}, color="#888888", strokeDash=[2, 2]),
        mark.mark("rule", {"x": "nonzeros:Q"}, color=LOUD, strokeDash=[5, 3], strokeWidth=1.5),
        lines,
        points,
        mark.mark("text", {**at, "text": "text:N"}, align="left", dx=5, dy=12, color=LOUD, fontSize=12),
        mark.mark("text", above, align="right", dy=-6, color=INK, fontSize=11),
        width=470,
        height=300,
    )
    note = "Methods in colour are not ruled out as the best. Large points have the chosen nonzeros of each component."
    return stack([panel], "Explained variance against nonzeros", note)


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


def frequencies(answer: Answer) -> View | None:
    """Draw how often halves select each variable, a panel for each component; None without halves."""
    found = answer.stability
    if not found.n_halves:
        return None
    panels = [_frequencies(answer, j) for j in range(min(len(answer.whole), MOST_PANELS))]
    certain = f"From {STABLE:g} on a variable is stable, below {LEANING:g} it is not supported."
    return stack(panels, "Selection frequencies", f"Of {found.n_halves} halves. {certain}")


def _frequencies(answer: Answer, j: int) -> View:
    frequency, w = answer.stability.frequencies[j], answer.whole[j]
    often = [f for f in np.argsort(-frequency, kind="stable") if frequency[f] > SELDOM or w[f]][:MOST_FREQUENCIES]
    kinds = {"in the component": HUES[1], "not in it": QUIET}
    names = list(kinds)
    rows = Rows(
        {
            "variable": shorten(answer.table.names[f], 32),
            "frequency": float(frequency[f]),
            "chosen": names[0] if w[f] else names[1],
        }
        for f in often
    )
    scale = {"domain": names, "range": list(kinds.values())}
    place = {
        "x": field("frequency:Q", title="share of halves", scale={"domain": [0, 1]}, axis={"format": "%"}),
        "y": field("variable:N", title=None, sort=None),
        "color": field("chosen:N", scale=scale, legend={"title": None, "orient": "right"}),
        "tooltip": ["variable:N", "frequency:Q"],
    }
    marks = Rows([{"frequency": LEANING}, {"frequency": STABLE}])
    rules = marks.mark("rule", {"x": "frequency:Q"}, color="#666666", strokeDash=[4, 3])
    height = 16 * max(len(often), 1)
    return layer(rows.mark("bar", place), rules, width=420, height=height, title={"text": f"PC{j + 1}"})


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
    legend = {"title": answer.table.label, "symbolLimit": 20}
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
