"""A table as CSV: plain names, full precision, every row; text that a spreadsheet would compute is quoted."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from spcabench.report.parts import Entry, Field, Table

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet takes for a formula."""


def table_text(table: Table) -> str:
    """Write a table."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    fields = [(place, field) for place, field in enumerate(table.fields) if field.name]
    writer.writerow([name for _, field in fields for name in names_of(field)])
    for row in table.rows:
        writer.writerow([value for place, field in fields for value in _values(row.entries[place], field)])
    return stream.getvalue()


def names_of(field: Field) -> Iterator[str]:
    """Yield the names of the columns that a program gets of a field."""
    yield field.name
    if field.with_sd:
        yield f"{field.name}_sd"
    if field.with_planned:
        yield "planned"


def _values(entry: Entry, field: Field) -> Iterator[object]:
    yield _plain(entry.value)
    if field.with_sd:
        yield _plain(entry.sd)
    if field.with_planned:
        yield entry.planned


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
