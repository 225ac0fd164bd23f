"""What a submission claims of a cell: the loadings that its method found there, or that it failed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.run.cells import SAME, blank_record, cell_key, fit_task, too_late
from spcabench.run.code_hash import code_hash
from spcabench.run.worker.loadings import Invalid, checked, facts_of
from spcabench.store.draw import DrawRecord
from spcabench.store.folder import Arrays, RunFolder
from spcabench.store.record import SUBMITTED, Record, Timing
from spcabench.store.status import FAILED
from spcabench.suite.plan import Cell
from spcabench.wording import bounded

UNTIMED = Timing(fit_time=(math.nan,), cpu_time=(math.nan,), search_time=(math.nan,), n_fits=(math.nan,))
"""The times of a fit that was not timed here."""


def key_of(cell: Cell, draw: DrawRecord | None) -> str | None:
    """Return the key of the record of a cell, whose code is that at hand; None if its data are not known."""
    return cell_key(cell, None if cell.skip else draw, code_hash) if draw or cell.skip else None


@dataclass(frozen=True)
class Claim:
    """What is claimed of a cell, as far as it can be true.

    Parameters
    ----------
    record : Record
        With nothing of the submission but its status; metrics are still to be computed.
    loadings : mapping of str to ndarray, optional
        ``components`` (n_components, n_features) and ``mean`` (n_features,) of a fit that finished.
    """

    record: Record
    loadings: Arrays | None = None

    def differs(self, fitted: Record, components: NDArray[Any] | None) -> bool:
        """Return whether a fit here came to something else; what takes too long or too much here may not elsewhere."""
        if self.loadings is None:
            return False
        if components is None:
            return fitted.status not in ("timeout", "out_of_memory")
        return not np.allclose(self.loadings["components"], components, rtol=0.0, atol=SAME)


def claim_of(cell: Cell, draw: DrawRecord | None, theirs: RunFolder, key: str, limit: float) -> Claim | str:
    """Return what a submission claims of a cell, or why that cannot be true.

    Parameters
    ----------
    cell : Cell
        The cell.
    draw : DrawRecord, optional
        What the run knows of its data.
    theirs : RunFolder
        The submission.
    key : str
        Of its record there.
    limit : float
        Seconds that a fit may take; one that took longer is a timeout, whoever ran it.

    Raises
    ------
    InputError
        If the record cannot be read.
    """
    record = theirs.record(key)
    if record is None:
        return "no record"
    if draw is None or cell.skip or not (record.finished or record.status in FAILED):
        return f"status {record.status}, which shows here"
    if key != cell_key(cell, draw, code_hash):
        return "other code or other data than here"
    blank = replace(blank_record(cell, key, draw, ""), about={SUBMITTED: True})
    if not record.finished:
        return Claim(replace(blank, status=record.status, reason=bounded(record.reason)))
    if late := too_late(record.timing, limit):
        return Claim(replace(blank, status="timeout", reason=late))
    arrays = theirs.loadings(key)
    if arrays is None:
        return "no loadings"
    said: Any = SimpleNamespace(components_=arrays["components"], mean_=arrays["mean"])
    data: Any = draw  # it has as many features, and the mean is not that of the data
    try:
        components, mean = checked(said, data, cell.n_components)
    except Invalid as error:
        return str(error)
    facts = facts_of(SimpleNamespace(), components, fit_task(cell, draw, Path()), (), None)
    reason = bounded(record.reason)
    finished = replace(blank, status=record.status, reason=reason, fit=facts, timing=UNTIMED)
    return Claim(finished, {"components": components, "mean": mean})
