"""Make the report of a run from its records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from spcabench.report.figures import FIGURES
from spcabench.report.formats import to_csv, to_latex, to_markdown
from spcabench.report.page import page
from spcabench.report.published import agreement, beside
from spcabench.report.results import Results
from spcabench.report.tables import Table, main, timing, unfinished
from spcabench.store.folder import RunFolder

TABLES: dict[str, Callable[[Results], Table | None]] = {
    "main": main,
    "published": beside,
    "order": agreement,
    "timing": timing,
    "unfinished": unfinished,
}
"""Every table, by the name of its files."""

FORMATS = {"csv": to_csv, "tex": to_latex, "md": to_markdown}

PICTURES = ("svg", "png", "pdf")
"""The files of a figure."""

SCALE = 2.0
"""Pixels of a PNG to a unit of the figure."""


def build(results: Results) -> Path:
    """Write ``report.md``, ``report.html``, ``tables`` and ``figures`` into the run's folder.

    Parameters
    ----------
    results : Results
        What was run, and what came of it.

    Returns
    -------
    Path
        The page in Markdown; the one in HTML is beside it.

    Notes
    -----
    The same records give the same bytes, but for PDF, whose parts come in random order; where a figure has not
    changed its files are left as they are.  Tables and figures of an earlier form of the suite that are no longer
    made are removed.
    """
    from spcabench.report.html.page import html_page

    tables = {name: table for name, make in TABLES.items() if (table := make(results))}
    charts = draw_figures(results)
    for name in TABLES.keys() - tables.keys():
        _remove(results.folder, "tables", name, list(FORMATS))
    for name in FIGURES.keys() - charts.keys():
        _remove(results.folder, "figures", name, list(PICTURES))
    for name, table in tables.items():
        _write_table(results.folder, name, table)
    for name, chart in charts.items():
        _write_figure(results.folder, name, chart)
    results.folder.write_text("report.html", html_page(results, tables, charts))
    return results.folder.write_text("report.md", page(results, tables, list(charts)))


def draw_figures(results: Results) -> dict[str, Any]:
    """Draw the figures that the suite asks for, or all if it asks for none; leave out those that cannot be drawn."""
    wanted = [str(name) for name in results.suite.report.figures or FIGURES]
    charts = {name: FIGURES[name].draw(results) for name in wanted}
    return {name: chart for name, chart in charts.items() if chart is not None}


def _write_table(folder: RunFolder, name: str, table: Table) -> None:
    for ending, write in FORMATS.items():
        folder.write_text(f"tables/{name}.{ending}", write(table).rstrip("\n") + "\n")


def _write_figure(folder: RunFolder, name: str, chart: Any) -> None:
    """Write the files of a figure, unless they are there and it is still the same."""
    import altair
    import vl_convert

    with altair.data_transformers.enable("default", max_rows=None):
        svg = vl_convert.vegalite_to_svg(chart.to_dict())
    files = {ending: folder.path / "figures" / f"{name}.{ending}" for ending in PICTURES}
    if all(file.exists() for file in files.values()) and files["svg"].read_text(encoding="utf-8") == svg:
        return
    folder.write_bytes(f"figures/{name}.png", vl_convert.svg_to_png(svg, scale=SCALE))
    folder.write_bytes(f"figures/{name}.pdf", vl_convert.svg_to_pdf(svg))
    folder.write_text(f"figures/{name}.svg", svg)


def _remove(folder: RunFolder, kind: str, name: str, endings: list[str]) -> None:
    for ending in endings:
        (folder.path / kind / f"{name}.{ending}").unlink(missing_ok=True)
