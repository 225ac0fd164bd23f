"""A panel of curves, one for each method, named at their right ends."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import altair as alt

from spcabench.report.figures.labels import spread
from spcabench.report.figures.style import INK, QUIET, Look, data, shorten

WIDTH, HEIGHT, GAP = 400, 340, 15


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


def panel(points: list[Point], looks: dict[str, Look], x_title: str, y_title: str) -> Any:
    """Draw curves with error bars; a dotted line leads from the end of each to its name."""
    points = sorted(points, key=lambda point: looks[point.method].colour != QUIET)
    methods = list(dict.fromkeys(point.method for point in points))
    height = max(HEIGHT, GAP * len(methods))
    x_range = _range(point.x for point in points)
    y_range = _range(edge for point in points for edge in (point.low, point.high))
    x, y = _axis(alt.X, x_title, x_range), _axis(alt.Y, y_title, y_range)
    colour = _encoding(alt.Color, methods, [looks[name].colour for name in methods])
    dash = _encoding(alt.StrokeDash, methods, [looks[name].dash for name in methods])
    shape = _encoding(alt.Shape, methods, [looks[name].shape for name in methods])

    curves = alt.Chart(data(_row(point) for point in points)).encode(x=x, y=y, color=colour)
    names = alt.Chart(data(_names(points, x_range, y_range, height))).encode(x="x:Q", y="y:Q")
    return alt.layer(
        names.mark_rule(strokeWidth=0.8, color="#aaaaaa", strokeDash=[1, 2]).encode(x2="from_x:Q", y2="from_y:Q"),
        curves.mark_rule(strokeWidth=1, opacity=0.55).encode(y2="high:Q", y=_axis(alt.Y, y_title, y_range, "low")),
        curves.mark_line(strokeWidth=2).encode(strokeDash=dash),
        curves.mark_point(size=46, filled=True, opacity=1).encode(shape=shape),
        names.mark_point(size=46, filled=True, opacity=1).encode(color=colour, shape=shape),
        names.mark_text(align="left", dx=8, fontSize=11, color=INK).encode(text="label:N"),
    ).properties(width=WIDTH, height=height)


def _row(point: Point) -> dict[str, Any]:
    return {"method": point.method, "x": point.x, "y": point.y, "low": point.low, "high": point.high}


def _range(values: Iterable[float]) -> tuple[float, float]:
    known = list(values)
    low, high = min(known), max(known)
    margin = 0.04 * (high - low) or 0.05 * abs(high) or 1.0
    return low - margin, high + margin


def _axis(channel: Any, title: str, ends: tuple[float, float], field: str = "") -> Any:
    scale = alt.Scale(domain=list(ends), nice=False, zero=False)
    name = field or ("x" if channel is alt.X else "y")
    return channel(f"{name}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6))


def _encoding(channel: Any, methods: list[str], values: list[Any]) -> Any:
    return channel("method:N", scale=alt.Scale(domain=methods, range=values), legend=None)


def _names(
    points: list[Point], x_range: tuple[float, float], y_range: tuple[float, float], height: int
) -> list[dict[str, Any]]:
    """Place the names at the right of the panel, beside the last points of their curves."""
    last = {point.method: point for point in sorted(points, key=lambda point: point.x)}
    places = spread({name: point.y for name, point in last.items()}, GAP / height * (y_range[1] - y_range[0]), *y_range)
    x = x_range[1] + 16 / WIDTH * (x_range[1] - x_range[0])
    return [
        {
            "method": name,
            "label": shorten(name),
            "x": x,
            "y": places[name],
            "from_x": point.x,
            "from_y": point.y,
        }
        for name, point in last.items()
    ]
