"""The coefficient profile of a solution path: every loading against the bound on the l1 norm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.axes import Extent
from spcabench.report.figures.curves import GAP, HEIGHT, NAMES, WIDTH
from spcabench.report.figures.labels import spread
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import DASHES, EMPHASISED, HUES, INK, QUIET, data, stack
from spcabench.report.figures.views import join, layer
from spcabench.report.figures.whole_paths import Paths, whole_paths
from spcabench.report.model import Results
from spcabench.traces import PathTable

COMPONENTS = 2
MOST_LABELS = 20
"""Up to so many variables all are named; beyond, only those that are emphasised."""

MARK_GAP = 13.0
"""Pixels between the numbers above the marks."""

TICK_GAP = 28.0
"""Pixels between the ticks."""

TICKS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)


def draw(results: Results) -> Any:
    """Draw one row for each method with whole paths, its first components side by side; None if there is none."""
    rows = [_row(paths) for paths in whole_paths(results)]
    legend = (
        "Unit loadings against their l1 norm, logarithmic: from one nonzero at the left to the dense loading at the "
        "right. A dashed mark is where a variable leaves; above it the number of nonzeros that are left."
    )
    return stack(rows, "Loadings along the solution path", legend)


def _row(paths: Paths) -> Any:
    panels = [_panel(Profile(paths, j, paths.of_component[j])) for j in range(COMPONENTS) if j in paths.of_component]
    head = heading(f"{paths.label}: {paths.method}", paths.stand_in, paths.groups)
    return join("hconcat", panels, spacing=24, title=head)


@dataclass(frozen=True)
class Profile:
    """The path of one component, and how its variables are drawn."""

    paths: Paths
    component: int
    table: PathTable

    @property
    def shown(self) -> list[int]:
        """The columns of the table that are ever nonzero, those that stay longest first."""
        return np.flatnonzero(self.table.loadings.any(axis=0)).tolist()

    @property
    def loud(self) -> list[int]:
        """The columns that are emphasised."""
        return self.shown[:EMPHASISED]

    @property
    def named(self) -> list[int]:
        """The columns that are named at the end of their lines."""
        return self.shown if len(self.shown) <= MOST_LABELS else self.loud

    @property
    def bound(self) -> NDArray[np.float64]:
        """The l1 norm of the unit loadings, no less than 1."""
        return np.maximum(self.table.bound, 1.0)

    def name(self, column: int) -> str:
        """Return the name of a column's variable."""
        return self.paths.names[int(self.table.features[column])]

    def colour(self, column: int) -> str:
        """Return a column's colour: grey unless it is emphasised."""
        return HUES[self.shown.index(column) % len(HUES)] if column in self.loud else QUIET

    def rows(self, column: int) -> Iterator[dict[str, Any]]:
        """Return the points of a line, up to where it comes to zero for good."""
        values = self.table.unit_loadings[:, column]
        last = min(int(np.flatnonzero(values)[-1]) + 1, len(values) - 1)
        for i in range(last + 1):
            yield self._entry(column) | {
                "x": round(float(self.bound[i]), 5),
                "y": round(float(values[i]), 5),
                "nonzeros": int(self.table.cardinality[i]),
            }

    def leaving(self) -> list[dict[str, Any]]:
        """Return the places where named variables leave for good, with the number above those that have room."""
        values, places = self.table.loadings, []
        for column in self.named:
            last = int(np.flatnonzero(values[:, column])[-1])
            if last + 1 < len(values):
                left = int(self.table.cardinality[last + 1])
                places.append(self._entry(column) | {"x": float(self.bound[last + 1]), "left": left})
        return _with_room(sorted(places, key=lambda place: float(place["x"])), self.across)

    @property
    def across(self) -> Extent:
        """The x axis."""
        return Extent.of(self.bound, log=True)

    @property
    def upward(self) -> Extent:
        """The y axis, with zero."""
        return Extent.of([0.0, *self.table.unit_loadings.ravel().tolist()])

    def ends(self) -> list[dict[str, Any]]:
        """Place the names beside the dense ends of their lines."""
        dense = self.table.unit_loadings[0]
        wanted = {str(column): HEIGHT * (1 - self.upward.share(float(dense[column]))) for column in self.named}
        places = spread(wanted, GAP, 0.0, HEIGHT)
        x = float(self.bound[0])
        return [
            self._entry(column) | {"x": x, "y": float(dense[column]), "place": places[str(column)]}
            for column in self.named
        ]

    def _entry(self, column: int) -> dict[str, Any]:
        """Return what all marks of a column share; a hue that comes a second time is dashed."""
        return {
            "method": self.paths.method,
            "column": column,
            "variable": self.name(column),
            "colour": self.colour(column),
            "again": column in self.loud[len(HUES) :],
        }


def _with_room(places: list[dict[str, Any]], across: Extent) -> list[dict[str, Any]]:
    """Leave out the numbers that would run into the one before; at one place the last mark counts."""
    kept: list[dict[str, Any]] = []
    end = -MARK_GAP
    for place in places:
        at = WIDTH * across.share(place["x"])
        kept.append(place | {"above": str(place["left"]) if at - end >= MARK_GAP else ""})
        end = at if kept[-1]["above"] else end
    return kept


def _ticks(across: Extent) -> list[float]:
    """Return the round numbers on the axis that have room for their labels."""
    kept: list[float] = []
    for tick in TICKS:
        if across.low <= tick <= across.high and (
            not kept or WIDTH * (across.share(tick) - across.share(kept[-1])) >= TICK_GAP
        ):
            kept.append(tick)
    return kept


def _panel(profile: Profile) -> Any:
    columns = profile.shown[::-1]  # those that stay longest are drawn last, above the others
    across, upward = profile.across, profile.upward
    colour = alt.Color("colour:N", scale=None)
    dash = alt.StrokeDash("again:N", scale=alt.Scale(domain=[False, True], range=list(DASHES[:2])), legend=None)
    x = alt.X(
        "x:Q",
        title="l1 norm of the loading (left is sparser)",
        scale=across.scale,
        axis=alt.Axis(values=_ticks(across), grid=False, format="~g"),
    )
    y = alt.Y("y:Q", title="loading", scale=upward.scale, axis=alt.Axis(tickCount=6))
    tooltip = [
        alt.Tooltip("variable:N"),
        alt.Tooltip("y:Q", title="loading", format=".4~g"),
        alt.Tooltip("x:Q", title="l1 norm", format=".4~g"),
        alt.Tooltip("nonzeros:Q"),
    ]
    lines = alt.Chart(data(row for column in columns for row in profile.rows(column))).encode(
        x=x, y=y, color=colour, detail="column:O", tooltip=tooltip
    )
    ends = alt.Chart(data(profile.ends()))
    leads = ends.encode(x=x, y=y, x2=alt.value(NAMES), y2=alt.value(alt.expr("datum.place")), color=colour)
    named = ends.encode(x=alt.value(NAMES), y=alt.value(alt.expr("datum.place")), text="variable:N")
    return layer(
        *_marks(profile, x, colour),
        alt.Chart(data([{"y": 0.0}])).mark_rule(color="#888888", strokeWidth=0.7).encode(y=y),
        leads.mark_rule(strokeWidth=0.9, strokeDash=[1, 2], clip=False),
        lines.mark_line(strokeWidth=2, interpolate="linear").encode(strokeDash=dash),
        named.mark_text(align="left", dx=5, fontSize=11, color=INK, clip=False),
        width=WIDTH,
        height=HEIGHT,
        title=_heading(profile),
    )


def _marks(profile: Profile, x: Any, colour: Any) -> list[Any]:
    """Draw a mark where a variable leaves, and above it how many are left."""
    places = profile.leaving()
    if not places:
        return []
    base = alt.Chart(data(places)).encode(x=x)
    tooltip = [alt.Tooltip("variable:N", title="leaves"), alt.Tooltip("left:Q", title="nonzeros left")]
    return [
        base.mark_rule(strokeWidth=1, strokeDash=[4, 3], opacity=0.7).encode(color=colour, tooltip=tooltip),
        base.mark_text(baseline="bottom", dy=-2, fontSize=10, color="#555555", clip=False).encode(
            y=alt.value(0), text="above:N"
        ),
    ]


def _heading(profile: Profile) -> alt.TitleParams:
    """Name the component; say which variables are shown where not all are."""
    dense = int(profile.table.cardinality[0])
    shown = len(profile.shown)
    text = f"component {profile.component + 1}"
    if shown < dense:
        text += f": {shown} of {dense} variables, those that stay longest"
    return alt.TitleParams(text, frame="group", offset=16, fontWeight="normal")
