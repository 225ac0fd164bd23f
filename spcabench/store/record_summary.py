"""The summary of a record: what shows whether its cell needs anything more, and nothing that a report shows."""

from __future__ import annotations

import math
from typing import NamedTuple

from spcabench.store.record import Record
from spcabench.store.status import FINISHED
from spcabench.suite.hashed import digest
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
    search_time : float
        Wall seconds of the search of the first fit; 0 of a fit that did not finish, or was not timed.
    repeat_failed : bool
        Whether a repeat went wrong, which ends the repeats.
    traced : bool
        Whether it has a trace of its convergence.
    by_worker : bool
        Whether a Dask worker did it.
    time_limit : float, optional
        The limit in seconds that a timeout had.
    """

    key: str
    status: str
    reason: str = ""
    scored: str = ""
    times: str = ""
    search_time: float = 0.0
    repeat_failed: bool = False
    traced: bool = False
    by_worker: bool = False
    time_limit: float | None = None

    @property
    def finished(self) -> bool:
        """Whether there are loadings and metrics."""
        return self.status in FINISHED

    @property
    def fit_time(self) -> tuple[float, ...]:
        """Wall seconds of each repeat of the fit."""
        return tuple(map(float, self.times.split()))

    @property
    def untimed(self) -> bool:
        """Whether its loadings are as others submitted them."""
        return self.finished and self.times == "nan"


def summary_of(record: Record) -> RecordSummary:
    """Return the summary of a record."""
    search = record.timing.search_time[0] if record.finished else 0.0
    return RecordSummary(
        key=record.key,
        status=record.status,
        reason=printable(record.reason),
        scored=digest(record.scored),
        times=" ".join(map(repr, record.timing.fit_time)),
        search_time=0.0 if math.isnan(search) else search,
        repeat_failed=bool(record.fit.failed_repeat),
        traced=record.fit.trace is not None,
        by_worker=bool(record.fit.worker),
        time_limit=record.fit.time_limit,
    )
