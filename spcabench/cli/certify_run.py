"""The table that the verb certify prints of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from spcabench.api.find_run import existing_run
from spcabench.cli.proofs import best_loading, judged
from spcabench.cli.show import show
from spcabench.cli.tables import table

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.specs import Array
    from spcabench.store.folder import RunFolder
    from spcabench.suite.plan import Cell

HEADERS = ("data set", "seed", "nonzeros", "method", "value", "bound", "gap", "status")


def certify_run(registry: Registry, target: str, component: int, by: str, tol: float) -> None:
    """Print what a method proves of one component of each fit of a run; one proof serves all fits of one cardinality.

    Parameters
    ----------
    registry : Registry
    target : str
        The folder of the run.
    component : int
        Which one, counted from 1; it is compared with the best loadings of the data as they are, not deflated.
    by : str
        The method that proves.
    tol : float
        The gap that counts as none.

    Raises
    ------
    InputError
        If there is no run, it has no loadings, or the method proves no bound.
    """
    from spcabench.errors import InputError

    loaded, folder = existing_run(target, registry)
    rows: list[tuple[str, ...]] = []
    cells = sorted(kept_loadings(folder, loaded.plan.cells, component), key=lambda kept: kept[0].draw.id)
    for _, group in groupby(cells, key=lambda kept: kept[0].draw.id):
        rows += proved_draw(registry, list(group), by, tol)
    if not cells:
        raise InputError(f"{folder.path} has no fit with a component {component} that is not zero")
    place = {cell.id: number for number, cell in enumerate(loaded.plan.cells)}
    order = np.argsort([place[cell.id] for cell, _ in cells], kind="stable")
    table([rows[i] for i in order], HEADERS)
    show(f"bounds are proved by {by}")


def kept_loadings(folder: RunFolder, cells: Sequence[Cell], component: int) -> Iterator[tuple[Cell, Array]]:
    """Yield the cells that have such a component, and its unit loading."""
    index = folder.index
    for cell in cells:
        held = folder.loadings(index[cell.id]) if cell.id in index else None
        if held is None or len(held["components"]) < component:
            continue
        w = np.asarray(held["components"][component - 1], dtype=np.float64)
        if w.any():
            yield cell, w / np.linalg.norm(w)


def proved_draw(registry: Registry, cells: list[tuple[Cell, Array]], by: str, tol: float) -> list[tuple[str, ...]]:
    """Return a row for each cell of one draw."""
    from spcabench.run.seeds import data_rng
    from spcabench.run.worker.draw import checked, preprocessed
    from spcabench.specs import DataUnavailable
    from spcabench.targets import resolve

    draw = cells[0][0].draw
    params = dict(draw.variant.params)
    rng = data_rng(draw.variant.spec.name, params, draw.identity["seed"])
    try:
        dataset = preprocessed(checked(resolve(draw.variant.spec.load)(rng, **params)), draw.variant.preprocess)
    except DataUnavailable as reason:
        return [(*_named(cell, w), "", "", "", f"unavailable: {reason}") for cell, w in cells]
    proofs: dict[int, tuple[Array, float]] = {}
    rows = []
    for cell, w in cells:
        k = int(np.count_nonzero(w))
        if k not in proofs:
            proofs[k] = best_loading(registry, by, dataset, k)
        proof = judged(dataset, w, *proofs[k], tol)
        numbers = f"{proof.value:.6g}", f"{proof.bound:.6g}", f"{proof.gap:.2g}"
        rows.append((*_named(cell, w), *numbers, proof.status))
    return rows


def _named(cell: Cell, w: Array) -> tuple[str, ...]:
    return cell.draw.variant.label, str(cell.seed), str(np.count_nonzero(w)), cell.method.label
