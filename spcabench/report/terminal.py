"""The main table at the end of a run, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

from spcabench.report import tables
from spcabench.report.numerals import without_sd
from spcabench.report.results import Results
from spcabench.store.record import FAILED

GAP = "  "

LEAST_COLUMNS = 3
"""Columns that stay however narrow the terminal is: method, nonzeros, and the first result."""


@dataclass(frozen=True)
class MainTable:
    """The main table for a terminal: the methods under the data set they were fitted to.

    No cell is broken: where the terminal is too narrow, first the standard deviations go, then columns from the end,
    and the last line tells where they are.  What plugins named is text, never markup.

    Parameters
    ----------
    results : Results
        What was run, and what came of it.
    """

    results: Results

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        table = tables.main(self.results)
        columns, rows, left_out = fitted(table, options.max_width)
        widths = [max(map(cell_len, texts)) for texts in zip(columns, *rows, strict=True)]
        suite = self.results.suite

        def line(texts: Sequence[str], styles: Sequence[str]) -> Text:
            return Text(GAP, no_wrap=True, overflow="ellipsis").join(
                Text((" " * (width - cell_len(text)) + text) if name in table.right else _padded(text, width), style)
                for name, width, text, style in zip(columns, widths, texts, styles, strict=True)
            )

        yield Text(suite.title or suite.name, "italic")
        yield line(columns, ["bold"] * len(columns))
        yield Text("─" * min(sum(widths) + len(GAP) * (len(widths) - 1), options.max_width))
        datasets = table.cells["data set"] if len(table.cells) else ()
        for dataset, entries in groupby(enumerate(datasets), key=lambda entry: entry[1]):
            yield Text(str(dataset), "bold red" if dataset in self.results.stand_ins else "bold")
            for row, _ in entries:
                yield line(rows[row], [self._style(table, row, name, columns) for name in columns])
        yield Text(f"\n{suite.n_components} components.  {tables.outcome(self.results)}")
        if left_out:
            yield Text(left_out)

    def _style(self, table: tables.Table, row: int, name: str, columns: Sequence[str]) -> str:
        """Mark what is best, and the statuses that stand for a result: failures unlike cells never fitted."""
        if (row, name) in table.best:
            return "bold green"
        group = self.results.groups[row]
        if group.n_finished or name != columns[LEAST_COLUMNS - 1]:
            return ""
        return "red" if group.statuses.keys() & set(FAILED) else "dim"


def fitted(table: tables.Table, width: int) -> tuple[list[str], list[list[str]], str]:
    """Return columns and rows that fit a width without breaking a cell, and a line that tells what was left out."""
    columns = ["method", "nonzeros", *table.cells.columns[4:]]
    rows = [[str(texts[name]) for name in columns] for texts in table.cells.to_dict("records")]
    if _width(columns, rows) <= width:
        return columns, rows, ""
    bare = [[without_sd(text) for text in texts] for texts in rows]
    left_out = ["standard deviations"] if bare != rows else []
    kept = len(columns)
    while kept > LEAST_COLUMNS and _width(columns[:kept], [texts[:kept] for texts in bare]) > width:
        kept -= 1
    more = len(columns) - kept
    left_out += [f"{more} more {'column' if more == 1 else 'columns'}"] if more else []
    told = " and ".join(left_out)
    return columns[:kept], [texts[:kept] for texts in bare], f"{told[:1].upper()}{told[1:]}: report.md" if told else ""


def _width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    widths = (max(map(cell_len, texts)) for texts in zip(columns, *rows, strict=True))
    return sum(widths) + len(GAP) * (len(columns) - 1)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
