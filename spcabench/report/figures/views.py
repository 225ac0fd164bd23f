"""Charts as plain specifications of Vega-Lite: marks of named rows, laid over one another or set side by side."""

from __future__ import annotations

import copy
import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Spec = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal"}

HIDDEN = "hidden"
"""The signal that holds the labels of the methods the reader does not want to see."""

SHOWN = f"indexof({HIDDEN}, datum.method) < 0 && indexof({HIDDEN}, datum.row) < 0"


@dataclass(frozen=True)
class View:
    """A chart, or several set together.

    Parameters
    ----------
    spec : dict
        As of Vega-Lite; its data sets are named.
    datasets : mapping of str to list of dict
        The rows of each of them, which views may share.
    """

    spec: Spec
    datasets: Mapping[str, list[dict[str, Any]]]

    def having(self, **properties: Any) -> View:
        """Return the view with properties such as ``title`` and ``width``."""
        return replace(self, spec={**self.spec, **properties})

    def where(self, expression: str) -> View:
        """Return the view with marks for some of the rows alone."""
        return self.having(transform=[{"filter": expression}])

    def to_dict(self) -> Spec:
        """Return the whole specification, with the rows."""
        return {"$schema": SCHEMA, **self.spec, "datasets": dict(self.datasets)}


def field(column: str, **options: Any) -> Spec:
    """Encode a column, which the letter of its kind may follow.

    Examples
    --------
    >>> field("nonzeros:Q", title=None), field("high")
    ({'field': 'nonzeros', 'type': 'quantitative', 'title': None}, {'field': 'high'})
    """
    name, _, kind = column.partition(":")
    return {"field": name, **({"type": TYPES[kind]} if kind else {}), **options}


def number(column: str, title: str | None = None, form: str = ".10~g") -> Spec:
    """Encode a number of a tooltip."""
    return field(f"{column}:Q", **({} if title is None else {"title": title}), format=form)


def value(of: Any) -> Spec:
    """Encode a value that is the same for all rows: a place in pixels, a colour, an expression."""
    return {"value": of}


class Rows:
    """Rows that marks are made of, named by what they say."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.rows = [{name: _plain(cell) for name, cell in row.items()} for row in rows]
        text = json.dumps(self.rows, sort_keys=True)
        self.name = "data-" + hashlib.sha256(text.encode()).hexdigest()[:32]

    def mark(self, kind: str, encoding: Mapping[str, Any], **style: Any) -> View:
        """Draw a mark for each row.

        Parameters
        ----------
        kind : str
            Of the mark, as of Vega-Lite.
        encoding : mapping of str to Any
            By channel: a column as of `field`, or what `field` and `value` return; several in a list.
        **style
            Properties of the mark.
        """
        spec: Spec = {"data": {"name": self.name}, "mark": {"type": kind, **style}}
        spec["encoding"] = {channel: _encoded(of) for channel, of in encoding.items()}
        return View(spec, {self.name: self.rows})


def _plain(cell: Any) -> Any:
    """Return a cell as JSON has it: what is no finite number is none."""
    plain = cell.item() if hasattr(cell, "item") else cell
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def _encoded(of: Any) -> Any:
    if isinstance(of, list):
        return list(map(_encoded, of))
    return field(of) if isinstance(of, str) else of


def layer(*views: View, **properties: Any) -> View:
    """Draw views one over another, the lowest first; the properties are of the whole, such as ``width``."""
    return join("layer", views, **properties)


def join(kind: Literal["layer", "hconcat", "vconcat", "concat"], views: Sequence[View], **properties: Any) -> View:
    """Set views together, with properties of the whole."""
    rows = {name: rows for view in views for name, rows in view.datasets.items()}
    return View({kind: [view.spec for view in views], **properties}, rows)


def facet(view: View, **properties: Any) -> View:
    """Draw layers of the same rows for each part of these, in rows and columns as of the property ``facet``."""
    layers = copy.deepcopy(view.spec["layer"])
    data = [one.pop("data") for one in layers]
    return replace(view, spec={"data": data[0], "spec": {**view.spec, "layer": layers}, **properties})


def page_spec(chart: View) -> Spec:
    """Return the specification of a chart for the page, which has its heading and its background.

    Rows of methods in the signal `HIDDEN` are left out.
    """
    spec = copy.deepcopy(chart.spec)
    spec.pop("title", None)
    spec |= {"background": "transparent", "padding": 6, "params": [{"name": HIDDEN, "value": []}]}
    for view in _views(spec):
        if "data" in view:
            view["transform"] = [{"filter": SHOWN}, *view.get("transform", [])]
    return View(spec, chart.datasets).to_dict()


def subtitle(chart: View) -> str:
    """Return what stands below the heading of a chart."""
    return " ".join(chart.spec.get("title", {}).get("subtitle", []))


def _views(spec: Spec) -> Iterator[Spec]:
    """Return a view and all views within it."""
    yield spec
    inner = [view for kind in ("vconcat", "hconcat", "concat", "layer") for view in spec.get(kind, [])]
    for view in [*inner, *([spec["spec"]] if "spec" in spec else [])]:
        yield from _views(view)
