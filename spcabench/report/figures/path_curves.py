"""What changes along a solution path and what does not: l1 norm, squared l2 norm and objective."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.axes import Extent
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import data, looks, stack
from spcabench.report.figures.views import join, layer
from spcabench.report.figures.whole_paths import Paths, whole_paths
from spcabench.report.model import Results
from spcabench.traces import PathTable

WIDTH, HEIGHT = 250, 170

LABELS = "abs(datum.value) < 1e6 ? format(datum.value, ',') : format(datum.value, '.0e')"

CONSTANT = 1e-9
"""Numbers that differ relatively by no more are called constant."""


def draw(results: Results) -> Any:
    """Draw one row of three panels for each method with whole paths; None if there is none."""
    rows = [_row(results, paths) for paths in whole_paths(results)]
    note = "The iterates w as the method makes them, from the dense loading to one nonzero; their first component."
    return stack(rows, "Norms and objective along the solution path", note)


def _row(results: Results, paths: Paths) -> Any:
    table = paths.of_component[0]
    colour = looks(results)[paths.method].colour
    panels = [
        _panel(paths.method, table.step, values, says, colour)
        for says, values in (
            (f"l1 norm: {_constancy(table.l1)}", table.l1),
            (f"squared l2 norm: {_straightness(table)}", table.l2_squared),
            (f"objective w'Sw: {_rise(table.variance)}", table.variance),
        )
    ]
    head = heading(f"{paths.label}: {paths.method}", paths.stand_in, paths.groups)
    return join("hconcat", panels, spacing=20, title=head)


def _panel(method: str, step: NDArray[np.float64], values: NDArray[np.float64], says: str, colour: str) -> Any:
    """Draw one curve above zero, so that rounding does not look like a change."""
    extent = Extent.of([0.0, *values.tolist()])
    rows = ({"method": method, "x": float(x), "y": float(y)} for x, y in zip(step, values, strict=True))
    curve = (
        alt.Chart(data(rows))
        .mark_line(strokeWidth=2, color=colour)
        .encode(
            x=alt.X(
                "x:Q",
                title="step of the path",
                scale=alt.Scale(nice=False),
                axis=alt.Axis(tickCount=4, labelExpr="format(datum.value, '~s')"),
            ),
            y=alt.Y(
                "y:Q",
                title=None,
                scale=alt.Scale(domain=[0.0, extent.high], nice=False),
                axis=alt.Axis(tickCount=5, labelExpr=LABELS, minExtent=42),
            ),
            tooltip=[alt.Tooltip("x:Q", title="step"), alt.Tooltip("y:Q", title="value", format=".6~g")],
        )
    )
    heading = alt.TitleParams(says, fontSize=11, fontWeight="normal", frame="group", offset=8)
    return layer(curve, width=WIDTH, height=HEIGHT, title=heading)


def _constancy(values: NDArray[np.float64]) -> str:
    low, high = float(values.min()), float(values.max())
    return f"{_short(low)}, constant" if high - low <= CONSTANT * high else f"{_short(low)} to {_short(high)}"


def _straightness(table: PathTable) -> str:
    """Return between which values it goes, and how far at most from a straight line between them."""
    values = table.l2_squared
    low, high = float(values.min()), float(values.max())
    ends = f"{_short(low)} to {_short(high)}"
    if high - low <= CONSTANT * high:
        return _constancy(values)
    line = np.interp(table.step, table.step[[0, -1]], values[[0, -1]])
    share = float(np.abs(values - line).max()) / (high - low)
    return f"{ends}, {100 * share:.1f} % off a line"


def _rise(values: NDArray[np.float64]) -> str:
    steps = np.diff(values)
    ends = f"{_short(values[0])} to {_short(values[-1])}"
    return f"{ends}, always rising" if (steps > 0).all() else f"{ends}, rising on {100 * (steps > 0).mean():.0f} %"


def _short(value: float) -> str:
    return f"{value:.4g}"
