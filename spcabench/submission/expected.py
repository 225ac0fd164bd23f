"""The cells of a method in a run, and the key that each record must have."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.run.cell_keys import cell_key
from spcabench.run.code_hash import code_hash
from spcabench.run.draws import KnownDraw
from spcabench.store.draw import DrawRecord
from spcabench.suite.models import MethodEntry
from spcabench.suite.plan import Cell, Plan


def label_of(entry: MethodEntry) -> str:
    """Return what a suite calls a method."""
    return entry.label or entry.name


def cells_of(plan: Plan, label: str) -> Sequence[Cell]:
    """Return the cells of a method, those of all its variants if its parameters span a grid."""
    return [cell for cell in plan.cells if cell.method.name == label or cell.method.name.startswith(f"{label}(")]


def expected_key(cell: Cell, draw: DrawRecord | None) -> str | None:
    """Return the key of the record of a cell, whose code is that at hand; None if its data are not known."""
    if cell.skip:
        return cell_key(cell, None, code_hash)
    return None if draw is None else cell_key(cell, KnownDraw(draw), code_hash)
