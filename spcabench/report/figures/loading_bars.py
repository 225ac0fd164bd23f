"""The loadings of the first components, variable by variable."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from spcabench.report.figures.selection import (
    Fits,
    feature_names,
    first_fits_each_level,
    image_shape,
    largest,
    n_features,
)
from spcabench.report.figures.shortfalls import heading
from spcabench.report.figures.style import data, stack
from spcabench.report.figures.views import single
from spcabench.report.model import Results

Array = NDArray[np.float64]

COMPONENTS, MOST_FEATURES = 6, 40
TICKS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
ROOM = 0.9
"""A tick further out than this share of the axis would be cut."""

COLOURS = ("#2166ac", "#b2182b")
TRUE = "#f7ecc0"
MOVED = "#777777"

NOTE = (
    "Red is positive, blue negative; the variables keep their order. The components of each method stand below those "
    "that they resemble most, with their signs: the true ones, whose variables are shaded, or else the first method's. "
    "Small print: the place where the method returned a component, if it is another."
)


HEIGHT = 54
"""Of a panel, in units of the figure."""


def draw(results: Results) -> Any:
    """Draw methods as rows, components as columns, a bar for each variable; None with images or many variables."""
    panels = [
        _panel(fits)
        for fits in first_fits_each_level(results)
        if not image_shape(fits.draw) and n_features(fits) <= MOST_FEATURES
    ]
    return stack(panels, "Loadings of the first seed", NOTE)


def _panel(fits: Fits) -> Any:
    limit = max(largest(arrays["components"]) for arrays in fits.arrays.values())
    tick = next((tick for tick in TICKS if tick <= ROOM * limit), TICKS[-1])
    d = n_features(fits)
    names = feature_names(fits)
    x = alt.X("variable:O", title=None, axis=alt.Axis(labelExpr=_names_expression(names), labelAngle=-90))
    y = alt.Y(
        "loading:Q",
        title=None,
        scale=alt.Scale(domain=[-limit, limit], nice=False),
        axis=alt.Axis(values=[-tick, 0, tick], format="~g", labelOverlap=False, grid=False),
    )
    colour = alt.condition("datum.loading < 0", alt.value(COLOURS[0]), alt.value(COLOURS[1]))
    tooltip = ["method:N", "component:O", "name:N", alt.Tooltip("loading:Q", format=".10~g")]
    shade = alt.Chart().transform_filter("datum.true").mark_bar(color=TRUE, width={"band": 1.0})
    bars = alt.Chart().mark_bar().encode(x=x, y=y, color=colour, tooltip=tooltip)
    moved = (
        alt.Chart()
        .transform_filter("datum.words")
        .mark_text(align="left", baseline="bottom", fontSize=9, color="#333333")
    )
    words = moved.encode(x=alt.value(2), y=alt.value(HEIGHT), text="words:N")  # below: the largest entry is positive
    zero = alt.Chart().mark_rule(color="#888888", strokeWidth=0.7).encode(y=alt.datum(0))
    return single(
        alt.layer(
            shade.encode(x=x, y=alt.datum(-limit), y2=alt.datum(limit)),
            bars,
            zero,
            words,
            data=data(_rows(fits, names)),
        )
        .properties(width=max(90, 11 * d), height=HEIGHT)
        .facet(
            row=alt.Row(
                "method:N",
                sort=list(fits.arrays),
                title=None,
                header=alt.Header(labelAngle=0, labelAlign="left"),
            ),
            column=alt.Column("component:O", title=None, header=alt.Header(labelExpr="'component ' + datum.value")),
            spacing=8,
        )
        .properties(title=heading(fits.label, fits.stand_in, fits.groups))
    )


def _rows(fits: Fits, names: list[str]) -> Iterator[dict[str, Any]]:
    true = _true(fits)
    wanted = next(iter(fits.arrays.values()))["components"] if true is None else true
    for method, arrays in fits.arrays.items():
        for place, (component, values) in enumerate(matched(arrays["components"], wanted)):
            if component >= COMPONENTS:
                continue
            for variable, value in enumerate(values):
                yield {
                    "method": method,
                    "component": component + 1,
                    "variable": variable,
                    "name": names[variable],
                    "loading": float(value),
                    "words": f"returned as no. {place + 1}" if place != component and variable == 0 else "",
                    "true": bool(true is not None and component < len(true) and true[component, variable]),
                }


def _true(fits: Fits) -> Array | None:
    """Return the true supports, 1 where a component lies, if the draw has them."""
    supports = fits.draw.get("supports") or ()
    if not supports:
        return None
    found = np.zeros((len(supports), n_features(fits)))
    for row, support in zip(found, supports, strict=True):
        row[list(support)] = 1.0
    return found


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
    pairs = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    later = iter(range(len(wanted), len(wanted) + len(components)))
    found = []
    for row, values in enumerate(components):
        if row in pairs:
            found.append((pairs[row], -values if alike[row, pairs[row]] < 0 else values))
        else:
            found.append((next(later), values))
    return found


def _names_expression(names: list[str]) -> str:
    """Name the variables by their place: names need not be unique."""
    return f"{json.dumps(names)}[datum.value]"
