"""The planned cells of a run, each with what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator

from spcabench.store.folder import RunFolder
from spcabench.store.gist import Gist, agreed, wanted
from spcabench.store.record import Record
from spcabench.suite.plan import Cell, Plan


def kept_cells(folder: RunFolder, plan: Plan) -> Iterator[tuple[Cell, Record | None]]:
    """Yield every planned cell with its record; None if there is none, or one of another cell."""
    records = folder.kept_records(_keys(folder, plan))
    for cell, record in zip(plan.cells, records, strict=True):
        yield cell, record if record is not None and agreed(record.cell) == wanted(cell) else None


def seen_cells(folder: RunFolder, plan: Plan) -> Iterator[tuple[Cell, Gist | None]]:
    """Yield every planned cell with the gist of its record; None if there is none, or one of another cell."""
    gists = folder.gists(_keys(folder, plan))
    for cell, gist in zip(plan.cells, gists, strict=True):
        yield cell, gist if gist is not None and gist.same == wanted(cell) else None


def _keys(folder: RunFolder, plan: Plan) -> list[str]:
    """Return the key of every planned cell; empty where it has none."""
    index = folder.index
    return [index.get(cell.id, "") for cell in plan.cells]
