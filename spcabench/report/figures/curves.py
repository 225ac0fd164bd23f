"""A panel of curves, one for each method, named at their right ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as entry
from typing import Any

import numpy as np

from spcabench.report.figures.points import ANYWHERE, Extent, Point
from spcabench.report.figures.style import INK, QUIET, Look, by_method, shorten
from spcabench.report.figures.views import Rows, Spec, View, field, layer, number, value

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

LINE: Spec = {"color": "#777777", "strokeDash": [5, 3]}
CROSS: Spec = {"shape": "cross", "angle": 45, "size": 170, "strokeWidth": 1.5, "filled": False}

PLACE = value({"expr": "datum.place"})


@dataclass(frozen=True)
class Axes:
    """What the axes of a panel say, and whether they are logarithmic.

    Parameters
    ----------
    x, y, log_x, log_y : str or bool
        Titles, and whether they are logarithmic.
    whole : bool
        Whether only whole numbers make sense on the x axis.
    within, within_x : (float, float)
        What the heights, and what the places on the x axis, cannot be below or above; axes and spreads end there.
    marks : sequence of float
        The ticks of the x axis, where they are not left to the scale.
    bounds : mapping of str to float
        Heights to be marked by a line across, by what it says.
    places : mapping of str to float
        Places on the x axis to be marked by an upright line, by what it says; those beyond the curves are left out.
    cited : sequence of Point
        What a paper says of a method, to be marked by a cross.
    """

    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    whole: bool = False
    within: tuple[float, float] = ANYWHERE
    within_x: tuple[float, float] = ANYWHERE
    marks: tuple[float, ...] = ()
    bounds: Mapping[str, float] = entry(default_factory=dict)
    places: Mapping[str, float] = entry(default_factory=dict)
    cited: tuple[Point, ...] = ()


def panel(
    points: Sequence[Point],
    looks: dict[str, Look],
    axes: Axes,
    names: Mapping[str, str] | None = None,
    behind: Sequence[View] = (),
    **properties: Any,
) -> View:
    """Draw curves with error bars; a dotted line leads from the end of each to its name.

    Parameters
    ----------
    points, looks, axes : list of Point, dict of str to Look, Axes
        Of all curves; how each method is drawn; what stands at the axes.
    names : mapping of str to str, optional
        What to call methods at the end of their curves, where it is not their label.
    behind : sequence of View
        What is drawn behind the curves.
    **properties
        Of the panel, such as ``title``.
    """
    points = sorted(points, key=lambda point: looks[point.method].colour != QUIET)
    methods = {point.method for point in points}
    named = points
    if len(methods) > MOST_NAMED:
        named = [point for point in points if looks[point.method].colour != QUIET] or points
    unnamed = len(methods - {point.method for point in named})
    height = max(HEIGHT, GAP * len({point.method for point in named}))
    edges = [point.within(*axes.within) for point in points]
    heights = [*(edge for pair in edges for edge in pair), *axes.bounds.values(), *(point.y for point in axes.cited)]
    across = Extent.of((point.x for point in (*points, *axes.cited)), axes.log_x, axes.within_x)
    upward = Extent.of(heights, axes.log_y, axes.within)
    x, y = _x(axes, across), _y(axes, upward)
    colour, dash, shape = (by_method(looks, aspect) for aspect in ("colour", "dash", "shape"))
    curves = Rows(
        {"method": p.method, "x": p.x, "y": p.y, "sd": p.sd, "low": low, "high": high}
        for p, (low, high) in zip(points, edges, strict=True)
    )
    ends = Rows(_ends(named, upward, height, names or {}))
    tooltip = ["method:N", number("x", axes.x), number("y", axes.y)]
    tooltip.append(number("sd", "standard deviation over the seeds"))
    at, size = {"x": x, "y": y, "color": colour}, 46 if len({point.x for point in points}) <= MOST_MARKS else 12
    name = {"x": value(NAMES), "y": PLACE, "tooltip": "method:N"}
    lead, text = {"strokeWidth": 0.8, "strokeDash": [1, 2]}, {"align": "left", "fontSize": 11, "clip": False}
    filled = {"filled": True, "opacity": 1}
    above, grey = {"text": "unnamed:N", "x": value(NAMES), "y": value(-GAP)}, {**text, "dx": -4, "color": "#777777"}
    return layer(
        *behind,
        *_marked(axes, across, x, y, colour),
        ends.mark("rule", {"x": x, "y": y, "x2": value(NAMES), "y2": PLACE}, color="#aaaaaa", clip=False, **lead),
        curves.mark("rule", {**at, "y": _y(axes, upward, "low"), "y2": "high"}, strokeWidth=1, opacity=0.55),
        curves.mark("line", {**at, "strokeDash": dash}, strokeWidth=2),
        curves.mark("point", {**at, "shape": shape, "tooltip": tooltip}, size=size, **filled),
        ends.mark("point", {**name, "color": colour, "shape": shape}, size=46, clip=False, **filled),
        ends.mark("text", {**name, "text": "label:N"}, dx=8, color=INK, **text),
        *([Rows([{"unnamed": f"in grey: {unnamed} more"}]).mark("text", above, **grey)] if unnamed else []),
        width=WIDTH,
        height=height,
        **properties,
    )


def _x(axes: Axes, extent: Extent) -> Spec:
    marks = list(axes.marks) or (extent.ticks if extent.log else [])
    options: Spec = {"values": marks} if len(marks) > 1 else {"tickCount": 6}
    if axes.whole:
        options |= {"tickMinStep": 1, "format": ",d"}
    return field("x:Q", title=axes.x, scale=extent.scale, axis={"labelFlush": False, **options})


def _y(axes: Axes, extent: Extent, column: str = "y") -> Spec:
    marks = extent.ticks if extent.log else []
    form = ".0e" if extent.log and extent.low < SMALL else "~g"
    options: Spec = {"values": marks, "format": form} if len(marks) > 1 else {"tickCount": 6}
    return field(f"{column}:Q", title=axes.y, scale=extent.scale, axis=options)


def _marked(axes: Axes, across: Extent, x: Spec, y: Spec, colour: Spec) -> Iterator[View]:
    """Draw what stands at the axes, each with what it says.

    A bound is a line across; a place an upright line, named above the panel, where no curve is; a number of a paper a
    cross in the colour of its method.
    """
    bounds = [{"said": says, "y": height} for says, height in axes.bounds.items()]
    places = [{"said": says, "x": at} for says, at in axes.places.items() if across.low <= at <= across.high]
    cited = [{"method": p.method, "x": p.x, "y": p.y, "said": f"published: {p.method}"} for p in axes.cited]
    left = {"align": "left", "baseline": "bottom", "dy": -3, "fontSize": 11, "color": "#555555"}
    above = {"baseline": "bottom", "dy": -4, "clip": False, "fontSize": 11, "color": "#555555"}
    about = {"color": colour, "tooltip": ["said:N", number("y", axes.y)]}
    kinds: tuple[tuple[str, list[Spec], Spec, Spec, Spec, Spec, Spec], ...] = (
        ("rule", bounds, {"y": y}, {}, LINE, {"x": value(0)}, {**left, "dx": 4}),
        ("rule", places, {"x": x}, {}, LINE, {"y": value(0)}, above),
        ("point", cited, {"x": x, "y": y}, about, CROSS, {}, {**left, "dx": 9, "color": INK}),
    )
    for mark, rows, at, more, style, place, text in kinds:
        if rows:
            yield Rows(rows).mark(mark, {**at, **more}, **style)
            yield Rows(rows).mark("text", {**at, **place, "text": "said:N"}, **text)


def _ends(points: Sequence[Point], upward: Extent, height: int, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Place the names at the right of the panel, beside the last points of their curves.

    Of points at one height that of the left comes first, so that the lines to the names do not cross.
    """
    last = {point.method: point for point in sorted(points, key=lambda point: point.x)}
    heights = {method: height * (1 - upward.share(point.y)) for method, point in last.items()}
    places = spread({method: LEVEL * round(heights[method] / LEVEL) for method in last}, GAP, 0.0, height)
    return [
        {"method": name, "label": shorten(names.get(name, name)), "x": point.x, "y": point.y, "place": places[name]}
        for name, point in last.items()
    ]


def spread(wanted: Mapping[str, float], gap: float, low: float, high: float) -> dict[str, float]:
    """Move positions as little as possible until they are a gap apart and within the bounds.

    The least-squares answer: neighbours that would collide are pooled about their mean.

    Examples
    --------
    >>> spread({"a": 0.0, "b": 0.5, "c": 9.0}, gap=1.0, low=-5.0, high=10.0)
    {'a': -0.25, 'b': 0.75, 'c': 9.0}
    >>> spread({"a": 10.0, "b": 10.0, "c": 10.0}, gap=1.0, low=0.0, high=10.0)
    {'a': 8.0, 'b': 9.0, 'c': 10.0}
    """
    names = sorted(wanted, key=lambda name: wanted[name])
    pools: list[list[float]] = []
    for rank, name in enumerate(names):
        pools.append([wanted[name] - rank * gap])
        while len(pools) > 1 and np.mean(pools[-2]) >= np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    bases = [float(np.mean(pool)) for pool in pools for _ in pool]
    last = high - (len(names) - 1) * gap
    clipped = [max(low, min(base, last)) for base in bases]
    return {name: base + rank * gap for rank, (name, base) in enumerate(zip(names, clipped, strict=True))}
