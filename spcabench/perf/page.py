"""The page that draws the history of speeds, with the steps that were detected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Any

import numpy as np

from spcabench.perf.history import Point
from spcabench.perf.steps import Step, steps
from spcabench.wording import InputError

LEAST = {"instructions": 0.01, "seconds": 0.05}
"""The smallest steps that are reported, as shares."""

Series = tuple[str, str, str, str]
Found = tuple[list[Point], list[Step]]

HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Speeds</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em }
h2 { font-size: 1.1em; overflow-wrap: anywhere }
.wide { overflow-x: auto }
table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: left; border-bottom: 1px solid #ddd }
td { white-space: nowrap }
.panels { display: flex; flex-wrap: wrap; gap: 1em } .panels svg { max-width: 100%; height: auto }
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
    for machine, specs in _charts(found).items():
        drawn = "\n".join(vl_convert.vegalite_to_svg(spec) for spec in specs)
        charts.append(f"<h2>{escape(machine)}</h2>\n<div class='panels'>{drawn}</div>")
    return "\n".join([HEAD, _explained(history), _table(found), *charts, "</body></html>\n"])


def _explained(history: Sequence[Point]) -> str:
    dates = sorted(point.date[:10] for point in history)
    span = f", from {dates[0]} to {dates[-1]}" if dates else ""
    return f"<p>A point is a commit, in the order of dates{span}.  A red line is a step that was detected.</p>"


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
    table = f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{body}</table>"
    return f"<div class='wide'>{table}</div>"


def _variances(before: Point, after: Point) -> str:
    if before.variance is None or after.variance is None:
        return ""
    return f"{before.variance:.6f} -> {after.variance:.6f}"


def _charts(found: dict[Series, Found]) -> dict[str, list[dict[str, Any]]]:
    """Return specifications of Vega-Lite, one for each series, by machine."""
    machines = sorted({machine for *_, machine in found})
    return {machine: [_panel(name, *found[name]) for name in found if name[3] == machine] for machine in machines}


SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
SHOWN = 0.05
"""An axis shows at least so much more and less than the median, as a share: noise looks small."""
FORMATS = {"instructions": "~s", "seconds": "~g"}
RED, GREY = "#b2182b", "#666"


def _panel(name: Series, part: list[Point], changes: list[Step]) -> dict[str, Any]:
    values = [point.value for point in part]
    middle = float(np.median(values))
    shown = [min(*values, middle * (1.0 - SHOWN)), max(*values, middle * (1.0 + SHOWN))]
    rows = [{"n": i, "value": value} for i, value in enumerate(values)]
    x = {"field": "n", "type": "ordinal", "axis": {"title": None, "labels": False, "ticks": False}}
    y = {
        "field": "value",
        "type": "quantitative",
        "title": name[2],
        "axis": {"format": FORMATS[name[2]], "tickCount": 4},
        "scale": {"domain": shown, "zero": False},
    }
    words = [f"{part[step.index].commit[:8]} {100 * (step.ratio - 1):+.1f} %" for step in changes]
    lines = {"data": {"values": [{"n": step.index} for step in changes]}, "mark": {"type": "rule", "color": RED}}
    return {
        "$schema": SCHEMA,
        "title": {
            "text": name[1],
            "subtitle": ", ".join(words) or "no step",
            "subtitleColor": RED if words else GREY,
        },
        "width": 240,
        "height": 120,
        "layer": [
            {"data": {"values": rows}, "mark": {"type": "line", "point": True}, "encoding": {"x": x, "y": y}},
            {**lines, "encoding": {"x": x}},
        ],
    }
