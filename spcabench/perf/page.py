"""The page that draws the history of speeds, with the steps that were detected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Any

from spcabench.errors import InputError
from spcabench.perf.history import Point
from spcabench.perf.steps import Step, steps

LEAST = {"instructions": 0.01, "seconds": 0.05}
"""The smallest steps that are reported, as shares."""

Series = tuple[str, str, str, str]
Found = tuple[list[Point], list[Step]]

HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Speeds</title><style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: left; border-bottom: 1px solid #ddd }
</style></head><body><h1>Speeds</h1>
"""


def found_steps(history: Iterable[Point]) -> dict[Series, Found]:
    """Return each series, points of one benchmark by one measure on one machine, with its steps."""

    def key(point: Point) -> Series:
        return point.group, point.name, point.measure, point.machine

    series = {name: list(part) for name, part in groupby(sorted(history, key=key), key=key)}
    return {
        name: (part, steps([point.value for point in part], LEAST[part[0].measure])) for name, part in series.items()
    }


def page(history: Sequence[Point]) -> str:
    """Return the page as HTML: the steps as a table, the newest first, and each series drawn.

    Raises
    ------
    InputError
        If the extra `report` is not installed.
    """
    try:
        import vl_convert
    except ImportError:
        raise InputError("the page takes vl-convert: pip install 'spcabench[report]'") from None
    found = found_steps(history)
    charts = []
    for number, (machine, spec) in enumerate(_charts(found)):
        drawn: str = vl_convert.vegalite_to_svg(spec)
        charts.append(f"<h2 id='m{number}'>{escape(machine)}</h2>\n{drawn}")
    return "\n".join([HEAD, _table(found), *charts, "</body></html>\n"])


def _table(found: dict[Series, Found]) -> str:
    rows = [
        (part[step.index], step.ratio, part[step.index - 1]) for part, changes in found.values() for step in changes
    ]
    if not rows:
        return "<p>No step was detected.</p>"
    rows.sort(key=lambda row: row[0].date, reverse=True)
    cells = [
        (
            point.date[:10],
            point.commit[:12],
            point.name,
            point.measure,
            f"{100.0 * (ratio - 1.0):+.1f} %",
            _variances(before, point),
        )
        for point, ratio, before in rows
    ]
    heads = ("date", "commit", "benchmark", "measure", "step", "variance")
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{body}</table>"


def _variances(before: Point, after: Point) -> str:
    if before.variance is None or after.variance is None:
        return ""
    return f"{before.variance:.6f} -> {after.variance:.6f}"


def _charts(found: dict[Series, Found]) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield a specification of Vega-Lite for each machine: a panel for each series, steps as vertical lines."""
    for machine in sorted({machine for *_, machine in found}):
        panels = [_panel(name, *found[name]) for name in found if name[3] == machine]
        yield machine, {"$schema": SCHEMA, "columns": 3, "concat": panels}


SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def _panel(name: Series, part: list[Point], changes: list[Step]) -> dict[str, Any]:
    rows = [{"n": i, "commit": point.commit[:8], "value": point.value} for i, point in enumerate(part)]
    x = {"field": "n", "type": "ordinal", "axis": {"title": None, "labels": False, "ticks": False}}
    y = {"field": "value", "type": "quantitative", "title": name[2], "scale": {"zero": False}}
    marks = [
        {"n": step.index, "label": f"{part[step.index].commit[:8]} {100 * (step.ratio - 1):+.1f} %"} for step in changes
    ]
    layers: list[dict[str, Any]] = [
        {"data": {"values": rows}, "mark": {"type": "line", "point": True}, "encoding": {"x": x, "y": y}}
    ]
    if marks:
        colour = {"color": "#b2182b"}
        layers += [
            {"data": {"values": marks}, "mark": {"type": "rule", **colour}, "encoding": {"x": x}},
            {
                "data": {"values": marks},
                "mark": {"type": "text", "align": "right", "dx": -4, "baseline": "top", **colour},
                "encoding": {"x": x, "y": {"value": 2}, "text": {"field": "label"}},
            },
        ]
    return {"title": name[1], "width": 260, "height": 120, "layer": layers}
