"""What all figures share: colours, shapes, dashes, fonts; which cells and loadings a panel shows, and its heading."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.views import Spec, View, field, join
from spcabench.report.groups import Group, by_reason
from spcabench.report.model import Results
from spcabench.store.about import DrawRecord
from spcabench.store.frame import Level
from spcabench.store.status import FINISHED, STATUSES

FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
INK = "#222222"
QUIET = "#c2c2c2"
LOUD = "#b00020"

HUES = (
    *("#1f1f1f", "#0072b2", "#d55e00", "#80a0a0", "#400060"),
    *("#a06060", "#404000", "#e0a080", "#a0a0e0", "#804060"),
)
"""One for each emphasised method; others are grey.  Any two are 20 or more apart in CIELAB, also for who sees no red or
no green."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")

DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [10, 4], [4, 4])

MOST_PANELS = 8
"""Panels beyond these are left to the tables."""

LINE = 90
"""Characters of a line below a heading."""

UNFINISHED = tuple(status for status in STATUSES if status not in (*FINISHED, "skipped", "unavailable"))
"""Statuses of fits that were begun."""

CONFIG: Spec = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {"labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 320},
    "title": {"fontSize": 13, "anchor": "start", "color": INK, "subtitleColor": "#555555", "subtitlePadding": 5},
    "header": {"labelFontSize": 11, "labelLimit": 320},
}
"""Fonts and lines of all figures."""


@dataclass(frozen=True)
class Look:
    """How a method is drawn, in every figure alike."""

    colour: str
    shape: str
    dash: list[int]


def looks(results: Results) -> dict[str, Look]:
    """Return every method its look."""
    return looks_of(results.methods, results.suite.report.emphasis)


def looks_of(names: Sequence[str], emphasis: Sequence[str] = ()) -> dict[str, Look]:
    """Return every curve its look: a hue of its own, and dash and shape by its place.

    The first ten that are emphasised have colour, or the first ten if none is; the others are grey.
    """
    loud = (emphasis or names)[: len(HUES)]
    hues = dict(zip((name for name in names if name in loud), HUES, strict=False))
    return {
        name: Look(hues.get(name, QUIET), SHAPES[place % len(SHAPES)], DASHES[place % len(DASHES)])
        for place, name in enumerate(names)
    }


def by_method(looks: dict[str, Look], aspect: str) -> Spec:
    """Encode the method by one aspect of its look; alike in every panel, whichever methods it has."""
    scale = {"domain": list(looks), "range": [getattr(look, aspect) for look in looks.values()]}
    return field("method:N", scale=scale, legend=None)


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


def each_level(results: Results, dataset: str) -> list[list[Group]]:
    """Return the groups of a data set at each number of components and level, each time with those without a level.

    The methods are in the order of the suite.
    """
    groups = results.of_dataset(dataset)
    levels = dict.fromkeys((group.n_components, group.level) for group in groups if group.level)
    levels = levels or dict.fromkeys((group.n_components, Level()) for group in groups)
    ordered = sorted(groups, key=lambda group: results.methods.index(group.method))
    return [[one for one in ordered if one.n_components == n and one.level in (Level(), level)] for n, level in levels]


def one_level(results: Results, dataset: str) -> list[Group]:
    """Return the groups of a data set at the middle one of its sparsity levels, and those without a level."""
    levels = each_level(results, dataset)
    return levels[len(levels) // 2] if levels else []


def level_of(groups: Iterable[Group]) -> str:
    """Name the sparsity level of the groups, if they have one."""
    level = next((group.level for group in groups if group.level), Level())
    return f"target: {level} {'nonzero' if level == Level(1) else 'nonzeros'}" if level else ""


def label_of(groups: Sequence[Group]) -> str:
    """Name a panel by its data set and sparsity level."""
    return ", ".join(filter(None, (groups[0].dataset, level_of(groups))))


def heading(groups: Sequence[Group], text: str = "") -> Spec:
    """Head a panel; below stand the methods that did not finish, and those that missed a target.

    Parameters
    ----------
    groups : sequence of Group
        All that the panel would show if they had gone well; if another data set stood in for theirs, it is in red.
    text : str
        What it shows; their data set and sparsity level if it is empty.
    """
    colour = LOUD if any(group.first("stand_in") for group in groups) else INK
    lines = [line for said in shortfalls(groups) for line in textwrap.wrap(said, LINE)]
    head: Spec = {"text": textwrap.wrap(text or label_of(groups), 70), "color": colour}
    return head | ({"subtitle": lines} if lines else {})


def shortfalls(groups: Iterable[Group]) -> Iterator[str]:
    """Yield a line with the methods that did not finish, and one with those that missed a target; none if none did."""
    failed, missed = [], []
    for group in groups:
        failed += [(group.method, status.replace("_", " ")) for status in group.statuses if status in UNFINISHED]
        missed += [group.method] if group.n_missed else []
    if failed:
        yield f"Did not finish in some or all fits: {by_reason(failed)}."
    if missed:
        yield f"Missed the target in some or all fits: {', '.join(dict.fromkeys(missed))}."


@dataclass(frozen=True)
class Fits:
    """The loadings of the first seed, by method, and what is known of the draw they were fitted to.

    The groups are all that were to be fitted to it.
    """

    draw: DrawRecord
    arrays: dict[str, dict[str, NDArray[Any]]]
    groups: list[Group]

    @property
    def n_features(self) -> int:
        """The number of variables."""
        return max(int(arrays["components"].shape[1]) for arrays in self.arrays.values())

    @property
    def names(self) -> list[str]:
        """The names of the variables, or their numbers from 1."""
        names = [shorten(name, 20) for name in self.draw.feature_names]
        numbers = [str(number + 1) for number in range(self.n_features)]
        return names if len(names) == len(numbers) else numbers


def first_fits(results: Results, every_level: bool = False) -> Iterator[Fits]:
    """Return the fits of the first seed to every data set that has any, at one sparsity level or at each."""
    for dataset in results.datasets:
        chosen = each_level(results, dataset) if every_level else [one_level(results, dataset)]
        yield from filter(None, (_first(results, groups) for groups in chosen))


def _first(results: Results, groups: list[Group]) -> Fits | None:
    cells = [cell for group in groups for cell in group.finished]
    seed = min((cell["seed"] for cell in cells), default=0)
    first = [cell for cell in cells if cell["seed"] == seed]
    arrays = {cell["method"]: found for cell in first if (found := results.folder.loadings(str(cell["key"])))}
    draw = results.folder.draw_record(str(first[0]["draw_id"])) if arrays else None
    return Fits(draw, arrays, groups) if draw else None


def largest(array: NDArray[Any]) -> float:
    """Return the largest magnitude, or one if all is zero."""
    return float(np.abs(array).max(initial=0.0)) or 1.0
