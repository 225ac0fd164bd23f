"""A table as a data frame: plain names, full precision, every row."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from spcabench.report.parts import LEVEL, Entry, Field, Table
from spcabench.report.render.csv import names_of
from spcabench.store.frame import Level


def table_frame(table: Table) -> pd.DataFrame:
    """Return a table as a data frame; a target is its number, or a tuple of one for each component."""
    fields = [(place, field) for place, field in enumerate(table.fields) if field.name]
    columns = [name for _, field in fields for name in names_of(field)]
    rows = [[value for place, field in fields for value in _values(row.entries[place], field)] for row in table.rows]
    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    return frame.drop(columns=LEVEL.name, errors="ignore").infer_objects().join(frame.filter([LEVEL.name]))[columns]


def _values(entry: Entry, field: Field) -> Iterator[object]:
    yield entry.value.target if isinstance(entry.value, Level) else entry.value
    if field.with_sd:
        yield entry.sd
    if field.with_planned:
        yield entry.planned
