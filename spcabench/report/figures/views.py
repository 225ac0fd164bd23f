"""Charts set together as plain specifications: Altair would copy all that is in them at every step."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import altair as alt
import pandas as pd

Spec = dict[str, Any]


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

    def titled(self, title: alt.TitleParams) -> View:
        """Return the view with a heading."""
        return replace(self, spec={**self.spec, "title": title.to_dict()})

    def to_dict(self) -> Spec:
        """Return the whole specification, with the rows."""
        return {"$schema": alt.SCHEMA_URL, **self.spec, "datasets": dict(self.datasets)}


def single(chart: Any) -> View:
    """Take a chart, or a facet, that stands alone."""
    with alt.data_transformers.enable("default", max_rows=None):
        spec = chart.to_dict(validate=False)
    return View(_without(spec, "$schema", "config", "datasets"), spec["datasets"])


def layer(*charts: alt.Chart, **properties: Any) -> View:
    """Draw charts one over another.

    Parameters
    ----------
    *charts : altair.Chart
        The lowest first; those that are made from one frame share its rows.
    **properties
        Of the whole, such as ``width``, ``height`` and ``title``.
    """
    return _together("layer", _views(charts), properties)


def join(kind: Literal["hconcat", "vconcat", "concat"], views: Sequence[View], **properties: Any) -> View:
    """Set views beside or below one another, with properties of the whole such as ``spacing`` and ``title``."""
    return _together(kind, views, properties)


def _together(kind: str, views: Sequence[View], properties: Mapping[str, Any]) -> View:
    """Join views; data that all of them show are said once, of the whole."""
    specs = [view.spec for view in views]
    whole = {name: _plain(value) for name, value in properties.items()}
    shared = specs[0].get("data")
    if shared is not None and all(spec.get("data") == shared for spec in specs):
        specs = [_without(spec, "data") for spec in specs]
        whole["data"] = shared
    return View({kind: specs, **whole}, {name: rows for view in views for name, rows in view.datasets.items()})


def _views(charts: Sequence[Any]) -> list[View]:
    """Take charts as views; a frame that several are made from becomes rows once."""
    frames = {id(chart.data): chart.data for chart in charts}
    tables = {key: _rows(frame) for key, frame in frames.items()}
    names = {key: _name(rows) for key, rows in tables.items()}
    return [
        View(_spec(chart, names[id(chart.data)]), {names[id(chart.data)]: tables[id(chart.data)]}) for chart in charts
    ]


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame as Vega-Lite reads it."""
    return [
        {str(name): value for name, value in row.items()}
        for row in alt.utils.sanitize_pandas_dataframe(frame).to_dict(orient="records")
    ]


def _spec(chart: Any, rows: str) -> Spec:
    """Return the specification of a chart that names its rows."""
    bare = chart.copy(deep=False)
    bare.data = alt.NamedData(name=rows)
    return _without(bare.to_dict(validate=False), "$schema", "config")


def _without(spec: Spec, *names: str) -> Spec:
    return {name: value for name, value in spec.items() if name not in names}


def _name(rows: list[dict[str, Any]]) -> str:
    """Name rows by what they say."""
    return "data-" + hashlib.sha256(json.dumps(rows, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _plain(value: Any) -> Any:
    return value.to_dict() if isinstance(value, alt.SchemaBase) else value
