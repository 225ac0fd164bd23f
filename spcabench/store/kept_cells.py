"""The planned cells of a run, each with the record that is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from spcabench.store.folder import RunFolder
from spcabench.store.record import Record
from spcabench.suite.plan import Cell, Plan

_SAME = ("method_name", "params", "n_components", "n_nonzero", "seed", "threads")
"""What a record and its cell agree on; labels and data sets may be called something else since."""


def kept_cells(folder: RunFolder, plan: Plan) -> Iterator[tuple[Cell, Record | None]]:
    """Yield every planned cell with its record; None if there is none, or one of another cell."""
    index = folder.index
    for cell in plan.cells:
        key = index.get(cell.id)
        record = folder.kept(key) if key else None
        yield cell, record if record is not None and _is_of(record, cell) else None


def _is_of(record: Record, cell: Cell) -> bool:
    return all(name in record.cell and _plain(record.cell[name]) == _plain(cell.identity[name]) for name in _SAME)


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
