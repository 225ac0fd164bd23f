"""The key of a cell's record: a hash over what determines the result, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from spcabench.run.draws import FailedDraw, KnownDraw
from spcabench.suite.hashed import brief, hashed, mapping, sequence, text
from spcabench.suite.plan import Cell


def cell_key(cell: Cell, draw: KnownDraw | FailedDraw | None, code: Callable[[str], str]) -> str:
    """Return the key of a cell.

    It hashes the method, its knob, parameters and code, the target, the seed, the threads and the data;
    never labels, metrics or repeats.

    Parameters
    ----------
    cell : Cell
        The cell.
    draw : KnownDraw or FailedDraw, optional
        What is known of its data; None for a cell that the plan skips.
    code : callable
        Returns the hash of the code of a target, as `spcabench.run.code_hash.code_hash`.
    """
    whole = cell.texts
    parts = {name: whole[name] for name in ("method_name", "params", "n_components", "n_nonzero", "seed", "threads")}
    parts["knob"] = brief(str(cell.method.spec.knob))
    identity = mapping(parts)
    if draw is None:
        return hashed(sequence([identity, text(cell.skip), cell.draw.text]))
    if isinstance(draw, FailedDraw):
        data = sequence([text(draw.reason), cell.draw.text])
    else:
        data = brief(draw.record.fingerprint)
    return hashed(sequence([identity, data, brief(code(cell.method.spec.estimator))]))
