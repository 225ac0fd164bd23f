"""The gist of a record: what shows whether its cell needs anything more, and nothing that a report shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from sys import intern
from typing import Any, NamedTuple

from spcabench.store.record import Record
from spcabench.store.status import FINISHED
from spcabench.suite.hashed import digest, hashed, sequence
from spcabench.suite.plan import Cell

_DECODE = json.JSONDecoder().raw_decode
_SAME = ("method_name", "params", "n_components", "n_nonzero", "seed", "threads")
"""What a record and its cell agree on; labels and data sets may be called something else since."""


class Gist(NamedTuple):
    """What a run must know of a record before it reads it; there are as many as cells.

    Parameters
    ----------
    status : str
        One of `spcabench.store.status.STATUSES`.
    reason : str
        Why it is not ``ok``.
    same : str
        A hash of what the record and its cell agree on, as of `agreed`.
    scored : str
        A hash of the versions and parameters of its metrics.
    fit_time : tuple of float
        Wall seconds of each repeat of the fit.
    search_time : float
        Wall seconds of the search of the first fit; 0 of a fit that did not finish.
    repeat_failed : bool
        Whether a repeat went wrong, which ends the repeats.
    traced : bool
        Whether it has a trace of its convergence.
    worker : bool
        Whether a Dask worker did it.
    time_limit : float, optional
        The limit in seconds that a timeout had.
    """

    status: str
    reason: str = ""
    same: str = ""
    scored: str = ""
    fit_time: tuple[float, ...] = ()
    search_time: float = 0.0
    repeat_failed: bool = False
    traced: bool = False
    worker: bool = False
    time_limit: float | None = None

    @property
    def finished(self) -> bool:
        """Whether there are loadings and metrics."""
        return self.status in FINISHED

    def dumps(self) -> str:
        """Write it in one line of ASCII."""
        return json.dumps(self, separators=(",", ":"))

    @classmethod
    def loads(cls, text: str, start: int = 0) -> Gist:
        """Read what `dumps` wrote, from that place of a text on."""
        status, reason, same, scored, times, *rest = _DECODE(text, start)[0]
        return cls(intern(status), intern(reason), same, intern(scored), tuple(times), *rest)


def gist_of(record: Record) -> Gist:
    """Return the gist of a record."""
    return Gist(
        status=record.status,
        reason=record.reason,
        same=agreed(record.cell),
        scored=digest(record.scored),
        fit_time=record.timing.fit_time,
        search_time=record.timing.search_time[0] if record.finished else 0.0,
        repeat_failed=bool(record.fit.failed_repeat),
        traced=record.fit.trace is not None,
        worker=bool(record.fit.worker),
        time_limit=record.fit.time_limit,
    )


def agreed(cell: Mapping[str, Any]) -> str:
    """Hash what a record, which says this of its cell, agrees on with the cell; empty if any of it is missing."""
    return digest([cell[name] for name in _SAME]) if all(name in cell for name in _SAME) else ""


def wanted(cell: Cell) -> str:
    """Hash what the record of a cell must agree on with it, as of `agreed`."""
    texts = cell.texts
    return hashed(sequence([texts[name] for name in _SAME]))
