"""A document as one HTML file with everything in it, which works offline; and what other pages share with it."""

from __future__ import annotations

import functools
import math
import os
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from importlib.metadata import version
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from spcabench.process import user_cache
from spcabench.report.document import DATASET, LEVEL, METHOD, Document, Entry, Field, Figure, Row, Table, Winners
from spcabench.report.headline import sentence
from spcabench.report.render.text import entry_text, measured, names, split
from spcabench.store.files import write_bytes
from spcabench.store.frame import Level
from spcabench.suite.columns import Column
from spcabench.wording import Unwritable

MOST_COMPARISONS = 1000
"""Rows of the table of winners."""


@dataclass(frozen=True)
class Cell:
    """An entry as a page shows it: its text, the number that it is sorted by, whether it is best, where it leads."""

    text: str
    number: float | None = None
    best: bool = False
    href: str = ""


@dataclass(frozen=True)
class Grid:
    """A table as the page shows it.

    Parameters
    ----------
    name : str
        The name of its files, or empty.
    caption : str
        What it shows.
    shared : list of (str, str)
        Columns in which all rows agree, and what they say.
    fields : list of Field
        The other columns.
    rows : list of (str, list of Cell)
        The label of the method, if there is one, and the cells.
    """

    name: str
    caption: str
    shared: list[tuple[str, str]]
    fields: list[Field]
    rows: list[tuple[str, list[Cell]]]

    @property
    def kinds(self) -> list[Markup]:
        """What each column is, as classes of its cells, each with a space behind it."""
        return [
            Markup(f"{'right' if field.numeric else ''} {'name' if field.name == METHOD.name else ''} ")
            for field in self.fields
        ]


def page(document: Document) -> str:
    """Write the page: it needs nothing from elsewhere; what plugins and data named is text in it, never markup."""
    environment = environment_of(PackageLoader(__package__, "page"))
    return environment.get_template("page.html.jinja").render(
        document=document,
        sections=document.sections,
        style=own("page.css"),
        script=own("tables.js") + own("page.js"),
        vega=Markup(vega()) if document.figures else "",
    )


def environment_of(*loaders: BaseLoader) -> Environment:
    """Return the templates of pages: what they are given is text, unless it is marked as markup.

    A page may extend ``base.html.jinja``, and give it ``root``, the way to the root of the pages, and ``linked``, which
    shows a table, in place of the defaults.
    """
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"winners": winners, "spec": _spec, "caption": _caption, "sentence": sentence}
    environment.filters["kind"] = lambda block: type(block).__name__
    environment.globals |= {"root": "", "linked": grid}
    return environment


def own(name: str, package: str = __package__) -> Markup:
    """Return a file of a package of pages, which is ours and so needs no escaping."""
    return Markup(resources.files(package).joinpath("page", name).read_text(encoding="utf-8"))


@functools.cache
def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which sets ``window.vegaEmbed``.

    Notes
    -----
    To make it takes more than a second.  It is kept in the user's cache folder under the version of vl-convert, and
    not kept where that folder cannot be written; a file without its last line is made again.
    """
    file = user_cache(os.environ) / "spcabench" / "vega" / f"vl-convert-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        kept = file.read_text(encoding="utf-8")
        if kept.endswith(END):
            return kept
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    script = bundle.replace("</script", "<\\/script") + END
    with suppress(Unwritable):
        write_bytes(file, script.encode())
    return script


END = "\n/* end */\n"
"""The last line of the script as it is kept."""


def _spec(figure: Figure) -> dict[str, Any]:
    from spcabench.report.figures.views import page_spec

    return page_spec(figure.chart)


def _caption(figure: Figure) -> str:
    from spcabench.report.figures.views import subtitle

    says = f"{figure.caption[:1].upper()}{figure.caption[1:]}." if figure.caption else ""
    return " ".join(filter(None, (says, subtitle(figure.chart))))


def grid(table: Table | Grid) -> Grid:
    """Show a table; what all rows agree in is said once above it."""
    if isinstance(table, Grid):
        return table
    shared, others = split(table)
    return Grid(
        table.name,
        table.caption,
        [(field.heading, says) for field, says in shared],
        [field for _, field in others],
        [
            (row.method, [_cell(row.entries[place], field) for place, field in others])
            for row in table.rows[: table.n_shown]
        ],
    )


def _cell(entry: Entry, field: Field) -> Cell:
    return Cell(entry_text(entry, field), sort_number(entry), entry.best)


def sort_number(entry: Entry) -> float | None:
    """Return the number that an entry is sorted by; None if it is none, or infinite."""
    value = entry.value.target if isinstance(entry.value, Level) else entry.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def winners(block: Winners) -> Grid:
    """Show the best of the methods: a row for each comparison, a column for each metric."""
    found: dict[tuple[str, str], dict[Column, str]] = {}
    for column, wins in block.wins.items():
        for win in wins:
            value = measured(win.spread.mean, win.spread.sd, column.unit).replace(" ± ", "\u00a0±\u00a0")
            leader, *others = win.methods
            alike = f" (not ruled out: {names(tuple(others))})" if others else ""
            found.setdefault((win.track.dataset, win.track.sparsity), {})[column] = f"{leader}, {value}{alike}"
    rows = tuple(
        Row((Entry(dataset), Entry(sparsity), *(Entry(best.get(column)) for column in block.wins)))
        for (dataset, sparsity), best in found.items()
    )
    caption = "The best mean at equal sparsity, and the methods that the seeds do not rule out as the best."
    if len(found) > MOST_COMPARISONS:
        caption += f" The first {MOST_COMPARISONS} of {len(found)} comparisons."
    fields = (DATASET, LEVEL, *(Field("", column.heading) for column in block.wins))
    return grid(Table("", caption, fields, rows, min(len(rows), MOST_COMPARISONS)))
