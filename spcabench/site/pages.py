"""Pages of the site: what they are made of, where they are, and how one is written as HTML that works offline."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jinja2 import PackageLoader

from spcabench.report.document import METHOD, MOST_ROWS, Entry, Field, Row, Section, Table, Value
from spcabench.report.render.html import environment_of, own
from spcabench.report.render.text import entry_text

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


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
    sections: tuple[Section, ...]
    template: str = "site"

    @property
    def root(self) -> str:
        """The way from its folder to the root of the site."""
        return "../" * self.path.count("/")


def section(heading: str, *blocks: object) -> Section:
    """Return a section of a page."""
    return Section("", heading, blocks)  # type: ignore[arg-type]


def right(name: str, heading: str) -> Field:
    """Return a column of numbers."""
    return Field(name, heading, numeric=True)


def table(caption: str, fields: Sequence[Field], rows: Iterable[Sequence[Entry | Value]]) -> tuple[Table, ...]:
    """Return a table with these rows, or nothing where there is none; a row with a method is about that."""
    entered = [tuple(cell if isinstance(cell, Entry) else Entry(cell) for cell in cells) for cells in rows]
    place = fields.index(METHOD) if METHOD in fields else None
    made = tuple(Row(cells, "" if place is None else str(cells[place].value)) for cells in entered)
    return (Table("", caption, tuple(fields), made, min(len(made), MOST_ROWS)),) if made else ()


def about(tables: Iterable[Table | None], column: Field, label: str) -> tuple[Table, ...]:
    """Return of some tables the rows that have a label in a column."""
    found = []
    for one in tables:
        if one is not None and column in one.fields:
            place = one.fields.index(column)
            rows = tuple(row for row in one.rows if row.entries[place].value == label)
            found.append(replace(one, name="", rows=rows, n_shown=min(len(rows), MOST_ROWS)))
    return tuple(one for one in found if one.rows)


@dataclass(frozen=True)
class Places:
    """Where the pages of methods, data sets and runs are, by label, and those that stand alone, by title."""

    methods: Mapping[str, str] = field(default_factory=dict)
    datasets: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)
    boards: Mapping[str, str] = field(default_factory=dict)
    static: Mapping[str, str] = field(default_factory=dict)

    def of(self, column: str) -> Mapping[str, str] | None:
        """Return where the entries of a column lead; None if nowhere."""
        known = {"method": self.methods, "leader": self.methods, "dataset": self.datasets, "run": self.runs}
        return known.get(column)

    def linked(self, part: Table, page: Page) -> Table:
        """Return a table with its methods, data sets and runs leading to their pages."""

        def link(entry: Entry, column: Field) -> Entry:
            known = self.of(column.name)
            there = known.get(entry_text(entry, column), page.path) if known else page.path
            return entry if there == page.path else replace(entry, href=page.root + there)

        rows = (replace(row, entries=tuple(map(link, row.entries, part.fields))) for row in part.shown)
        return replace(part, rows=tuple(rows))


def file_name(label: str) -> str:
    """Return a file name for a label: of other letters it has none, and a hash instead.

    Examples
    --------
    >>> file_name("rsvd_l0"), file_name("hidden factors")
    ('rsvd_l0', 'hidden-factors-24e2f0')
    """
    plain = _UNSAFE.sub("-", label).strip("-")
    if plain == label:
        return plain
    return f"{plain[:60]}-{hashlib.sha256(label.encode()).hexdigest()[:6]}".lstrip("-")


def renderer(places: Places, title: str, made: str, words: Mapping[str, object]) -> Callable[[Page], str]:
    """Return what writes a page of the site.

    Parameters
    ----------
    places : Places
        Where the other pages are.
    title : str
        The name of the site.
    made : str
        When the site was made, and with what.
    words : mapping of str to object
        What the static pages name: controls, limits, the suite.
    """
    style = own("page.css") + own("site.css", __package__)
    script = own("tables.js") + own("site.js", __package__)
    shared = {"places": places, "site_title": title, "made": made, "style": style, "script": script, **words}
    environment = environment_of(*(PackageLoader(room, "page") for room in (__package__, "spcabench.report.render")))

    def write(page: Page) -> str:
        return environment.get_template(f"{page.template}.html.jinja").render(
            page=page,
            sections=[one for one in page.sections if one.blocks],
            root=page.root,
            linked=lambda part: places.linked(part, page),
            **shared,
        )

    return write
