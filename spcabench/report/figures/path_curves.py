"""What changes along a solution path and what does not: l1 norm, squared l2 norm and objective."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.curves import Extent
from spcabench.report.figures.fits import Paths, whole_paths
from spcabench.report.figures.selection import heading
from spcabench.report.figures.style import looks, stack
from spcabench.report.figures.views import Rows, View, field, join, layer, number
from spcabench.report.model import Results
from spcabench.traces import PathTable

WIDTH, HEIGHT = 250, 170

LABELS = "abs(datum.value) < 1e6 ? format(datum.value, ',') : format(datum.value, '.0e')"

CONSTANT = 1e-9
"""Numbers that differ relatively by no more are called constant."""

NOTE = "The iterates w as the method makes them, from the dense loading to one nonzero; their first component."


def draw(results: Results) -> View | None:
    """Draw one row of three panels for each method with whole paths; None if there is none."""
    rows = (_row(results, paths) for paths in whole_paths(results))
    return stack(rows, "Norms and objective along the solution path", NOTE)


def _row(results: Results, paths: Paths) -> View:
    table = paths.of_component[0]
    colour = looks(results)[paths.method].colour
    shown = {
        f"l1 norm: {_constancy(table.l1)}": table.l1,
        f"squared l2 norm: {_straightness(table)}": table.l2_squared,
        f"objective w'Sw: {_rise(table.variance)}": table.variance,
    }
    panels = [_panel(paths.method, table.step, values, says, colour) for says, values in shown.items()]
    return join("hconcat", panels, spacing=20, title=heading(paths.fits.groups, paths.label))


def _panel(method: str, step: NDArray[np.float64], values: NDArray[np.float64], says: str, colour: str) -> View:
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
    title = {"text": says, "fontSize": 11, "fontWeight": "normal", "frame": "group", "offset": 8}
    curve = rows.mark("line", encoding, strokeWidth=2, color=colour)
    return layer(curve, width=WIDTH, height=HEIGHT, title=title)


def _constancy(values: NDArray[np.float64]) -> str:
    low, high = float(values.min()), float(values.max())
    return f"{low:.4g}, constant" if high - low <= CONSTANT * high else f"{low:.4g} to {high:.4g}"


def _straightness(table: PathTable) -> str:
    """Return between which values it goes, and how far at most from a straight line between them."""
    values = table.l2_squared
    ends = _constancy(values)
    if ends.endswith("constant"):
        return ends
    line = np.interp(table.step, table.step[[0, -1]], values[[0, -1]])
    share = float(np.abs(values - line).max() / (values.max() - values.min()))
    return f"{ends}, {100 * share:.1f} % off a line"


def _rise(values: NDArray[np.float64]) -> str:
    steps = np.diff(values)
    ends = f"{values[0]:.4g} to {values[-1]:.4g}"
    return f"{ends}, always rising" if (steps > 0).all() else f"{ends}, rising on {100 * (steps > 0).mean():.0f} %"
