"""A run of as many cells as wanted, made up from the one record of a real run: for what size alone can break."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import yaml

from spcabench.plugins import load_registry
from spcabench.run.cells import cell_key
from spcabench.run.host import run
from spcabench.run.options import Options
from spcabench.store.folder import RunFolder
from spcabench.suite.load import load_suite
from spcabench.wording import digest

ODD = Path(__file__).parent / "odd_methods.py"
SUITE = {
    "name": "many",
    "datasets": [{"name": "spiked", "params": {"n": 50, "d": 8, "spikes": [9.0], "support_size": 3}}],
    "n_components": 2,
    "metrics": ["cpev", "mean_nnz"],
}
LEVELS = 4
METHODS = 5
"""Together the cells of a draw."""


def planned(place, cells):
    """Write a suite of so many cells, 20 a draw; return it and its registry."""
    registry = load_registry([ODD])
    methods = [{"name": "axes", "params": {"pause": [1e-9 * step for step in range(METHODS)]}}]
    seeds = max(1, cells // (METHODS * LEVELS))
    sizes = {"methods": methods, "seeds": seeds, "n_nonzero": list(range(1, LEVELS + 1)), "repeats": 1}
    file = place / f"many_{cells}.yaml"
    file.write_text(yaml.safe_dump({**SUITE, **sizes}))
    return load_suite(str(file), registry), registry


def _copied_draws(small, first, draws, folder):
    """Keep of each draw what is known of the first, but for its fingerprint; return that by the draw's id."""
    record, known = small.draw_record(first.id), {}
    samples = small.samples(first.id)
    for draw in draws:
        own = replace(record, id=draw.id, fingerprint=digest(draw.id))
        known[draw.id] = own
        folder.save_draw(own, samples)
    return known


def many_cells(place: Path, cells: int) -> RunFolder:
    """Make the folder of a finished run of so many cells.

    Its first draw is run in earnest.  Each other draw and cell is a copy of one of these, under its own key, so that
    resuming finds nothing to do.
    """
    few, registry = planned(place, METHODS * LEVELS)
    small = RunFolder(place / f"few_{cells}")
    options = Options(plugins=[ODD], isolation=False)
    run(few.suite, few.plan, registry, small, options, lambda event: None)
    many, _ = planned(place, cells)
    folder = RunFolder(place / f"run_{cells}")
    folder.make()
    folder.keep_suite(small.suite_text())
    folder.keep_about(small.about())
    known = _copied_draws(small, few.plan.draws[0], many.plan.draws, folder)
    (record, *_) = small.records()
    loadings = small.loadings(record.key)
    index = {}
    for cell in many.plan.cells:
        key = cell_key(cell, known[cell.draw.id])
        index[cell.id] = key
        folder.save(replace(record, key=key, cell={**record.cell, **cell.identity}), loadings)
    folder.keep_index(index)
    folder.close()
    return folder
