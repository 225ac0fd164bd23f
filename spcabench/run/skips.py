"""Why a cell is not fitted at all: the plan skips it, there is no data, or the data is not what the method needs."""

from __future__ import annotations

from spcabench.run.draws import FailedDraw, KnownDraw
from spcabench.run.messages import Failure
from spcabench.suite.plan import Cell, missing_facts, too_few_features


def why_not(cell: Cell, draw: KnownDraw | FailedDraw | None) -> Failure | None:
    """Return why a cell cannot be fitted; None if it can.

    What else keeps a fit from starting shows in its worker: an estimator that cannot be imported is ``unavailable``.

    Parameters
    ----------
    cell : Cell
        A cell whose `Cell.skip` is what the plan knows without the data.
    draw : KnownDraw or FailedDraw, optional
        Its data; None for a cell that the plan skips.
    """
    if draw is None:
        return Failure(status="skipped", reason=cell.skip)
    if isinstance(draw, FailedDraw):
        return Failure(status=draw.status, reason=draw.reason)
    known = draw.record
    reason = missing_facts(cell.method, known.facts, known.label)
    reason += f": {known.notes}" if reason and known.notes else ""
    reason = reason or too_few_features(cell.n_components, known.n_features, known.label)
    return Failure(status="skipped", reason=reason) if reason else None
