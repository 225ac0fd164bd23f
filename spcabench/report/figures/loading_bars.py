"""The loadings of the first components, variable by variable."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.fits import Fits, first_fits, largest
from spcabench.report.figures.style import heading, stack
from spcabench.report.figures.views import Rows, View, facet, field, layer, number, value
from spcabench.report.model import Results

Array = NDArray[np.float64]

COMPONENTS, MOST_FEATURES = 6, 40
TICKS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
ROOM = 0.9
"""A tick further out than this share of the axis would be cut."""

COLOURS = ("#2166ac", "#b2182b")
TRUE = "#f7ecc0"

NOTE = (
    "Red is positive, blue negative; the variables keep their order. The components of each method stand below those "
    "that they resemble most, with their signs: the true ones, whose variables are shaded, or else the first method's. "
    "Small print: the place where the method returned a component, if it is another."
)

HEIGHT = 54
"""Of a panel, in units of the figure."""


def loading_bars(results: Results) -> View | None:
    """Draw methods as rows, components as columns, a bar for each variable; None with images or many variables."""
    fits = first_fits(results, every_level=True)
    few = (one for one in fits if not one.image_shape and one.n_features <= MOST_FEATURES)
    return stack(map(_panel, few), "Loadings of the first seed", NOTE)


def _panel(fits: Fits) -> View:
    limit = max(largest(arrays["components"]) for arrays in fits.arrays.values())
    tick = next((tick for tick in TICKS if tick <= ROOM * limit), TICKS[-1])
    names = f"{json.dumps(fits.names)}[datum.value]"  # by their place: names need not be unique
    x = field("variable:O", title=None, axis={"labelExpr": names, "labelAngle": -90})
    axis = {"values": [-tick, 0, tick], "format": "~g", "labelOverlap": False, "grid": False}
    y = field("loading:Q", title=None, scale={"domain": [-limit, limit], "nice": False}, axis=axis)
    sign = {"condition": {"test": "datum.loading < 0", "value": COLOURS[0]}, "value": COLOURS[1]}
    tooltip = ["method:N", "component:O", "name:N", number("loading")]
    moved = {"x": value(2), "y": value(HEIGHT), "text": "words:N"}  # below: the largest entry is positive
    shade = {"x": x, "y": {"datum": -limit}, "y2": {"datum": limit}}
    rows = Rows(_rows(fits))
    text = {"align": "left", "baseline": "bottom", "fontSize": 9, "color": "#333333"}
    panel = layer(
        rows.mark("bar", shade, color=TRUE, width={"band": 1.0}).where("datum.true"),
        rows.mark("bar", {"x": x, "y": y, "color": sign, "tooltip": tooltip}),
        rows.mark("rule", {"y": {"datum": 0}}, color="#888888", strokeWidth=0.7),
        rows.mark("text", moved, **text).where("datum.words"),
        width=max(90, 11 * fits.n_features),
        height=HEIGHT,
    )
    left = {"labelAngle": 0, "labelAlign": "left"}
    parts = {
        "row": field("method:N", sort=list(fits.arrays), title=None, header=left),
        "column": field("component:O", title=None, header={"labelExpr": "'component ' + datum.value"}),
    }
    return facet(panel, facet=parts, spacing=8, title=heading(fits.groups))


def _rows(fits: Fits) -> Iterator[dict[str, Any]]:
    true, names = _true(fits), fits.names
    wanted = next(iter(fits.arrays.values()))["components"] if true is None else true
    for method, arrays in fits.arrays.items():
        for place, (component, values) in enumerate(matched(arrays["components"], wanted)):
            if component >= COMPONENTS:
                continue
            for variable, loading in enumerate(values):
                yield {
                    "method": method,
                    "component": component + 1,
                    "variable": variable,
                    "name": names[variable],
                    "loading": float(loading),
                    "words": f"returned as no. {place + 1}" if place != component and variable == 0 else "",
                    "true": bool(true is not None and component < len(true) and true[component, variable]),
                }


def _true(fits: Fits) -> Array | None:
    """Return the true supports, 1 where a component lies, if the draw has them."""
    supports = fits.draw.get("supports") or ()
    found = np.zeros((len(supports), fits.n_features))
    for row, support in zip(found, supports, strict=True):
        row[list(support)] = 1.0
    return found if len(found) else None


def matched(components: Array, wanted: Array) -> list[tuple[int, Array]]:
    """Find the one that each component resembles most, and choose the sign that agrees with it.

    Parameters
    ----------
    components : ndarray, shape (r, d)
        Loadings.
    wanted : ndarray, shape (s, d)
        The loadings or supports to be matched; those that are not matched are numbered from s on.

    Returns
    -------
    list of (int, ndarray)
        For each component in its order: the number of its like, and the loadings with the sign.

    Examples
    --------
    >>> [number for number, _ in matched(np.array([[0.0, -1.0], [1.0, 0.0]]), np.eye(2))]
    [1, 0]
    """
    from scipy.optimize import linear_sum_assignment

    alike = components @ wanted.T
    size = np.where(np.abs(wanted).sum(axis=1) > 0, np.sqrt((wanted**2).sum(axis=1)), 1.0)
    overlap = np.abs(components) @ np.abs(wanted).T / size
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    like = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    later = iter(range(len(wanted), len(wanted) + len(components)))
    return [
        (like[row], -values if alike[row, like[row]] < 0 else values) if row in like else (next(later), values)
        for row, values in enumerate(components)
    ]
