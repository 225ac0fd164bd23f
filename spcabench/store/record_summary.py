"""The summary of a record: what shows whether its cell needs anything more, and nothing that a report shows."""

from __future__ import annotations

from typing import NamedTuple

from spcabench.store.record import Record
from spcabench.store.status import FINISHED
from spcabench.suite.plan import digest
from spcabench.wording import printable


class RecordSummary(NamedTuple):
    """What a run must know of each record; there are as many as cells.  The fields are columns of the table of records.

    Parameters
    ----------
    key : str
        Of the record.
    status : str
        One of `spcabench.store.status.STATUSES`.
    reason : str
        Why it is not ``ok``.
    scored : str
        A hash of the versions and parameters of its metrics.
    times : str
        Wall seconds of each repeat of the fit, with spaces between.
    repeat_failed : bool
        Whether a repeat went wrong, which ends the repeats.
    traced : bool
        Whether it has a trace of its convergence.
    by_worker : bool
        Whether a Dask worker did it.
    """

    key: str
    status: str
    reason: str = ""
    scored: str = ""
    times: str = ""
    repeat_failed: bool = False
    traced: bool = False
    by_worker: bool = False

    @property
    def finished(self) -> bool:
        """Whether there are loadings and metrics."""
        return self.status in FINISHED

    @property
    def fit_time(self) -> tuple[float, ...]:
        """Wall seconds of each repeat of the fit."""
        return tuple(map(float, self.times.split()))

    @property
    def repeats(self) -> int:
        """How many repeats there are."""
        return self.times.count(" ") + bool(self.times)


def summary_of(record: Record) -> RecordSummary:
    """Return the summary of a record."""
    return RecordSummary(
        key=record.key,
        status=record.status,
        reason=printable(record.reason),
        scored=digest(record.scored),
        times=" ".join(map(repr, record.timing.fit_time)),
        repeat_failed=bool(record.fit.failed_repeat),
        traced=record.fit.trace is not None,
        by_worker=bool(record.fit.worker),
    )
