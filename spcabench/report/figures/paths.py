"""Solution paths: every loading against the bound on the l1 norm, and what changes along the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.curves import GAP, HEIGHT, NAMES, PLACE, WIDTH, spread
from spcabench.report.figures.fits import Paths, whole_paths
from spcabench.report.figures.points import Extent
from spcabench.report.figures.style import EMPHASISED, HUES, INK, QUIET, heading, looks, stack
from spcabench.report.figures.views import Rows, Spec, View, field, join, layer, number, value
from spcabench.report.model import Results
from spcabench.traces import PathTable

COMPONENTS = 2
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


def solution_path(results: Results) -> View | None:
    """Draw one row for each method with whole paths, its first components side by side; None if there is none."""
    return stack(map(_row, whole_paths(results)), "Loadings along the solution path", OF_LOADINGS)


def _row(paths: Paths) -> View:
    tables = ((j, paths.of_component[j]) for j in range(COMPONENTS) if j in paths.of_component)
    panels = [_profile(Profile(paths.method, paths.fits.names, table), j) for j, table in tables]
    return join("hconcat", panels, spacing=24, title=heading(paths.fits.groups, paths.label))


@dataclass(frozen=True)
class Profile:
    """The path of one component of a method, and how its variables are drawn."""

    method: str
    names: list[str]
    table: PathTable

    @cached_property
    def shown(self) -> list[int]:
        """The columns of the table that are ever nonzero, those that stay longest first."""
        return np.flatnonzero(self.table.loadings.any(axis=0)).tolist()

    @cached_property
    def named(self) -> list[int]:
        """The columns that are named at the end of their lines."""
        return self.shown if len(self.shown) <= MOST_LABELS else self.shown[:EMPHASISED]

    @cached_property
    def bound(self) -> NDArray[np.float64]:
        """The l1 norm of the unit loadings, no less than 1."""
        return np.maximum(self.table.bound, 1.0)

    @cached_property
    def across(self) -> Extent:
        """The x axis."""
        return Extent.of(self.bound, log=True)

    @cached_property
    def upward(self) -> Extent:
        """The y axis, with zero."""
        return Extent.of([0.0, *self.table.unit_loadings.ravel().tolist()])

    def _entry(self, column: int, **more: Any) -> dict[str, Any]:
        """Return what all marks of a column share: grey but for the first."""
        rank = self.shown.index(column)
        return {
            "method": self.method,
            "column": column,
            "variable": self.names[int(self.table.features[column])],
            "colour": HUES[rank % len(HUES)] if rank < EMPHASISED else QUIET,
            **more,
        }

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the points of the lines, each up to where it comes to zero for good; the longest are drawn last."""
        for column in reversed(self.shown):
            values = self.table.unit_loadings[:, column]
            last = min(int(np.flatnonzero(values)[-1]) + 1, len(values) - 1)
            for i in range(last + 1):
                x, y = round(float(self.bound[i]), 5), round(float(values[i]), 5)
                yield self._entry(column, x=x, y=y, nonzeros=int(self.table.cardinality[i]))

    def leaving(self) -> list[dict[str, Any]]:
        """Return the places where named variables leave for good, with the number above those that have room."""
        gone = {column: int(np.flatnonzero(self.table.loadings[:, column])[-1]) + 1 for column in self.named}
        end, places = -MARK_GAP, []
        for column, step in sorted(gone.items(), key=lambda item: -item[1]):
            if step < self.table.n_points:
                x, left = float(self.bound[step]), int(self.table.cardinality[step])
                at = WIDTH * self.across.share(x)
                above, end = (str(left), at) if at - end >= MARK_GAP else ("", end)
                places.append(self._entry(column, x=x, left=left, above=above))
        return places

    def ends(self) -> list[dict[str, Any]]:
        """Place the names beside the dense ends of their lines."""
        dense, x = self.table.unit_loadings[0], float(self.bound[0])
        wanted = {str(column): HEIGHT * (1 - self.upward.share(float(dense[column]))) for column in self.named}
        places = spread(wanted, GAP, 0.0, HEIGHT)
        return [self._entry(at, x=x, y=float(dense[at]), place=places[str(at)]) for at in self.named]


def _profile(profile: Profile, component: int) -> View:
    ticks = {"grid": False, "format": "~g", "labelOverlap": True}
    x = field("x:Q", title="l1 norm of the loading (left is sparser)", scale=profile.across.scale, axis=ticks)
    y = field("y:Q", title="loading", scale=profile.upward.scale, axis={"tickCount": 6})
    colour = field("colour:N", scale=None)
    tooltip = ["variable:N", number("y", "loading", ".4~g"), number("x", "l1 norm", ".4~g"), "nonzeros:Q"]
    at = {"x": x, "y": y, "color": colour}
    lines = {**at, "detail": "column:O", "tooltip": tooltip}
    ends = Rows(profile.ends())
    lead = {**at, "x2": value(NAMES), "y2": PLACE}
    name = {"x": value(NAMES), "y": PLACE, "text": "variable:N"}
    return layer(
        *_marks(profile, x, colour),
        Rows([{"y": 0.0}]).mark("rule", {"y": y}, color="#888888", strokeWidth=0.7),
        ends.mark("rule", lead, strokeWidth=0.9, strokeDash=[1, 2], clip=False),
        Rows(profile.lines()).mark("line", lines, strokeWidth=2, interpolate="linear"),
        ends.mark("text", name, align="left", dx=5, fontSize=11, color=INK, clip=False),
        width=WIDTH,
        height=HEIGHT,
        title=_title(profile, component),
    )


def _marks(profile: Profile, x: Spec, colour: Spec) -> list[View]:
    """Draw a mark where a variable leaves, and above it how many are left."""
    places = profile.leaving()
    if not places:
        return []
    rows = Rows(places)
    tooltip = [field("variable:N", title="leaves"), field("left:Q", title="nonzeros left")]
    above = {"x": x, "y": value(0), "text": "above:N"}
    text = {"baseline": "bottom", "dy": -2, "fontSize": 10, "color": "#555555", "clip": False}
    rule = {"strokeWidth": 1, "strokeDash": [4, 3], "opacity": 0.7}
    return [
        rows.mark("rule", {"x": x, "color": colour, "tooltip": tooltip}, **rule),
        rows.mark("text", above, **text),
    ]


def _title(profile: Profile, component: int) -> Spec:
    """Name the component; say which variables are shown where not all are."""
    shown, dense = len(profile.shown), int(profile.table.cardinality[0])
    few = f": {shown} of {dense} variables, those that stay longest" if shown < dense else ""
    return {"text": f"component {component + 1}{few}", "frame": "group", "offset": 16, "fontWeight": "normal"}


def path_curves(results: Results) -> View | None:
    """Draw one row of three panels for each method with whole paths; None if there is none."""
    rows = (_curves(results, paths) for paths in whole_paths(results))
    return stack(rows, "Norms and objective along the solution path", OF_CURVES)


def _curves(results: Results, paths: Paths) -> View:
    table = paths.of_component[0]
    colour = looks(results)[paths.method].colour
    shown = {"l1 norm": table.l1, "squared l2 norm": table.l2_squared, "objective w'Sw": table.variance}
    panels = [_curve(paths.method, table.step, values, says, colour) for says, values in shown.items()]
    return join("hconcat", panels, spacing=20, title=heading(paths.fits.groups, paths.label))


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
