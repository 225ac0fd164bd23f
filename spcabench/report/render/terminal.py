"""The main table of a document on a terminal."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

from spcabench.report.document import COMPONENTS, DATASET, LEVEL, METHOD, Document, Entry, Table
from spcabench.report.render.text import entry_text, shown_fields
from spcabench.store.status import FAILED, FINISHED, PENDING, STATUSES
from spcabench.wording import printable

GAP = "  "

LEAST_COLUMNS = 3
"""Columns that stay however narrow the terminal is: method, nonzeros, and the first result."""

Texts = dict[int, list[str]]
"""The columns on the terminal by their place among the entries of a row: the heading and the texts, of one width."""


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
        table = document.tables.get("main")
        left_out = ""
        if table:
            columns, left_out = _fitted(table, options.max_width)
            yield from _lines(table, columns, options.max_width, document.stand_ins)
        yield Text(printable(f"\n{document.n_components} components.  {document.outcome}"))
        if left_out:
            yield Text(left_out)


def _fitted(table: Table, width: int) -> tuple[Texts, str]:
    """Return the columns that fit a width without breaking a cell, and a line that says what was left out."""
    columns, bare = _columns(table), _columns(table, with_sd=False)
    if _width(columns) <= width:
        return columns, ""
    left_out = ["standard deviations"] if bare != columns else []
    n_columns = len(bare)
    while len(bare) > LEAST_COLUMNS and _width(bare) > width:
        bare.popitem()
    if more := n_columns - len(bare):
        left_out.append(f"{more} more {'column' if more == 1 else 'columns'}")
    says = " and ".join(left_out)
    return bare, f"{says[:1].upper()}{says[1:]}: report.md" if says else ""


def _columns(table: Table, with_sd: bool = True) -> Texts:
    """Return the columns: first who and how sparse, then what came of it; the data set heads its rows."""
    found: Texts = {}
    shown = [(place, field) for place, field in shown_fields(table) if field not in (DATASET, COMPONENTS)]
    for place, field in sorted(shown, key=lambda one: (one[1] != METHOD, one[1] != LEVEL)):
        entries = [row[place] for row in table.shown]
        entries = entries if with_sd else [replace(entry, sd=math.nan) for entry in entries]
        texts = [field.heading, *(printable(entry_text(entry)) for entry in entries)]
        rooms = [" " * (max(map(cell_len, texts)) - cell_len(text)) for text in texts]
        pairs = zip(rooms, texts, strict=True)
        found[place] = [room + text if field.numeric else text + room for room, text in pairs]
    return found


def _width(columns: Texts) -> int:
    return cell_len(GAP.join(texts[0] for texts in columns.values()))


def _lines(table: Table, columns: Texts, width: int, stand_ins: Collection[str]) -> Iterator[Text]:
    yield _line([Text(texts[0], "bold") for texts in columns.values()])
    yield Text("─" * min(_width(columns), width))
    place = table.fields.index(DATASET)
    for dataset, members in groupby(enumerate(table.shown, 1), key=lambda member: member[1][place].value):
        for first, (number, row) in enumerate(members):
            if not first:
                yield Text(printable(str(dataset)), "bold red" if dataset in stand_ins else "bold")
            styles = [_style(row[at], rank) for rank, at in enumerate(columns)]
            yield _line([Text(texts[number], style) for texts, style in zip(columns.values(), styles, strict=True)])


def _line(texts: list[Text]) -> Text:
    return Text(GAP, no_wrap=True, overflow="ellipsis").join(texts)


def _style(entry: Entry, rank: int) -> str:
    """Mark what is best, and the statuses that stand for a first result: failures unlike cells never fitted."""
    if entry.best:
        return "bold green"
    statuses = set(str(entry.note or entry.value).split(", "))
    if rank != LEAST_COLUMNS - 1 or statuses & set(FINISHED) or not statuses <= {*STATUSES, PENDING}:
        return ""
    return "red" if statuses & set(FAILED) else "dim"
