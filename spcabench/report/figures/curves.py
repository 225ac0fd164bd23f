"""A panel of curves, one for each method, named at their right ends; and the points that they lead through."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as entry
from functools import cached_property
from typing import Any

from spcabench.analysis.intervals import Interval, mean_interval, wilson
from spcabench.report.figures.style import INK, QUIET, Look, by_method, shorten
from spcabench.report.figures.views import Rows, Spec, View, field, layer, number, value
from spcabench.report.groups import Group, Spread
from spcabench.suite.columns import Column

BARS = "Bars are 95 % intervals of means over the seeds; of shares, where a fit is right or wrong, Wilson's."

FLAT = 1e-9
"""Values that differ relatively by no more are drawn at one place: the ticks between them would show rounding."""

ANYWHERE = (-math.inf, math.inf)

WIDTH, HEIGHT, GAP = 400, 340, 15

MOST_MARKS = 40
"""Curves of more points have small marks."""

MOST_TICKS = 13
"""Up to so many places each may have a tick."""

MOST_NAMED = 12
"""If there are more curves, only the coloured ones have labels."""

LEVEL = 3.0
"""Points within so many pixels are at one height for the order of their names."""

NAMES = WIDTH + 16
"""Where the names stand: in pixels, so that they stay when the reader zooms."""

LINE: Spec = {"color": "#777777", "strokeDash": [5, 3]}

PLACE = value({"expr": "datum.place"})


@dataclass(frozen=True)
class Point:
    """A point of a method's curve, with the spread of its height, and the interval of it if its bar shows that."""

    method: str
    x: float
    y: float
    sd: float = math.nan
    interval: Interval | None = None

    @classmethod
    def mean(cls, method: str, x: float, values: Sequence[float], share: bool = False) -> Point:
        """Summarise some values, at least one of them, with their interval; as a share, they are 0 or 1."""
        spread = Spread.of(values)
        interval = wilson(round(sum(values)), len(values)) if share else mean_interval(values)
        return cls(method, x, spread.mean, spread.sd, interval)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The ends of its bar: of the interval, else of the standard deviation; itself where they are not known."""
        off = (self.y - self.sd, self.y + self.sd)
        low, high = (self.interval.low, self.interval.high) if self.interval else off
        return (low if math.isfinite(low) else self.y, high if math.isfinite(high) else self.y)

    def within(self, least: float, most: float) -> tuple[float, float]:
        """Return the ends of its bar, as far as heights can go."""
        low, high = self.ends
        return min(self.y, max(low, least)), max(self.y, min(high, most))


def means(placed: Iterable[tuple[float, Group]], column: Column) -> list[Point]:
    """Return the mean of a column for each group that has it, at its place.

    A column that says of every fit whether it is right, 0 or 1, and of the groups together both, is a share.
    """
    known = [(group.method, place, [*group.known(column).values()]) for place, group in placed]
    share = column.range == (0.0, 1.0) and {value for *_, values in known for value in values} == {0.0, 1.0}
    return [Point.mean(method, place, values, share) for method, place, values in known if values]


def geometric(placed: Iterable[tuple[float, Group]], column: Column) -> list[Point]:
    """Return the geometric mean of times for each group that has any, at its place."""
    found = []
    for place, group in placed:
        if logs := [math.log(time) for time in group.known(column).values() if time > 0]:
            mean = Point.mean(group.method, place, logs)
            ends = Interval(*map(math.exp, mean.ends))
            found.append(Point(group.method, place, math.exp(mean.y), mean.sd, ends))
    return found


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
    within : (float, float)
        What the heights cannot be below or above; the axis and spreads end there.
    marks : bool
        Whether each place on the x axis has a tick, if they are few.
    bounds : mapping of str to float
        Heights to be marked by a line across, by what it says.
    places : mapping of str to float
        Places on the x axis to be marked by an upright line, by what it says; those beyond the curves are left out.
    """

    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    whole: bool = False
    within: tuple[float, float] = ANYWHERE
    marks: bool = False
    bounds: Mapping[str, float] = entry(default_factory=dict)
    places: Mapping[str, float] = entry(default_factory=dict)


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
    loud = [point for point in points if looks[point.method].colour != QUIET]
    named = loud if loud and len({point.method for point in points}) > MOST_NAMED else points
    height = max(HEIGHT, GAP * len({point.method for point in named}))
    edges = [point.within(*axes.within) for point in points]
    heights = [*(edge for pair in edges for edge in pair), *axes.bounds.values()]
    across = Extent.of((point.x for point in points), axes.log_x)
    upward = Extent.of(heights, axes.log_y, axes.within)
    x, y = _x(axes, across, {point.x for point in points}), _y(axes, upward)
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
        *_marked(axes, across, x, y),
        ends.mark("rule", {"x": x, "y": y, "x2": value(NAMES), "y2": PLACE}, color="#aaaaaa", clip=False, **lead),
        curves.mark("rule", {**at, "y": _y(axes, upward, "low"), "y2": "high"}, strokeWidth=1, opacity=0.55),
        curves.mark("line", {**at, "strokeDash": dash}, strokeWidth=2),
        curves.mark("point", {**at, "shape": shape, "tooltip": tooltip}, size=size, **filled),
        ends.mark("point", {**name, "color": colour, "shape": shape}, size=46, clip=False, **filled),
        ends.mark("text", {**name, "text": "label:N"}, dx=8, color=INK, **text),
        width=WIDTH,
        height=height,
        **properties,
    )


def _x(axes: Axes, extent: Extent, places: set[float]) -> Spec:
    options: Spec = {"values": sorted(places)} if axes.marks and 1 < len(places) <= MOST_TICKS else ticks(extent)
    if axes.whole:
        options |= {"tickMinStep": 1, "format": ",d"}
    return field("x:Q", title=axes.x, scale=extent.scale, axis={"labelFlush": False, **options})


def _y(axes: Axes, extent: Extent, column: str = "y") -> Spec:
    return field(f"{column}:Q", title=axes.y, scale=extent.scale, axis=ticks(extent))


def ticks(extent: Extent) -> Spec:
    """Return how an axis is marked; a logarithmic one has numbers, not their powers."""
    return {"tickCount": 6, **({"format": "~g"} if extent.log else {})}


def _marked(axes: Axes, across: Extent, x: Spec, y: Spec) -> Iterator[View]:
    """Draw the bounds as lines across, and the places as upright lines, named above the panel, where no curve is."""
    places = {says: at for says, at in axes.places.items() if across.low <= at <= across.high}
    beside, above = {"align": "left", "dx": 4, "dy": -3}, {"dy": -4, "clip": False}
    for marks, axis, at, style in ((axes.bounds, "y", y, beside), (places, "x", x, above)):
        if marks:
            rows = Rows({"said": says, axis: place} for says, place in marks.items())
            text = {"x": value(0), "y": value(0), axis: at, "text": "said:N"}
            yield rows.mark("rule", {axis: at}, **LINE)
            yield rows.mark("text", text, baseline="bottom", fontSize=11, color="#555555", **style)


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
    """Move positions up until they are a gap apart, but not out of the bounds.

    Examples
    --------
    >>> spread({"a": 0.0, "b": 0.5, "c": 9.0}, gap=1.0, low=-5.0, high=10.0)
    {'a': 0.0, 'b': 1.0, 'c': 9.0}
    >>> spread({"a": 10.0, "b": 10.0, "c": 10.0}, gap=1.0, low=0.0, high=10.0)
    {'a': 8.0, 'b': 9.0, 'c': 10.0}
    """
    names = sorted(wanted, key=lambda name: wanted[name])
    places: dict[str, float] = {}
    for left, name in zip(reversed(range(len(names))), names, strict=True):
        places[name] = max(low, min(wanted[name], high - left * gap))
        low = places[name] + gap
    return places
