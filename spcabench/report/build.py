"""Write the report of a run: tables, figures and pages, all from one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from spcabench.report import export
from spcabench.report.contents import document
from spcabench.report.document import Document, Table
from spcabench.report.figures import FIGURES, PICTURES, lacking
from spcabench.report.model import Results
from spcabench.report.render import latex, markdown
from spcabench.report.tables import TABLES
from spcabench.store.folder import RunFolder

FORMATS: Mapping[str, Callable[[Table], str]] = {
    "csv": export.table_text,
    "tex": latex.latex_table,
    "md": markdown.markdown_table,
}
"""How a table is written, by the ending of the file."""


def build(results: Results, say: Callable[[str], None] = lambda text: None) -> Path:
    """Write the report of a run into its folder, and return the page in Markdown."""
    return write(document(results), results.folder, say)


def write(report: Document, folder: RunFolder, say: Callable[[str], None] = lambda text: None) -> Path:
    """Write ``report.md``, ``report.html``, ``tables`` and ``figures``.

    Parameters
    ----------
    report : Document
        What they say.
    folder : RunFolder
        The run's folder.
    say : callable
        Reports each figure, since drawing takes a while, or why there is none.

    Returns
    -------
    Path
        The page in Markdown; the one in HTML is beside it.

    Notes
    -----
    The same records make the same bytes, except PDF, whose parts come in random order.  Tables and figures of an
    earlier form of the suite that are no longer made are removed.
    """
    from spcabench.report.render import html

    drawn = {figure.name for figure in report.figures}
    gone = [f"tables/{name}.{ending}" for name in TABLES.keys() - report.tables.keys() for ending in FORMATS]
    gone += [f"figures/{name}.{ending}" for name in FIGURES.keys() - drawn for ending in PICTURES]
    for file in gone:
        folder.remove(file)
    for name, table in report.tables.items():
        for ending, text in FORMATS.items():
            folder.write_text(f"tables/{name}.{ending}", text(table).rstrip("\n") + "\n")
    if lacking():
        say(f"no figure is drawn: {lacking()}")
    for number, figure in enumerate(report.figures, 1):
        say(f"drawing {figure.name} (figure {number} of {len(report.figures)})")
        for kind in PICTURES:
            folder.write_bytes(f"figures/{figure.name}.{kind}", figure.picture(kind))
    folder.write_text("report.html", html.html_page(report))
    return folder.write_text("report.md", markdown.markdown_page(report))
