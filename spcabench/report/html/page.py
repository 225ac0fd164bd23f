"""The page of a report: one HTML file with everything in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from spcabench.report.figures import FIGURES
from spcabench.report.figures.style import looks
from spcabench.report.html.charts import page_spec, subtitle, vega
from spcabench.report.html.tables import View, view
from spcabench.report.html.winners import winners
from spcabench.report.numerals import number
from spcabench.report.page import MOST_DRAWS
from spcabench.report.published import agreement, beside, matches
from spcabench.report.results import Results
from spcabench.report.tables import ARROWS, Table, outcome
from spcabench.specs import MetricSpec

DIRECTIONS = {"higher": "higher is better", "lower": "lower is better", "neither": "no direction is better"}


@dataclass(frozen=True)
class Drawn:
    """A figure on the page."""

    name: str
    heading: str
    caption: str
    spec: dict[str, Any]


@dataclass(frozen=True)
class Paper:
    """What a paper published, beside what was measured."""

    source: str
    note: str
    views: list[View]


def html_page(results: Results, tables: Mapping[str, Table], charts: Mapping[str, Any]) -> str:
    """Write the page.

    Parameters
    ----------
    results : Results
        What was run, and what came of it.
    tables : mapping of str to Table
        The tables that were made, by name.
    charts : mapping of str to altair chart
        The figures that were made, by name.

    Returns
    -------
    str
        HTML that needs nothing from elsewhere; what plugins and data named is text in it, never markup.
    """
    environment = Environment(
        loader=PackageLoader("spcabench.report", "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    best = winners(results)
    return environment.get_template("page.html.jinja").render(
        style=_own("page.css"),
        script=_own("page.js"),
        vega=Markup(vega()) if charts else "",
        results=results,
        suite=results.suite,
        suite_text=_suite_text(results),
        outcome=outcome(results),
        matches=matches(results),
        looks=looks(results),
        winners=view("", best) if best else None,
        views={name: view(name, table) for name, table in tables.items()},
        papers=list(_papers(results)),
        figures=[_drawn(name, chart) for name, chart in charts.items()],
        missing=[(name, FIGURES[name].needs) for name in results.suite.report.figures if name not in charts],
        draws=[(name, list(_described(known))) for name, known in islice(results.draws(), MOST_DRAWS)],
        metrics=[(metric.name + ARROWS[metric.better], list(_defined(metric))) for metric in _used(results)],
    )


def _own(name: str) -> Markup:
    """Return a file of this package, which is ours and so needs no escaping."""
    return Markup(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _suite_text(results: Results) -> str:
    file = results.folder.suite_file
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _drawn(name: str, chart: Any) -> Drawn:
    heading, _, rest = FIGURES[name].title.rstrip(".").partition(": ")
    says = f"{rest[:1].upper()}{rest[1:]}." if rest else ""
    return Drawn(name, heading, " ".join(filter(None, (says, subtitle(chart)))), page_spec(chart))


def _papers(results: Results) -> Iterator[Paper]:
    for block in results.suite.published:
        tables = [table for table in (beside(results, [block]), agreement(results, [block])) if table]
        if tables:
            yield Paper(block.source, block.note, [view("", _without_source(table)) for table in tables])


def _without_source(table: Table) -> Table:
    return Table(table.caption, table.values, table.cells.drop(columns="source"), table.right)


def _described(known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return what is known of a draw."""
    for says, name in (("samples", "n_samples"), ("features", "n_features"), ("known", "facts")):
        if value := known.get(name):
            yield says, ", ".join(sorted(map(str, value))) if isinstance(value, list) else str(value)
    for name in ("fingerprint", "notes"):
        if value := known.get(name):
            yield name, str(value)


def _used(results: Results) -> list[MetricSpec]:
    found = {metric.name: metric for column in results.values if (metric := results.metric(column))}
    return list(found.values())


def _defined(metric: MetricSpec) -> Iterator[tuple[str, str]]:
    """Return what a metric is."""
    low, high = (number(edge) if math.isfinite(edge) else ("−∞" if edge < 0 else "∞") for edge in metric.range)
    told = {
        "what": metric.title,
        "formula": metric.formula,
        "range": f"{low} to {high}, {DIRECTIONS[metric.better]}",
        "source": metric.source,
    }
    return ((says, text) for says, text in told.items() if text)
