"""A panel of curves, one for each method, named at their right ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as entry
from typing import Any

import numpy as np

from spcabench.report.figures.style import INK, QUIET, Look, by_method, shorten
from spcabench.report.figures.views import Rows, Spec, View, field, layer, number, value

WIDTH, HEIGHT, GAP = 400, 340, 15

MOST_MARKS = 40
"""Curves of more points have small marks."""

MOST_NAMED = 12
"""If there are more curves, only the coloured ones have labels, and a line above them counts the grey ones."""

MOST_TICKS = 10
"""A logarithmic axis has at most so many, unless powers of ten are more."""

SMALL = 1e-5
"""A logarithmic axis that goes below it has powers of ten; d3 would write only some of its numbers so."""

FLAT = 1e-9
"""Values that differ relatively by no more are drawn at one place: the ticks between them would show rounding."""

LEVEL = 3.0
"""Points within so many pixels are at one height for the order of their names."""

NAMES = WIDTH + 16
"""Where the names stand: in pixels, so that they stay when the reader zooms."""

PLACE = value({"expr": "datum.place"})

ANYWHERE = (-math.inf, math.inf)


@dataclass(frozen=True)
class Point:
    """A point of a method's curve, with the spread of its height."""

    method: str
    x: float
    y: float
    sd: float = math.nan

    @property
    def low(self) -> float:
        """The lower end of the spread."""
        return self.y if math.isnan(self.sd) else self.y - self.sd

    @property
    def high(self) -> float:
        """The upper end of the spread."""
        return self.y if math.isnan(self.sd) else self.y + self.sd


@dataclass(frozen=True)
class Extent:
    """The stretch of an axis, linear or logarithmic."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def of(cls, values: Iterable[float], log: bool = False, within: tuple[float, float] = ANYWHERE) -> Extent:
        """Hold all the values, with a margin that ends where values can no longer be."""
        known = [math.log(value) if log else value for value in values]
        low, high = min(known), max(known)
        is_flat = high - low <= FLAT * (1.0 if log else max(abs(low), abs(high)))
        margin = (0.7 if log else 0.05 * abs(high) or 1.0) if is_flat else 0.04 * (high - low)
        low, high = low - margin, high + margin
        if log:
            return cls(math.exp(low), math.exp(high), log=True)
        least, most = min(within[0], *known), max(within[1], *known)
        return cls(max(low, least), min(high, most))

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1."""
        low, high, at = (math.log(v) if self.log else v for v in (self.low, self.high, value))
        return (at - low) / (high - low)

    @property
    def ticks(self) -> list[float]:
        """The round numbers on a logarithmic axis: 1, 2, 5, 10, ... or, where these are many, powers of ten."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for digits in ((1.0, 2.0, 5.0), (1.0,)):
            found = [digit * 10.0**power for power in powers for digit in digits]
            inside = [tick for tick in found if self.low <= tick <= self.high]
            if len(inside) <= MOST_TICKS:
                break
        return inside

    @property
    def scale(self) -> Spec:
        """The scale of the axis."""
        kind: Spec = {"type": "log"} if self.log else {"zero": False}
        return {"domain": [self.low, self.high], "nice": False, **kind}


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

    def edges(self, point: Point) -> tuple[float, float]:
        """Return the ends of a point's spread, as far as the heights can go."""
        low, high = self.within
        return min(point.y, max(point.low, low)), max(point.y, min(point.high, high))


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
    edges = [axes.edges(point) for point in points]
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
    return layer(
        *behind,
        *_bounds(axes, y),
        *_places(axes, across, x),
        *_cited(axes, x, y, colour),
        ends.mark("rule", {"x": x, "y": y, "x2": value(NAMES), "y2": PLACE}, color="#aaaaaa", clip=False, **lead),
        curves.mark("rule", {**at, "y": _y(axes, upward, "low"), "y2": "high"}, strokeWidth=1, opacity=0.55),
        curves.mark("line", {**at, "strokeDash": dash}, strokeWidth=2),
        curves.mark("point", {**at, "shape": shape, "tooltip": tooltip}, size=size, **filled),
        ends.mark("point", {**name, "color": colour, "shape": shape}, size=46, clip=False, **filled),
        ends.mark("text", {**name, "text": "label:N"}, dx=8, color=INK, **text),
        *([_above(f"in grey: {unnamed} more", text)] if unnamed else []),
        width=WIDTH,
        height=height,
        **properties,
    )


def _above(says: str, text: Spec) -> View:
    """Say something above the names."""
    encoding = {"text": "unnamed:N", "x": value(NAMES), "y": value(-GAP)}
    return Rows([{"unnamed": says}]).mark("text", encoding, dx=-4, color="#777777", **text)


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


def _bounds(axes: Axes, y: Spec) -> list[View]:
    """Draw a line across for each bound, and say what it is."""
    if not axes.bounds:
        return []
    rows = Rows({"bound": says, "y": height} for says, height in axes.bounds.items())
    style = {"align": "left", "baseline": "bottom", "dx": 4, "dy": -3, "fontSize": 11, "color": "#555555"}
    text = {"y": y, "x": value(0), "text": "bound:N"}
    return [rows.mark("rule", {"y": y}, color="#777777", strokeDash=[5, 3]), rows.mark("text", text, **style)]


def _places(axes: Axes, across: Extent, x: Spec) -> list[View]:
    """Draw an upright line for each place, and say above the panel, where no curve is, what it is."""
    inside = {says: at for says, at in axes.places.items() if across.low <= at <= across.high}
    if not inside:
        return []
    rows = Rows({"place": says, "x": at} for says, at in inside.items())
    style = {"baseline": "bottom", "dy": -4, "fontSize": 11, "color": "#555555", "clip": False}
    text = {"x": x, "y": value(0), "text": "place:N"}
    return [rows.mark("rule", {"x": x}, color="#777777", strokeDash=[5, 3]), rows.mark("text", text, **style)]


def _cited(axes: Axes, x: Spec, y: Spec, colour: Spec) -> list[View]:
    """Mark what a paper says by a cross in the colour of the method, and say so."""
    if not axes.cited:
        return []
    rows = Rows({"method": p.method, "x": p.x, "y": p.y, "cited": f"published: {p.method}"} for p in axes.cited)
    at = {"x": x, "y": y, "tooltip": ["cited:N", number("y", axes.y)]}
    cross = {"shape": "cross", "angle": 45, "size": 170, "strokeWidth": 1.5, "filled": False}
    text = {"align": "left", "baseline": "bottom", "dx": 9, "dy": -2, "fontSize": 11, "color": INK}
    return [rows.mark("point", {**at, "color": colour}, **cross), rows.mark("text", {**at, "text": "cited:N"}, **text)]


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
