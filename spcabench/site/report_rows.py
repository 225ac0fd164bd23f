"""Rows of a report's tables and of its records, for a page that shows some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from spcabench.report.document import (
    COMPONENTS,
    DATASET,
    LEVEL,
    METHOD,
    MOST_ROWS,
    Columns,
    Entry,
    Field,
    Row,
    Table,
    tabled,
)
from spcabench.report.model import COSTS, Results
from spcabench.store.status import PENDING

Cells = dict[str, Any]

SECONDS = COSTS["total_time"].name

RECORDS: Columns[Cells] = (
    (DATASET, lambda cell: Entry(cell["dataset"])),
    (METHOD, lambda cell: Entry(cell["method"])),
    (COMPONENTS, lambda cell: Entry(int(cell["n_components"]))),
    (LEVEL, lambda cell: Entry(cell["n_nonzero"])),
    (Field("seed", "seed", numeric=True), lambda cell: Entry(int(cell["seed"]))),
    (Field("status", "status"), lambda cell: Entry(cell["status"])),
    (Field(SECONDS, "fit and search", numeric=True), lambda cell: Entry(float(cell.get(SECONDS, "nan")), unit="s")),
    (Field("key", "record"), lambda cell: Entry(cell["key"][:12] or None)),
    (Field("reason", "reason"), lambda cell: Entry(cell["reason"] or None)),
)
"""The columns of a table of records."""

NEEDED = ("dataset", "method", "n_components", "n_nonzero", "seed", "status", SECONDS, "key", "reason")
"""What of a cell they show."""


def records(results: Results, method: str) -> Table | None:
    """Return the records of a method; the name of the run is in the caption."""
    places = np.flatnonzero((results.frame["method"] == method) & (results.frame["status"] != PENDING))
    names = [name for name in NEEDED if name in results.frame]
    first = results.frame[names].iloc[places[:MOST_ROWS]]
    cells = [dict(zip(names, row, strict=True)) for row in first.itertuples(index=False, name=None)]
    run = results.folder.path.name
    more = f" The first {MOST_ROWS} of {len(places)}." if len(places) > MOST_ROWS else ""
    caption = f"Records of the run {run}; its page has them all as CSV.{more}"
    found = tabled("", caption, RECORDS, cells, lambda cell, entries: Row(entries))
    return found and found.without(METHOD)


def of_method(table: Table | None, method: str) -> Iterator[Table]:
    """Yield the rows of a table that are about a method, if there are any."""
    yield from _some(table, lambda row: row.method == method)


def of_dataset(table: Table | None, dataset: str) -> Iterator[Table]:
    """Yield the rows of a table that are about a data set, if there are any."""
    if table is not None and DATASET in table.fields:
        place = table.fields.index(DATASET)
        yield from _some(table, lambda row: row.entries[place].value == dataset)


def _some(table: Table | None, holds: Callable[[Row], bool]) -> Iterator[Table]:
    rows = tuple(filter(holds, table.rows)) if table else ()
    if table and rows:
        yield replace(table, name="", rows=rows, n_shown=min(len(rows), MOST_ROWS))
