"""A table for programs, as CSV and as a data frame: plain names, full precision, every row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from spcabench.report.document import LEVEL, Table
from spcabench.store.frame import Level

if TYPE_CHECKING:
    import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet takes for a formula."""


def table_text(table: Table) -> str:
    """Write a table; text that a spreadsheet would compute is quoted."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(name for name, _ in _columns(table))
    writer.writerows(zip(*(map(_plain, column) for _, column in _columns(table)), strict=True))
    return stream.getvalue()


def table_frame(table: Table) -> pd.DataFrame:
    """Return a table as a data frame; a target is its number, or a tuple of one for each component."""
    import pandas as pd

    def series(name: str, column: list[Any]) -> pd.Series[Any]:
        plain = pd.Series([one.target if isinstance(one, Level) else one for one in column], dtype=object)
        return plain if name == LEVEL.name else plain.infer_objects()

    return pd.DataFrame({name: series(name, column) for name, column in _columns(table)})


def _columns(table: Table) -> Iterator[tuple[str, list[Any]]]:
    """Yield the columns that a program gets, each with its name."""
    for place, field in enumerate(table.fields):
        entries = [row.entries[place] for row in table.rows]
        if field.name:
            yield field.name, [entry.value for entry in entries]
            if field.with_sd:
                yield f"{field.name}_sd", [entry.sd for entry in entries]
            if field.with_planned:
                yield "planned", [entry.planned for entry in entries]


def _plain(value: object) -> object:
    """Leave a place empty where nothing is known, and make text harmless."""
    if isinstance(value, str):
        return harmless(value)
    return "" if isinstance(value, float) and math.isnan(value) else value


def harmless(text: str) -> str:
    """Return a text such that a spreadsheet shows it: one that it would compute as a formula begins with ``'``.

    Examples
    --------
    >>> harmless("=1+1"), harmless("pca")
    ("'=1+1", 'pca')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
