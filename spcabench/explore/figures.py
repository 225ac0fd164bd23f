"""The figures of a try: each a function that takes the answer, and returns None if it has nothing for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np

from spcabench.explore.answer import Answer
from spcabench.explore.stability import LEANING, STABLE
from spcabench.report.figures.style import HUES, INK, LOUD, QUIET, data, shorten, stack
from spcabench.report.figures.views import View, layer
from spcabench.report.parts import Figure

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
    frame = data(
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
        "x": alt.X("component:N", title=None, sort=None, axis=alt.Axis(orient="top", labelAngle=0)),
        "y": alt.Y("variable:N", title=None, sort=None),
    }
    scale = alt.Scale(domain=[-largest, 0, largest], range=["#2166ac", "#f7f7f7", "#b2182b"])
    colour = alt.Color("loading:Q", scale=scale, legend=alt.Legend(title="loading", format="+.1f"))
    tooltip = ["variable:N", "component:N", "loading:Q"]
    boxes = alt.Chart(frame).mark_rect(stroke="white").encode(**place, color=colour, tooltip=tooltip)
    ink = alt.condition("datum.dark", alt.value("white"), alt.value(INK))
    texts = alt.Chart(frame).mark_text(fontSize=11).encode(**place, text="text:N", color=ink)
    panel = layer(boxes, texts, width=max(60 * len(W), 120), height=18 * len(order))
    more = len(every) > MOST_LOADINGS
    first = f"The first {MOST_LOADINGS} of {len(every)} variables."
    return stack([panel], "Loadings", first if more else "Variables of no component are left out.")


def curve(answer: Answer) -> View | None:
    """Draw a curve for each method, the proposed one in front; None without three cardinalities."""
    chosen = float(np.mean(answer.choice.n_nonzero))
    loud = [answer.winner.method, *answer.winner.tied]
    in_front = sorted(answer.curve, key=lambda name: (name in loud, name == answer.winner.method))
    frame = data(
        {"method": name, "nonzeros": point.nonzeros, "variance": point.variance, "chosen": point.nonzeros == chosen}
        for name in in_front
        for point in answer.curve[name]
    )
    if frame["nonzeros"].nunique() < 3:
        return None
    looks = colours(answer)
    y = alt.Y("variance:Q", title="explained variance, CPEV", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False))
    scale = alt.Scale(domain=list(looks), range=list(looks.values()))
    place = {
        "x": alt.X("nonzeros:Q", title="nonzeros of a component, mean (fewer is sparser)"),
        "y": y,
        "color": alt.Color("method:N", scale=scale, legend=alt.Legend(title=None, orient="right")),
    }
    lines = (
        alt.Chart(frame).transform_filter("!datum.chosen").mark_line(strokeWidth=2).encode(**place, order="nonzeros:Q")
    )
    size = alt.condition("datum.chosen", alt.value(110), alt.value(40))
    tooltip = ["method:N", "nonzeros:Q", alt.Tooltip("variance:Q", format=".3%")]
    points = alt.Chart(frame).mark_point(filled=True, opacity=1).encode(**place, size=size, tooltip=tooltip)
    mark = alt.Chart(
        data(
            [
                {
                    "nonzeros": chosen,
                    "variance": answer.dense,
                    "text": f"chosen: {chosen:.3g}",
                    "dense": "dense components",
                }
            ]
        )
    )
    rule = mark.mark_rule(color=LOUD, strokeDash=[5, 3], strokeWidth=1.5).encode(x="nonzeros:Q")
    dense = mark.mark_rule(color="#888888", strokeDash=[2, 2]).encode(y="variance:Q")
    text = mark.mark_text(align="left", dx=5, dy=12, color=LOUD, fontSize=12)
    above = mark.mark_text(align="right", dy=-6, color=INK, fontSize=11)
    panel = layer(
        dense,
        rule,
        lines,
        points,
        text.encode(x="nonzeros:Q", y="variance:Q", text="text:N"),
        above.encode(x=alt.value("width"), y="variance:Q", text="dense:N"),
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
    frame = data(
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
    places = alt.Scale(domain=[0.5, most + 0.5], nice=False)
    axis = alt.Axis(values=list(range(1, most + 1)), format="d", grid=False)
    x = alt.X("component:Q", title="component", scale=places, axis=axis)
    scale = alt.Scale(domain=list(kinds), range=[HUES[1], CHANCE])
    place = {
        "x": x,
        "y": alt.Y("eigenvalue:Q", title="eigenvalue (variance)"),
        "color": alt.Color("kind:N", scale=scale, legend=alt.Legend(title=None, orient="top")),
    }
    lines = alt.Chart(frame).mark_line(strokeWidth=1.5).encode(**place)
    size = alt.condition("datum.chosen", alt.value(130), alt.value(40))
    tooltip = ["kind:N", "component:Q", alt.Tooltip("eigenvalue:Q", format=".4~g")]
    points = alt.Chart(frame).mark_point(filled=True, opacity=1).encode(**place, size=size, tooltip=tooltip)
    end = alt.Chart(data([{"component": choice.n_components, "text": f"{choice.n_components} chosen"}]))
    mark = end.mark_rule(color=LOUD, strokeDash=[5, 3]).encode(x=x)
    text = end.mark_text(align="left", dx=6, color=LOUD, fontSize=12).encode(x=x, y=alt.value(8), text="text:N")
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
    frame = data(
        {
            "variable": shorten(answer.table.names[f], 32),
            "frequency": float(frequency[f]),
            "chosen": names[0] if w[f] else names[1],
        }
        for f in often
    )
    scale = alt.Scale(domain=names, range=list(kinds.values()))
    bars = alt.Chart(frame).mark_bar()
    bars = bars.encode(
        x=alt.X("frequency:Q", title="share of halves", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
        y=alt.Y("variable:N", title=None, sort=None),
        color=alt.Color("chosen:N", scale=scale, legend=alt.Legend(title=None, orient="right")),
        tooltip=["variable:N", "frequency:Q"],
    )
    marks = alt.Chart(data([{"frequency": LEANING}, {"frequency": STABLE}]))
    rules = marks.mark_rule(color="#666666", strokeDash=[4, 3]).encode(x="frequency:Q")
    return layer(bars, rules, width=420, height=16 * max(len(often), 1), title=alt.TitleParams(f"PC{j + 1}"))


def scores(answer: Answer) -> View | None:
    """Draw the first component against the second, coloured by the label; against the row if there is one alone."""
    T = answer.table.scaled @ answer.whole.T
    several, classes = T.shape[1] > 1, answer.table.classes
    drawn = np.arange(len(T))
    if len(T) > MOST_ROWS:
        drawn = np.sort(np.random.default_rng(0).choice(len(T), MOST_ROWS, replace=False))
    flagged = set(answer.outliers.flagged.tolist())
    frame = data(
        {
            "row": int(answer.table.rows[i]),
            "first": float(T[i, 0]),
            "second": float(T[i, 1]) if several else int(answer.table.rows[i]),
            "label": shorten(classes[i], 28) if classes else "",
            "flagged": i in flagged,
        }
        for i in drawn.tolist()
    )
    place = {
        "x": alt.X("first:Q", title="PC1", scale=alt.Scale(zero=False)),
        "y": alt.Y("second:Q", title="PC2" if several else "row of the file", scale=alt.Scale(zero=False)),
    }
    colour: Any = alt.value(HUES[1])
    if classes:
        legend = alt.Legend(title=answer.table.label, symbolLimit=20)
        colour = alt.Color("label:N", scale=alt.Scale(range=list(HUES)), legend=legend)
    tooltip = ["row:Q", *(["label:N"] if classes else []), "first:Q", "second:Q"]
    points = alt.Chart(frame).mark_circle(size=38, opacity=0.75).encode(**place, color=colour, tooltip=tooltip)
    far = alt.Chart(frame).transform_filter("datum.flagged")
    rings = far.mark_point(size=110, color=LOUD, strokeWidth=1.3).encode(**place, tooltip=tooltip)
    names = far.mark_text(dx=8, align="left", fontSize=10, color=INK).encode(**place, text="row:Q")
    marked = 0 < len(flagged) <= MOST_RINGS
    notes = ["Rings are rows that lie far away, with their rows in the file."] if marked else []
    notes += [f"{MOST_ROWS} of {len(T)} rows."] if len(T) > MOST_ROWS else []
    layers = [points, rings, names] if marked else [points]
    return stack([layer(*layers, width=470, height=340)], "Scores", " ".join(notes))
