"""What all figures share: colours, shapes, dashes, fonts, titles."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from spcabench.report.figures.views import Spec, View, field, join
from spcabench.report.model import Results

FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
INK = "#222222"
QUIET = "#c2c2c2"
LOUD = "#b00020"

HUES = ("#1f1f1f", "#0072b2", "#d55e00", "#009e73", "#a23b8f", "#b8860b", "#4aa3df", "#7a1f2b")
"""One for each family; readers of every colour vision can tell them apart."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")

DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [10, 4], [4, 4])

EMPHASISED = 8
"""Series beyond these are drawn in grey."""

MOST_PANELS = 8
"""Panels beyond these are left to the tables."""

CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 320,
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": "#dedede",
        "domainColor": "#888888",
        "tickColor": "#888888",
    },
    "title": {
        "fontSize": 13,
        "anchor": "start",
        "color": INK,
        "subtitleFontSize": 11,
        "subtitleColor": "#555555",
        "subtitlePadding": 5,
    },
    "header": {"labelFontSize": 11, "labelColor": INK, "labelLimit": 320},
}
"""Fonts and lines of all figures."""


@dataclass(frozen=True)
class Look:
    """How a method is drawn, in every figure alike."""

    colour: str
    shape: str
    dash: list[int]


def looks(results: Results) -> dict[str, Look]:
    """Return every method its look: hue by family, shade and dash within it, shape by place in the suite.

    The first eight that the suite emphasises have colour, or its first eight if it does not say; the others are grey.
    """
    loud = (results.suite.report.emphasis or results.methods)[:EMPHASISED]
    family = results.families
    families = list(dict.fromkeys(family[method] for method in results.methods if method in loud))
    found = {}
    for place, method in enumerate(results.methods):
        members = [name for name in results.methods if family[name] == family[method]]
        colour = QUIET
        if method in loud:
            emphasised = [name for name in members if name in loud]
            hue = HUES[families.index(family[method]) % len(HUES)]
            colour = _shade(hue, emphasised.index(method), len(emphasised))
        dash = DASHES[members.index(method) % len(DASHES)]
        found[method] = Look(colour, SHAPES[place % len(SHAPES)], dash)
    return found


def by_method(looks: dict[str, Look], aspect: str) -> Spec:
    """Encode the method by one aspect of its look; alike in every panel, whichever methods it has."""
    scale = {"domain": list(looks), "range": [getattr(look, aspect) for look in looks.values()]}
    return field("method:N", scale=scale, legend=None)


def _shade(hue: str, rank: int, members: int) -> str:
    """Go from darker to lighter than the hue over the members of a family."""
    if members == 1:
        return hue
    lightness = -0.3 + 0.72 * rank / (members - 1)
    target = 255 if lightness > 0 else 0
    channels = (int(hue[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (target - c) * abs(lightness)):02x}" for c in channels)


def stack(panels: Iterable[View | None], heading: str, subtitle: str = "") -> View | None:
    """Set the panels that there are one under another, below a heading; None if there are none."""
    drawn = [panel for panel in panels if panel is not None]
    if not drawn:
        return None
    if len(drawn) > MOST_PANELS:
        subtitle = f"{subtitle} The first {MOST_PANELS} of {len(drawn)} panels.".strip()
    title: dict[str, Any] = {"text": heading, "fontSize": 15, "anchor": "start", "offset": 12}
    if subtitle:
        title["subtitle"] = textwrap.wrap(subtitle, 100)
    whole = {"spacing": 28, "padding": 14, "background": "white", "title": title, "config": CONFIG}
    return join("vconcat", drawn[:MOST_PANELS], **whole)


def shorten(text: str, width: int = 44) -> str:
    """Cut a label that would crowd out the figure."""
    return text if len(text) <= width else text[: width - 1] + "…"
