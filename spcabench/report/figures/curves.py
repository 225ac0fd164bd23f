"""A panel of curves, one for each method, named at their right ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from spcabench.report.figures.axes import Axes, Extent, Point
from spcabench.report.figures.labels import spread
from spcabench.report.figures.style import INK, QUIET, Look, by_method, data, shorten
from spcabench.report.figures.views import View, layer

WIDTH, HEIGHT, GAP = 400, 340, 15

MOST_MARKS = 40
"""Curves of more points have small marks."""

MOST_NAMED = 12
"""If there are more curves, only the coloured ones have labels, and a line above them counts the grey ones."""

SMALL = 1e-5
"""A logarithmic axis that goes below it has powers of ten; d3 would write only some of its numbers so."""

LEVEL = 3.0
"""Points within so many pixels are at one height for the order of their names."""

NAMES = WIDTH + 16
"""Where the names stand: in pixels, so that they stay when the reader zooms."""


def panel(
    points: Sequence[Point],
    looks: dict[str, Look],
    axes: Axes,
    names: dict[str, str] | None = None,
    behind: Sequence[alt.Chart] = (),
) -> View:
    """Draw curves with error bars; a dotted line leads from the end of each to its name.

    Parameters
    ----------
    points : list of Point
        The points of all curves.
    looks : dict of str to Look
        How each method is drawn.
    axes : Axes
        Titles and scales.
    names : dict of str to str, optional
        What to call methods at the end of their curves, where it is not their label.
    behind : sequence of altair.Chart
        What is drawn behind the curves.
    """
    points = sorted(points, key=lambda point: looks[point.method].colour != QUIET)
    named_points = _to_be_named(points, looks)
    height = max(HEIGHT, GAP * len({point.method for point in named_points}))
    edges = [_edges(point, axes) for point in points]
    heights = [*(edge for pair in edges for edge in pair), *axes.bounds.values(), *(point.y for point in axes.cited)]
    across = Extent.of((point.x for point in (*points, *axes.cited)), axes.log_x, axes.within_x)
    upward = Extent.of(heights, axes.log_y, axes.within)
    x, y = _x(axes, across), _y(axes, upward)
    colour = by_method(alt.Color, looks, "colour")
    dash = by_method(alt.StrokeDash, looks, "dash")
    shape = by_method(alt.Shape, looks, "shape")

    curves = alt.Chart(data(_row(point, axes) for point in points)).encode(x=x, y=y, color=colour)
    tooltips = [_tooltip("x", axes.x), _tooltip("y", axes.y), _tooltip("sd", "standard deviation over the seeds")]
    ends = alt.Chart(data(_ends(named_points, upward, height, names or {})))
    named = ends.encode(x=alt.value(NAMES), y=alt.value(alt.expr("datum.place")), tooltip="method:N")
    leads = ends.encode(x=x, y=y, x2=alt.value(NAMES), y2=alt.value(alt.expr("datum.place")))
    return layer(
        *behind,
        *_bounds(axes, y),
        *_places(axes, across, x),
        *_cited(axes, x, y, colour),
        leads.mark_rule(strokeWidth=0.8, color="#aaaaaa", strokeDash=[1, 2], clip=False),
        curves.mark_rule(strokeWidth=1, opacity=0.55).encode(y2="high:Q", y=_y(axes, upward, "low")),
        curves.mark_line(strokeWidth=2).encode(strokeDash=dash),
        curves.mark_point(size=_size(points), filled=True, opacity=1).encode(
            shape=shape, tooltip=[alt.Tooltip("method:N"), *tooltips]
        ),
        named.mark_point(size=46, filled=True, opacity=1, clip=False).encode(color=colour, shape=shape),
        named.mark_text(align="left", dx=8, fontSize=11, color=INK, clip=False).encode(text="label:N"),
        *_unnamed(points, named_points),
        width=WIDTH,
        height=height,
    )


def _to_be_named(points: Sequence[Point], looks: dict[str, Look]) -> Sequence[Point]:
    if len({point.method for point in points}) <= MOST_NAMED:
        return points
    return [point for point in points if looks[point.method].colour != QUIET] or points


def _row(point: Point, axes: Axes) -> dict[str, Any]:
    low, high = _edges(point, axes)
    return {"method": point.method, "x": point.x, "y": point.y, "sd": point.sd, "low": low, "high": high}


def _edges(point: Point, axes: Axes) -> tuple[float, float]:
    """Return the ends of a point's spread, as far as the heights can go."""
    low, high = axes.within
    return min(point.y, max(point.low, low)), max(point.y, min(point.high, high))


def _size(points: Sequence[Point]) -> int:
    """Return the size of the marks: small where there are many on a curve."""
    return 46 if len({point.x for point in points}) <= MOST_MARKS else 12


def _x(axes: Axes, extent: Extent) -> Any:
    marks = list(axes.marks) or (extent.ticks if extent.log else [])
    options: dict[str, Any] = {"values": marks} if len(marks) > 1 else {"tickCount": 6}
    if axes.whole:
        options |= {"tickMinStep": 1, "format": ",d"}
    return alt.X("x:Q", title=axes.x, scale=extent.scale, axis=alt.Axis(labelFlush=False, **options))


def _y(axes: Axes, extent: Extent, column: str = "y") -> Any:
    marks = extent.ticks if extent.log else []
    form = ".0e" if extent.log and extent.low < SMALL else "~g"
    options: dict[str, Any] = {"values": marks, "format": form} if len(marks) > 1 else {"tickCount": 6}
    return alt.Y(f"{column}:Q", title=axes.y, scale=extent.scale, axis=alt.Axis(**options))


def _tooltip(column: str, says: str) -> alt.Tooltip:
    return alt.Tooltip(f"{column}:Q", title=says, format=".10~g")


def _bounds(axes: Axes, y: Any) -> list[Any]:
    """Draw a line across for each bound, and say what it is."""
    if not axes.bounds:
        return []
    rows = [{"bound": says, "y": height} for says, height in axes.bounds.items()]
    base = alt.Chart(data(rows)).encode(y=y)
    return [
        base.mark_rule(color="#777777", strokeDash=[5, 3]),
        base.mark_text(align="left", baseline="bottom", dx=4, dy=-3, fontSize=11, color="#555555").encode(
            x=alt.value(0), text="bound:N"
        ),
    ]


def _places(axes: Axes, across: Extent, x: Any) -> list[Any]:
    """Draw an upright line for each place, and say above the panel, where no curve is, what it is."""
    rows = [{"place": says, "x": at} for says, at in axes.places.items() if across.low <= at <= across.high]
    if not rows:
        return []
    base = alt.Chart(data(rows)).encode(x=x)
    text = base.mark_text(baseline="bottom", dy=-4, fontSize=11, color="#555555", clip=False)
    return [base.mark_rule(color="#777777", strokeDash=[5, 3]), text.encode(y=alt.value(0), text="place:N")]


def _unnamed(points: Sequence[Point], named: Sequence[Point]) -> list[Any]:
    """Say above the names how many curves have none."""
    count = len({point.method for point in points} - {point.method for point in named})
    if not count:
        return []
    base = alt.Chart(data([{"unnamed": f"in grey: {count} more"}])).encode(text="unnamed:N")
    text = base.mark_text(align="left", dx=-4, fontSize=11, color="#777777", clip=False)
    return [text.encode(x=alt.value(NAMES), y=alt.value(-GAP))]


def _cited(axes: Axes, x: Any, y: Any, colour: Any) -> list[Any]:
    """Mark what a paper says by a cross in the colour of the method, and say so."""
    if not axes.cited:
        return []
    rows = [{"method": p.method, "x": p.x, "y": p.y, "cited": f"published: {p.method}"} for p in axes.cited]
    base = alt.Chart(data(rows)).encode(x=x, y=y, tooltip=["cited:N", _tooltip("y", axes.y)])
    return [
        base.mark_point(shape="cross", angle=45, size=170, strokeWidth=1.5, filled=False).encode(color=colour),
        base.mark_text(align="left", baseline="bottom", dx=9, dy=-2, fontSize=11, color=INK).encode(text="cited:N"),
    ]


def _ends(points: Sequence[Point], upward: Extent, height: int, names: dict[str, str]) -> list[dict[str, Any]]:
    """Place the names at the right of the panel, beside the last points of their curves.

    Of points at one height that of the left comes first, so that the lines to the names do not cross.
    """
    last = {point.method: point for point in sorted(points, key=lambda point: point.x)}
    heights = {method: height * (1 - upward.share(point.y)) for method, point in last.items()}
    wanted = {method: LEVEL * round(heights[method] / LEVEL) for method in last}
    places = spread(wanted, GAP, 0.0, height)
    return [
        {
            "method": method,
            "label": shorten(names.get(method, method)),
            "x": point.x,
            "y": point.y,
            "place": places[method],
        }
        for method, point in last.items()
    ]
