"""What is kept of a cell: its record, and a summary that shows whether the cell needs anything more."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter

from spcabench.analysis.times import Clocked, clocked
from spcabench.store.status import FINISHED, STATUSES
from spcabench.traces import Trace
from spcabench.wording import bounded, digest, printable

Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""A whole number that an array can hold."""


Numbers = Whole | float | tuple[Whole | float, ...]
"""One number, or one for each component."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Every sample of a cell's clocks.

    Parameters
    ----------
    fit_time, cpu_time : tuple of float
        Wall and processor seconds of each repeat of the fit, the search left out.
    search_time : tuple of float
        Wall seconds of the search for the knob, of the first fit.
    n_fits : tuple of float
        Fits that the search made.
    peak_memory : tuple of float
        MiB that the first fit added to the peak of its process; empty where a program did the work.
    cold_time : tuple of float
        Wall seconds of the first fit in the process of each repeat; empty after a search, whose fits are warm.
    """

    fit_time: tuple[float, ...] = ()
    cpu_time: tuple[float, ...] = ()
    search_time: tuple[float, ...] = ()
    n_fits: tuple[float, ...] = ()
    peak_memory: tuple[float, ...] = ()
    cold_time: tuple[float, ...] = ()

    def again(self, repeat: Timing) -> Timing:
        """Return the times with those of one more repeat; the search and the memory stay those of the first."""
        names = ("fit_time", "cpu_time", "cold_time")
        return replace(self, **{name: getattr(self, name) + getattr(repeat, name) for name in names})


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of a fit beside its loadings, metrics and times.

    Parameters
    ----------
    converged : bool, optional
        What the method says of itself.
    program : str
        The program, with its version, that did the work, where the method says so (its attribute ``program_``).
    own_clock : bool
        Whether the times of the fit are by the method's own clock (its attribute ``fit_seconds_``), which leaves out
        what it takes to start a program.
    n_iter, objective : number or tuple of numbers, optional
        Iterations, and the method's own objective: of each component, or one for all.
    upper_bound : number or tuple of numbers, optional
        What the method proved that no objective exceeds.
    deflation : str
        How the method removes a component before it looks for the next; empty if it does not say.
    nnz : tuple of int
        The nonzeros of each component.
    target_missed : tuple of int, optional
        The components, counted from 0, that missed the wanted cardinality; None if none was wanted.
    warnings : tuple of str
        What the method warned of.
    found : mapping, optional
        The parameters that the search found.
    settings : mapping
        The parameters for its components, those that end its iterations, and that for its start, as far as it has them.
    trace : Trace, optional
        How the fit converged; None if the suite did not ask for it.
    threads : mapping of str to int
        The threads of each BLAS and OpenMP pool.
    contended : bool
        Whether fits may have shared cores with one another; `clock_of` adds what was measured.
    output : str
        The end of what the method printed.
    traceback : tuple of str
        Where an error was raised.
    failed_repeat : str
        How a later repeat of a finished fit went wrong.
    varies : bool
        Whether a later repeat found other loadings with the same seed.
    metric_errors : mapping of str to str
        Why a metric could not be computed.
    worker : str
        The address of the Dask worker that did it.
    """

    converged: bool | None = None
    program: str = ""
    own_clock: bool = False
    n_iter: Numbers | None = None
    objective: Numbers | None = None
    upper_bound: Numbers | None = None
    deflation: str = ""
    nnz: tuple[Whole, ...] = ()
    target_missed: tuple[Whole, ...] | None = None
    warnings: tuple[str, ...] = ()
    found: Mapping[str, JsonValue] | None = None
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    trace: Trace | None = None
    threads: Mapping[str, Whole] = field(default_factory=dict)
    contended: bool = False
    output: str = ""
    traceback: tuple[str, ...] = ()
    failed_repeat: str = ""
    varies: bool = False
    metric_errors: Mapping[str, str] = field(default_factory=dict)
    worker: str = ""


@dataclass(frozen=True, kw_only=True)
class Record:
    """What is kept of a cell: its status, metrics and timings, and everything needed to repeat it.

    Parameters
    ----------
    key : str
        Hash over what determines the result; names the record.
    cell : dict
        The cell as planned: data set, method, parameters, sparsity, seed.
    status : str
        One of `STATUSES`.
    reason : str
        Why it is not ``ok``.
    metrics : dict of str to float
        Values by name; nan where undefined.
    scored : dict of str to str
        Which version and parameters of each metric the values come from.
    timing : Timing
        Every sample of its clocks; empty of a fit that did not return.
    fit : Facts
        What is known of the fit beside.
    about : dict
        When, with which versions.
    """

    key: str
    cell: dict[str, Any]
    status: str
    reason: str = ""
    metrics: dict[str, float] = field(default_factory=dict)
    scored: dict[str, str] = field(default_factory=dict)
    timing: Timing = field(default_factory=Timing)
    fit: Facts = field(default_factory=Facts)
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether there are loadings and metrics."""
        return self.status in FINISHED

    def dumps(self) -> str:
        """Write it as JSON, without what is as it is by default; text from methods and data is made printable."""
        plain = _RECORDS.validate_python(_made_printable(_RECORDS.dump_python(self)))
        return _RECORDS.dump_json(plain, exclude_defaults=True).decode()

    @classmethod
    def loads(cls, text: str) -> Record:
        """Read what `dumps` wrote.

        Raises
        ------
        ValueError
            If it is not a record.
        """
        try:
            record = _RECORDS.validate_json(text)
            if record is None:
                raise ValueError("null")
            record._check()
        except ValueError as error:
            raise ValueError(f"it is no record: {bounded(str(error))}") from error
        return record

    def _check(self) -> None:
        """Raise a ValueError if it is not what can become of a cell."""
        timing = self.timing
        if self.status not in STATUSES:
            raise ValueError(f"status {bounded(self.status)!r}")
        if self.finished and not (timing.fit_time and timing.search_time and timing.n_fits):
            raise ValueError("a finished fit without its times")
        times = (*timing.fit_time, *timing.cpu_time, *timing.cold_time)
        if not all(0.0 <= seconds < math.inf for seconds in times):
            raise ValueError("times that are not finite")


_RECORDS: TypeAdapter[Record | None] = TypeAdapter(Record | None, config=ConfigDict(ser_json_inf_nan="strings"))
"""Nan and infinities, which JSON does not have, are written as text.  A dataclass alone takes no configuration."""


def _made_printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {_made_printable(name): _made_printable(item) for name, item in value.items()}
    return type(value)(map(_made_printable, value)) if isinstance(value, list | tuple) else value


def clock_of(timing: Timing, facts: Facts) -> Clocked | None:
    """Return the times of a cell in sum; None if it has none.

    They are contended if fits shared cores, and wherever wall and CPU seconds show it.
    """
    if not timing.cpu_time:
        return None
    return clocked(timing.cpu_time, timing.fit_time, max(facts.threads.values(), default=1), facts.contended)


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
