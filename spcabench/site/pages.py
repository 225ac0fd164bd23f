"""Pages of the site: what they are made of, where they are, and how one is written as HTML that works offline."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from jinja2 import PackageLoader

from spcabench.report.document import Block, Entry, Field, Section, Table
from spcabench.report.render.html import environment_of, own
from spcabench.report.render.text import NOTHING, entry_text

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")

Places = Mapping[str, Mapping[str, str]]
"""Where pages are: by their kind, then by label, or by title for those that stand alone."""

WIDE = 99
"""Columns of a table of the site: it shows all."""

FITTING = 9
"""Columns of a table of the reports that a page of 1440 pixels has room for: the others are shown on demand."""

QUESTION = Field("question", "question")

LEADING = {"method": "method", "dataset": "data set", "run": "report", "question": "question"}
"""The kind of page that the entries of a column lead to."""


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Parameters
    ----------
    path : str
        Its place in the site, with slashes.
    kind, title : str
        What it is, and its heading.
    lead : str
        The sentence that opens it; empty if none does.
    sections : tuple of Section
        What stands on it; those without blocks are left out.
    template : str
        What writes it: site, or a static page of that name.
    """

    path: str
    kind: str
    title: str
    lead: str
    sections: tuple[Section, ...] = ()
    template: str = "site"

    @property
    def root(self) -> str:
        """The way from its folder to the root of the site."""
        return "../" * self.path.count("/")


def section(heading: str, *blocks: Block | None) -> Section:
    """Return a section of a page; what is None is left out."""
    return Section("", heading, tuple(filter(None, blocks)))


def right(name: str, heading: str, rank: int = 0) -> Field:
    """Return a column of numbers; one of a higher rank is not seen on a narrow page."""
    return Field(name, heading, numeric=True, rank=rank)


def about(tables: Iterable[Table | None], column: Field, label: str) -> Iterator[Table]:
    """Yield of some tables the rows that have a label in a column, without it and without what is empty there."""
    for one in filter(None, tables):
        place = one.fields.index(column)
        rows = [row for row in one.rows if row[place].value == label]
        known = [
            at for at in range(len(one.fields)) if at != place and any(entry_text(row[at]) != NOTHING for row in rows)
        ]
        if rows:
            fields = tuple(replace(one.fields[at], rank=0) for at in known)
            own = tuple(tuple(row[at] for at in known) for row in rows)
            yield Table("", one.caption, fields, own, FITTING)


def file_name(label: str) -> str:
    """Return a file name for a label: of other letters it has none, and a hash instead.

    Examples
    --------
    >>> file_name("rsvd_l0"), file_name("hidden factors")
    ('rsvd_l0', 'hidden-factors-8cf6bd')
    """
    plain = _UNSAFE.sub("-", label).strip("-")
    if plain == label:
        return plain
    return f"{plain[:60]}-{hashlib.sha256(label.encode()).hexdigest()[:6]}".lstrip("-")


def linked(table: Table, page: Page, places: Places) -> Table:
    """Return a table with its methods, data sets, questions and runs leading to their pages."""

    def link(entry: Entry, column: Field) -> Entry:
        there = places.get(LEADING.get(column.name, ""), {}).get(entry_text(entry), page.path)
        return entry if there == page.path else replace(entry, href=page.root + there)

    rows = tuple(tuple(map(link, row, table.fields)) for row in table.shown)
    return replace(table, rows=rows, n_columns=table.n_columns if table.n_columns == FITTING else WIDE)


def renderer(places: Places, title: str, made: str, words: Mapping[str, object]) -> Callable[[Page], str]:
    """Return what writes a page of the site.

    Parameters
    ----------
    places : Places
        Where the pages are.
    title : str
        The name of the site.
    made : str
        When the site was made, and with what.
    words : mapping of str to object
        What the static pages name: controls, limits, the suite.
    """
    shared = {
        "style": own("page.css") + own("site.css", __package__),
        "script": own("tables.js") + own("site.js", __package__),
        **words,
    }
    environment = environment_of(*(PackageLoader(room, "page") for room in (__package__, "spcabench.report.render")))

    def write(page: Page) -> str:
        return environment.get_template(f"{page.template}.html.jinja").render(
            page=page,
            places=places,
            site_title=title,
            made=made,
            sections=[one for one in page.sections if one.blocks],
            root=page.root,
            linked=lambda table: linked(table, page, places),
            **shared,
        )

    return write
