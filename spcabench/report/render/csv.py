"""A table as CSV: plain names, full precision, every row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from spcabench.report.parts import Entry, Field, Table


def table_text(table: Table) -> str:
    """Write a table."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    fields = [(place, field) for place, field in enumerate(table.fields) if field.name]
    writer.writerow([name for _, field in fields for name in _names(field)])
    for row in table.rows:
        writer.writerow([value for place, field in fields for value in _values(row.entries[place], field)])
    return stream.getvalue()


def _names(field: Field) -> Iterator[str]:
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
    """Leave a place empty where nothing is known."""
    return "" if isinstance(value, float) and math.isnan(value) else value
