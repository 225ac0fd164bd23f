"""Figures as the page shows them: transparent, and listening to the reader."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from spcabench.report.figures.views import View

HIDDEN = "hidden"
"""The signal that holds the labels of the methods the reader does not want to see."""

SHOWN = f"indexof({HIDDEN}, datum.method) < 0 && indexof({HIDDEN}, datum.row) < 0"

MOUSE_DRAG = "[pointerdown[event.pointerType === 'mouse'], window:pointerup] > window:pointermove!"
WHEEL = "wheel![event.ctrlKey || event.metaKey]"
"""Fingers and the bare wheel are left to scroll the page."""


def page_spec(chart: View) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart for the page.

    Parameters
    ----------
    chart : View
        As it is drawn for paper.

    Returns
    -------
    dict
        Without heading and background, which the page has; rows of methods in the signal `HIDDEN` are left out,
        and curves can be zoomed.
    """
    spec = copy.deepcopy(chart.spec)
    spec.pop("title", None)
    spec |= {"background": "transparent", "padding": 6, "params": [{"name": HIDDEN, "value": []}]}
    views = list(_views(spec))
    for view in views:
        if "data" in view:
            view["transform"] = [{"filter": SHOWN}, *view.get("transform", [])]
    for number, layers in enumerate(layers for view in views if _has_curves(layers := view.get("layer", []))):
        _make_zoomable(layers, f"zoom_{number}")
    return View(spec, chart.datasets).to_dict()


def subtitle(chart: View) -> str:
    """Return what stands below the heading of a chart."""
    title = chart.spec.get("title", {})
    lines = title.get("subtitle", []) if isinstance(title, dict) else []
    return lines if isinstance(lines, str) else " ".join(lines)


def _views(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return a view and all views within it."""
    yield spec
    inner = [view for kind in ("vconcat", "hconcat", "concat", "layer") for view in spec.get(kind, [])]
    for view in [*inner, *([spec["spec"]] if "spec" in spec else [])]:
        yield from _views(view)


def _kind(layer: dict[str, Any]) -> str:
    mark = layer.get("mark", {})
    return str(mark.get("type", "") if isinstance(mark, dict) else mark)


def _reaches_out(layer: dict[str, Any]) -> bool:
    mark, x = layer.get("mark", {}), layer.get("encoding", {}).get("x", {})
    return isinstance(mark, dict) and mark.get("clip") is False and "field" in x


def _has_curves(layers: list[dict[str, Any]]) -> bool:
    return any(_kind(layer) == "line" for layer in layers)


def _make_zoomable(layers: list[dict[str, Any]], name: str) -> None:
    """Let curves be dragged and zoomed; what stands at them but outside the panel would be anywhere, so it goes."""
    curves = next(layer for layer in layers if _kind(layer) == "line")
    select = {"type": "interval", "translate": MOUSE_DRAG, "zoom": WHEEL}
    curves["params"] = [{"name": name, "select": select, "bind": "scales"}]
    for layer in layers:
        if _reaches_out(layer):
            layer["transform"] = [*layer.get("transform", []), {"filter": f"!isValid({name}.x)"}]
