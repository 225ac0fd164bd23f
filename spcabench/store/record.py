"""What is kept of a cell."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any

from pydantic import Field, JsonValue

from spcabench.store.status import FINISHED, STATUSES
from spcabench.store.typed_json import TypedJson
from spcabench.traces import Trace
from spcabench.wording import bounded, printable

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
    """

    fit_time: tuple[float, ...] = ()
    cpu_time: tuple[float, ...] = ()
    search_time: tuple[float, ...] = ()
    n_fits: tuple[float, ...] = ()
    peak_memory: tuple[float, ...] = ()

    def again(self, repeat: Timing) -> Timing:
        """Return the times with those of one more repeat; the search and the memory stay those of the first."""
        return replace(self, fit_time=self.fit_time + repeat.fit_time, cpu_time=self.cpu_time + repeat.cpu_time)

    def scaled(self, factor: float) -> Timing:
        """Return the times in seconds of another machine, on which each takes `factor` times as long."""
        scaled = {
            name: tuple(factor * seconds for seconds in getattr(self, name))
            for name in ("fit_time", "cpu_time", "search_time")
        }
        return replace(self, **scaled)


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
    tiny_nonzeros : int
        How many of them are below 1e-12 of the largest.
    target_missed : tuple of int, optional
        The components, counted from 0, that missed the wanted cardinality; None if none was wanted.
    warnings : tuple of str
        What the method warned of.
    found : mapping, optional
        The parameters that the search found.
    trace : Trace, optional
        How the fit converged; None if the suite did not ask for it.
    threads : mapping of str to int
        The threads of each BLAS and OpenMP pool.
    contended : bool
        Whether fits may have shared cores with one another; `spcabench.store.clock.clock_of` adds what was measured.
    load : float
        Cores that other programs used when the fit began or ended, the larger; of all repeats the largest.
    output : str
        The end of what the method printed.
    traceback : tuple of str
        Where an error was raised.
    time_limit : float, optional
        The limit in seconds that a timeout had.
    failed_repeat : str
        How a later repeat of a finished fit went wrong.
    metric_errors : mapping of str to str
        Why a metric could not be computed.
    worker : str
        The address of the Dask worker that did it.
    environment : mapping of str to str
        How that worker's machine and versions differ from the host's.
    """

    converged: bool | None = None
    program: str = ""
    own_clock: bool = False
    n_iter: Numbers | None = None
    objective: Numbers | None = None
    upper_bound: Numbers | None = None
    deflation: str = ""
    nnz: tuple[Whole, ...] = ()
    tiny_nonzeros: Whole = 0
    target_missed: tuple[Whole, ...] | None = None
    warnings: tuple[str, ...] = ()
    found: Mapping[str, JsonValue] | None = None
    trace: Trace | None = None
    threads: Mapping[str, Whole] = field(default_factory=dict)
    contended: bool = False
    load: float = 0.0
    output: str = ""
    traceback: tuple[str, ...] = ()
    time_limit: float | None = None
    failed_repeat: str = ""
    metric_errors: Mapping[str, str] = field(default_factory=dict)
    worker: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Record:
    """What is kept of a cell: its status, metrics and timings, and everything needed to repeat it.

    Parameters
    ----------
    key : str
        Hash over what determines the result; names the record's files.
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
    loadings : str
        The SHA-256 of the file of its loadings; empty if it has none.
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
    loadings: str = ""

    @property
    def finished(self) -> bool:
        """Whether there are loadings and metrics."""
        return self.status in FINISHED

    def dumps(self) -> str:
        """Write as JSON, a field a line; nan and infinities become null and words, so that any reader can read it.

        Text from methods and data is made printable.
        """
        fields = {**vars(self), "timing": _filled(self.timing), "fit": _filled(self.fit)}
        return "{\n" + ",\n".join(f'"{name}": {_dumped(value)}' for name, value in fields.items()) + "\n}\n"

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Record:
        """Return the record that `dumps` wrote, read as JSON.

        Raises
        ------
        ValueError
            If it is not a record.
        """
        try:
            metrics = {name: _from_json(value) for name, value in fields.get("metrics", {}).items()}
            timing = {name: list(map(_from_json, values)) for name, values in fields.get("timing", {}).items()}
            fit = {name: _READ.get(name, _as_is)(value) for name, value in fields.get("fit", {}).items()}
            parts = {"metrics": metrics, "timing": timing, "fit": fit}
            record = _RECORDS.of({name: parts.get(name, value) for name, value in fields.items() if name in _FIELDS})
            record._check()
        except (TypeError, AttributeError, OverflowError, ValueError) as error:
            raise ValueError(f"it is no record: {bounded(str(error))}") from error
        return record

    def _check(self) -> None:
        """Raise a ValueError if it is not what can become of a cell."""
        timing = self.timing
        if self.status not in STATUSES:
            raise ValueError(f"status {bounded(self.status)!r}")
        if self.finished and not (timing.fit_time and timing.search_time and timing.n_fits):
            raise ValueError("a finished fit without its times")
        if not all(0.0 <= seconds < math.inf for seconds in (*timing.fit_time, *timing.cpu_time)):
            raise ValueError("times that are not finite")


_RECORDS: TypedJson[Record] = TypedJson(Record)
_FIELDS = frozenset(field.name for field in fields(Record))


def _filled(part: Timing | Facts) -> dict[str, Any]:
    """Return the fields that are not as they are by default."""
    blank = vars(type(part)())
    return {name: value for name, value in vars(part).items() if value != blank[name]}


def _dumped(value: Any) -> str:
    try:
        text = json.dumps(value, allow_nan=False)  # nearly always does, and is ten times as fast
    except (TypeError, ValueError):
        text = json.dumps(_to_json(value), allow_nan=False)
    return json.dumps(_to_json(json.loads(text)), allow_nan=False) if _ESCAPED.search(text) else text


def _to_json(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Trace):
        return {name: _to_json(item) for name, item in vars(value).items()}
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {printable(str(k)): _to_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json(v) for v in value]
    return value


def _from_json(value: Any) -> float:
    return math.nan if value is None else float(value)


def _numbers(value: Any) -> Numbers | None:
    if isinstance(value, list):
        return tuple(map(_number, value))
    return None if value is None else _number(value)


def _number(value: Any) -> int | float:
    return value if isinstance(value, int | float) else _from_json(value)


def _trace(value: Any) -> Any:
    """Return the fields of a trace, which are checked with the rest of the record."""
    return {name: _numbers(item) if isinstance(item, list) else item for name, item in value.items()}


def _as_is(value: Any) -> Any:
    return value


_READ: Mapping[str, Callable[[Any], Any]] = {
    "n_iter": _numbers,
    "objective": _numbers,
    "upper_bound": _numbers,
    "trace": _trace,
    **dict.fromkeys(("nnz", "target_missed", "warnings", "traceback"), tuple),
}
"""How the facts that JSON cannot hold as they are, are read."""

_ESCAPED = re.compile(r"\\[bfru]|\x7f")
"""What JSON has where text may not be printable."""
