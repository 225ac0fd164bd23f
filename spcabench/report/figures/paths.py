"""Solution paths: every loading against the bound on the l1 norm, and what changes along the way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.curves import GAP, HEIGHT, NAMES, PLACE, WIDTH, spread
from spcabench.report.figures.points import Extent
from spcabench.report.figures.style import HUES, INK, QUIET, Fits, first_fits, heading, label_of, looks, stack
from spcabench.report.figures.views import Rows, Spec, View, field, join, layer, number, value
from spcabench.report.model import Results
from spcabench.traces import PathTable, paths_of

COMPONENTS = 2

MOST_METHODS = 3
"""Methods with whole paths beyond these are left out."""

NEARLY = 0.9
"""A path that starts with a smaller share of the features is not whole; some may not vary."""

MOST_LABELS = 20
"""Up to so many variables all are named; beyond, only those that are emphasised."""

MARK_GAP = 13.0
"""Pixels between the numbers above the marks."""

OF_LOADINGS = (
    "Unit loadings against their l1 norm, logarithmic: from one nonzero at the left to the dense loading at the "
    "right. A dashed mark is where a variable leaves; above it the number of nonzeros that are left."
)

LABELS = "abs(datum.value) < 1e6 ? format(datum.value, ',') : format(datum.value, '.0e')"

OF_CURVES = "The iterates w as the method makes them, from the dense loading to one nonzero; their first component."


Paths = dict[int, PathTable]
"""The paths of a method, by component from 0."""


def solution_path(results: Results) -> View | None:
    """Draw one row for each method with whole paths, its first components side by side; None if there is none."""
    rows = (
        join(
            "hconcat",
            [_profile(fits, method, of[j], j) for j in range(COMPONENTS) if j in of],
            spacing=24,
            title=heading(fits.groups, f"{label_of(fits.groups)}: {method}"),
        )
        for fits, method, of in _whole_paths(results)
    )
    return stack(rows, "Loadings along the solution path", OF_LOADINGS)


def _whole_paths(results: Results) -> Iterator[tuple[Fits, str, Paths]]:
    """Yield the paths of the first methods, data set by data set, whose first path leads from all features to one."""
    for fits in first_fits(results):
        known = ((method, paths_of(arrays)) for method, arrays in fits.arrays.items())
        whole = ((method, of) for method, of in known if 0 in of and _is_whole(of[0], fits.n_features))
        yield from ((fits, method, of) for method, of in islice(whole, MOST_METHODS))


def _is_whole(path: PathTable, d: int) -> bool:
    return bool(path.cardinality[-1] == 1 and path.cardinality[0] >= NEARLY * d and path.n_points > 1)


def _profile(fits: Fits, method: str, table: PathTable, component: int) -> View:
    """Draw the path of one component: a line for each variable that is ever nonzero, the longest drawn last."""
    names, unit, bound = fits.names, table.unit_loadings, np.maximum(table.bound, 1.0)
    gone = {j: int(np.flatnonzero(of)[-1]) + 1 for j, of in enumerate(table.loadings.T) if of.any()}
    shown = list(gone)  # those that stay longest first
    named = shown if len(shown) <= MOST_LABELS else shown[: len(HUES)]
    across, upward = Extent.of(bound, log=True), Extent.of([0.0, *unit.ravel().tolist()])

    def entry(rank: int, step: int, **more: Any) -> dict[str, Any]:
        """Return what all marks of a variable share: grey but for the first."""
        j = shown[rank]
        return {
            "method": method,
            "column": j,
            "variable": names[int(table.features[j])],
            "colour": HUES[rank % len(HUES)] if rank < len(HUES) else QUIET,
            "x": round(float(bound[step]), 5),
            "y": round(float(unit[step, j]), 5),
            **more,
        }

    lines = (
        entry(rank, step, nonzeros=int(table.cardinality[step]))
        for rank in reversed(range(len(shown)))
        for step in range(min(gone[shown[rank]] + 1, table.n_points))
    )
    leaving, end = [], -MARK_GAP
    for rank, j in sorted(enumerate(named), key=lambda one: -gone[one[1]]):
        if gone[j] < table.n_points:
            at, left = WIDTH * across.share(float(bound[gone[j]])), int(table.cardinality[gone[j]])
            above, end = (str(left), at) if at - end >= MARK_GAP else ("", end)
            leaving.append(entry(rank, gone[j], left=left, above=above))
    heights = {str(j): HEIGHT * (1 - upward.share(float(unit[0, j]))) for j in named}
    places = spread(heights, GAP, 0.0, HEIGHT)
    ends = Rows(entry(rank, 0, place=places[str(j)]) for rank, j in enumerate(named))
    ticks = {"grid": False, "format": "~g", "labelOverlap": True}
    x = field("x:Q", title="l1 norm of the loading (left is sparser)", scale=across.scale, axis=ticks)
    y = field("y:Q", title="loading", scale=upward.scale, axis={"tickCount": 6})
    at_line = {"x": x, "y": y, "color": field("colour:N", scale=None)}
    tooltip = ["variable:N", number("y", "loading", ".4~g"), number("x", "l1 norm", ".4~g"), "nonzeros:Q"]
    name = {"x": value(NAMES), "y": PLACE, "text": "variable:N"}
    lead = {"x2": value(NAMES), "y2": PLACE}
    few = f": {len(shown)} of {int(table.cardinality[0])} variables, those that stay longest"
    text = f"component {component + 1}{few if len(shown) < table.cardinality[0] else ''}"
    return layer(
        *(_marks(Rows(leaving), x) if leaving else []),
        Rows([{"y": 0.0}]).mark("rule", {"y": y}, color="#888888", strokeWidth=0.7),
        ends.mark("rule", at_line | lead, strokeWidth=0.9, strokeDash=[1, 2], clip=False),
        Rows(lines).mark("line", {**at_line, "detail": "column:O", "tooltip": tooltip}, strokeWidth=2),
        ends.mark("text", name, align="left", dx=5, fontSize=11, color=INK, clip=False),
        width=WIDTH,
        height=HEIGHT,
        title={"text": text, "frame": "group", "offset": 16, "fontWeight": "normal"},
    )


def _marks(leaving: Rows, x: Spec) -> list[View]:
    """Draw a mark where a variable leaves, and above it how many are left."""
    tooltip = [field("variable:N", title="leaves"), field("left:Q", title="nonzeros left")]
    at, above = {"x": x, "color": field("colour:N", scale=None), "tooltip": tooltip}, {"x": x, "y": value(0)}
    text = {"baseline": "bottom", "dy": -2, "fontSize": 10, "color": "#555555", "clip": False}
    return [
        leaving.mark("rule", at, strokeWidth=1, strokeDash=[4, 3], opacity=0.7),
        leaving.mark("text", {**above, "text": "above:N"}, **text),
    ]


def path_curves(results: Results) -> View | None:
    """Draw one row of three panels for each method with whole paths; None if there is none."""
    rows = (_curves(results, *one) for one in _whole_paths(results))
    return stack(rows, "Norms and objective along the solution path", OF_CURVES)


def _curves(results: Results, fits: Fits, method: str, paths: Paths) -> View:
    table, colour = paths[0], looks(results)[method].colour
    shown = {"l1 norm": table.l1, "squared l2 norm": table.l2_squared, "objective w'Sw": table.variance}
    panels = [_curve(method, table.step, values, says, colour) for says, values in shown.items()]
    return join("hconcat", panels, spacing=20, title=heading(fits.groups, f"{label_of(fits.groups)}: {method}"))


def _curve(method: str, step: NDArray[np.float64], values: NDArray[np.float64], says: str, colour: str) -> View:
    """Draw one curve above zero, so that rounding does not look like a change."""
    high = Extent.of([0.0, *values.tolist()]).high
    rows = Rows({"method": method, "x": float(x), "y": float(y)} for x, y in zip(step, values, strict=True))
    along = {"tickCount": 4, "labelExpr": "format(datum.value, '~s')"}
    up = {"tickCount": 5, "labelExpr": LABELS, "minExtent": 42}
    encoding = {
        "x": field("x:Q", title="step of the path", scale={"nice": False}, axis=along),
        "y": field("y:Q", title=None, scale={"domain": [0.0, high], "nice": False}, axis=up),
        "tooltip": [field("x:Q", title="step"), number("y", "value", ".6~g")],
    }
    text = f"{says}: {values[0]:.4g} to {values[-1]:.4g}"
    title = {"text": text, "fontSize": 11, "fontWeight": "normal", "frame": "group", "offset": 8}
    curve = rows.mark("line", encoding, strokeWidth=2, color=colour)
    return layer(curve, width=250, height=170, title=title)
