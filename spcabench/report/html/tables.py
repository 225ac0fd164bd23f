"""Tables as the page shows them: every entry with what it is sorted by."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spcabench.report.numerals import NOTHING, UNITS
from spcabench.report.tables import Table

if TYPE_CHECKING:
    import pandas as pd

NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf))(?: ± \S+)?(?: (µs|ms|s|min|h)$)?(.*)", re.DOTALL)

SHARED = ("data set", "components")
"""Columns that are told once, above the table, where all rows say the same."""


@dataclass(frozen=True)
class Entry:
    """An entry of a table: its text, the number it is sorted by if it is one, and whether it is marked."""

    text: str
    number: float | None = None
    best: bool = False


@dataclass(frozen=True)
class Heading:
    """The heading of a column."""

    text: str
    right: bool


@dataclass(frozen=True)
class Row:
    """A row of a table, and the label of its method if it has one."""

    method: str
    entries: list[Entry]


@dataclass(frozen=True)
class View:
    """A table for the page.

    Parameters
    ----------
    name : str
        The name of its files, or empty.
    caption : str
        What it shows.
    shared : list of (str, str)
        Columns in which all rows agree, and what they say.
    headings : list of Heading
        The other columns.
    rows : list of Row
        Their entries.
    """

    name: str
    caption: str
    shared: list[tuple[str, str]]
    headings: list[Heading]
    rows: list[Row]


def view(name: str, table: Table) -> View:
    """Make the view of a table."""
    cells = table.cells
    shared = [(column, str(cells[column].iloc[0])) for column in SHARED if column in cells and _agree(cells[column])]
    told = {column for column, _ in shared}
    columns = [str(column) for column in cells.columns if column not in told]
    rows = [
        Row(
            texts.get("method", ""),
            [
                Entry(texts[column], sort_number(texts[column], column in table.right), (place, column) in table.best)
                for column in columns
            ],
        )
        for place, texts in enumerate(cells.astype(str).to_dict("records"))
    ]
    return View(name, table.caption, shared, [Heading(column, column in table.right) for column in columns], rows)


def _agree(column: pd.Series[str]) -> bool:
    return len(column) > 1 and column.nunique() == 1


def sort_number(text: str, numeric: bool = False) -> float | None:
    """Return the number that an entry is sorted by, times in seconds; None if it is a text.

    Parameters
    ----------
    text : str
        As it is shown.
    numeric : bool
        Whether its column is one of numbers, so that words behind the number do not make it a text.

    Examples
    --------
    >>> sort_number("905.1 ± 2.3"), sort_number("1.5 ms"), sort_number("2 min"), sort_number("2nd")
    (905.1, 0.0015, 120.0, None)
    >>> sort_number("400, got 398.5"), sort_number("2 of 3", numeric=True)
    (400.0, 2.0)
    """
    found = NUMBER.fullmatch(text.strip())
    if found is None or text == NOTHING:
        return None
    digits, unit, rest = found.groups()
    if rest and not numeric and not rest.startswith((", got ", " of ", " (")):
        return None
    number = float(digits) * SECONDS.get(unit, 1.0)
    return number if math.isfinite(number) else None


SECONDS = {unit: 1 / factor for _, factor, unit in UNITS}
"""Seconds to a unit of time."""
