"""The main table of a document on a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

from spcabench.report.document import COMPONENTS, DATASET, LEVEL, METHOD, Document, Entry, Field, Row, Table
from spcabench.report.render.text import entry_text, shown_fields
from spcabench.wording import printable

GAP = "  "

MOST_DATASETS = 30
"""Data sets whose rows are shown; the report has all."""

LEAST_COLUMNS = 3
"""Columns that stay however narrow the terminal is: method, nonzeros, and the first result."""

STATES = {"finished": "", "failed": "red", "not fitted": "dim"}
"""How the first result of a row is styled, which says what became of it if it did not finish."""


@dataclass(frozen=True)
class MainTable:
    """The main table for a terminal: the methods under the data set they were fitted to.

    No cell is broken: where the terminal is too narrow, first the standard deviations go, then columns from the end,
    and the last line says where they are.  What plugins named is text, never markup.

    Parameters
    ----------
    document : Document
        The report.
    """

    document: Document

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        document = self.document
        yield Text(printable(document.title), "italic")
        if document.lead:
            yield Text(printable(document.lead), "bold")
        whole = document.tables.get("main")
        left_out = ""
        if whole:
            table, more = first_datasets(whole)
            columns, left_out = fitted(table, options.max_width)
            yield from _lines(table, columns, options.max_width)
            if more:
                yield Text(f"and {more} more data {'set' if more == 1 else 'sets'}: see report.md")
        yield Text(printable(f"\n{document.n_components} components.  {document.outcome}"))
        if left_out:
            yield Text(left_out)


@dataclass(frozen=True)
class Column:
    """A column on the terminal: its field, its place among the entries of a row, and the texts of all rows."""

    field: Field
    place: int
    texts: list[str]

    @cached_property
    def width(self) -> int:
        """The width of its widest text."""
        return max(map(cell_len, (self.field.heading, *self.texts)))

    def padded(self, text: str) -> str:
        """Fill up a text to the width, numbers at their left."""
        room = " " * (self.width - cell_len(text))
        return room + text if self.field.numeric else text + room


def first_datasets(table: Table) -> tuple[Table, int]:
    """Return the rows of the first data sets that readers see, and how many more data sets there are."""
    place = table.fields.index(DATASET)
    rows = table.shown
    datasets = list(dict.fromkeys(row.entries[place].value for row in rows))
    kept = set(datasets[:MOST_DATASETS])
    first = tuple(row for row in rows if row.entries[place].value in kept)
    return replace(table, rows=first, n_shown=len(first)), len(datasets) - len(kept)


def fitted(table: Table, width: int) -> tuple[list[Column], str]:
    """Return the columns that fit a width without breaking a cell, and a line that says what was left out."""
    columns = _columns(table, entry_text)
    if _width(columns) <= width:
        return columns, ""
    bare = _columns(table, _bare)
    left_out = ["standard deviations"] if bare != columns else []
    kept = len(bare)
    while kept > LEAST_COLUMNS and _width(bare[:kept]) > width:
        kept -= 1
    more = len(bare) - kept
    left_out += [f"{more} more {'column' if more == 1 else 'columns'}"] if more else []
    says = " and ".join(left_out)
    return bare[:kept], f"{says[:1].upper()}{says[1:]}: report.md" if says else ""


def _columns(table: Table, text: Callable[[Entry, Field], str]) -> list[Column]:
    """Return the columns: first who and how sparse, then what came of it; the data set heads its rows."""
    shown = [(place, field) for place, field in shown_fields(table) if field not in (DATASET, COMPONENTS)]
    shown.sort(key=lambda place: (METHOD, LEVEL).index(place[1]) if place[1] in (METHOD, LEVEL) else 2)
    return [
        Column(field, place, [printable(text(row.entries[place], field)) for row in table.shown])
        for place, field in shown
    ]


def _bare(entry: Entry, field: Field) -> str:
    """Write an entry without its standard deviation."""
    return entry_text(entry if math.isnan(entry.sd) else replace(entry, sd=math.nan), field)


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def _lines(table: Table, columns: Sequence[Column], width: int) -> Iterator[Text]:
    yield _line([Text(column.padded(column.field.heading), "bold") for column in columns])
    yield Text("─" * min(_width(columns), width))
    place = table.fields.index(DATASET)
    rows = enumerate(table.shown)
    for dataset, members in groupby(rows, key=lambda member: member[1].entries[place].value):
        for first, (number, row) in enumerate(members):
            if not first:
                yield Text(printable(str(dataset)), "bold red" if row.stand_in else "bold")
            yield _line(
                [
                    Text(column.padded(column.texts[number]), _style(row, row.entries[column.place], rank))
                    for rank, column in enumerate(columns)
                ]
            )


def _line(texts: Sequence[Text]) -> Text:
    return Text(GAP, no_wrap=True, overflow="ellipsis").join(texts)


def _style(row: Row, entry: Entry, rank: int) -> str:
    """Mark what is best, and the statuses that stand for a result: failures unlike cells never fitted."""
    if entry.best:
        return "bold green"
    return STATES[row.state] if rank == LEAST_COLUMNS - 1 else ""
