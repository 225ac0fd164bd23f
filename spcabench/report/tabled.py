"""Make a table from what its columns enter for each subject."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from spcabench.report.parts import Entry, Field, Row, Table

MOST_ROWS = 1000
"""Rows of a table for readers; all rows are in the CSV."""

Subject = TypeVar("Subject")
Columns = Sequence[tuple[Field, Callable[[Subject], Entry]]]
"""The columns of a table: each field, and how the entry of a row is made."""


def tabled(
    name: str, caption: str, columns: Columns[Subject], subjects: Sequence[Subject], row: Callable[..., Row]
) -> Table | None:
    """Make a table with a row for each subject; None if there is none."""
    if not subjects:
        return None
    more = f" The first {MOST_ROWS} of {len(subjects)} rows; all are in tables/{name}.csv."
    return Table(
        name,
        caption + (more if len(subjects) > MOST_ROWS else ""),
        tuple(field for field, _ in columns),
        tuple(row(subject, tuple(enter(subject) for _, enter in columns)) for subject in subjects),
        min(len(subjects), MOST_ROWS),
    )
