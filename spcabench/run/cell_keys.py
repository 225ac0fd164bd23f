"""The key of a cell's record: a hash over what determines the result, and nothing else."""

from __future__ import annotations

from spcabench.run.code_hash import code_hash
from spcabench.run.draws import Draws, FailedDraw
from spcabench.suite.plan import Cell, digest


def cell_key(cell: Cell, draws: Draws) -> str:
    """Return the key of a cell, for which its data is drawn unless it is skipped.

    It hashes the method, its knob, parameters and code, the target, the seed, the threads and the data; never labels,
    metrics or repeats.
    """
    identity = {name: cell.identity[name] for name in ("method_name", "params", "n_components", "n_nonzero")}
    identity |= {"seed": cell.seed, "threads": cell.threads, "knob": str(cell.method.spec.knob)}
    if cell.skip:
        return digest([identity, cell.skip, cell.draw.identity])
    draw = draws[cell.draw]
    data = [draw.reason, cell.draw.identity] if isinstance(draw, FailedDraw) else draw.record.fingerprint
    return digest([identity, data, code_hash(cell.method.spec.estimator)])
