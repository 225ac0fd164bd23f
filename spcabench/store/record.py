"""What is kept of a cell."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import JsonValue

from spcabench.convergence import Trace
from spcabench.store.status import FINISHED

Numbers = int | float | tuple[int | float, ...]
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
        MiB that the first fit added to the peak of its process.
    """

    fit_time: tuple[float, ...] = ()
    cpu_time: tuple[float, ...] = ()
    search_time: tuple[float, ...] = ()
    n_fits: tuple[float, ...] = ()
    peak_memory: tuple[float, ...] = ()

    def again(self, repeat: Timing) -> Timing:
        """Return the times with those of one more repeat; the search and the memory stay those of the first."""
        return replace(self, fit_time=self.fit_time + repeat.fit_time, cpu_time=self.cpu_time + repeat.cpu_time)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of a fit beside its loadings, metrics and times.

    Parameters
    ----------
    converged : bool, optional
        What the method says of itself.
    n_iter, objective : number or tuple of numbers, optional
        Iterations, and the method's own objective: of each component, or one for all.
    upper_bound : number or tuple of numbers, optional
        What the method proved that no objective exceeds.
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
    n_iter: Numbers | None = None
    objective: Numbers | None = None
    upper_bound: Numbers | None = None
    nnz: tuple[int, ...] = ()
    tiny_nonzeros: int = 0
    target_missed: tuple[int, ...] | None = None
    warnings: tuple[str, ...] = ()
    found: Mapping[str, JsonValue] | None = None
    trace: Trace | None = None
    threads: Mapping[str, int] = field(default_factory=dict)
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
        """Write as JSON, a field a line; nan and infinities become null and words, so that any reader can read it."""
        fields = {**vars(self), "timing": _filled(self.timing), "fit": _filled(self.fit)}
        return "{\n" + ",\n".join(f'"{name}": {_dumped(value)}' for name, value in fields.items()) + "\n}\n"

    @classmethod
    def loads(cls, text: str) -> Record:
        """Read what `dumps` wrote.

        Raises
        ------
        ValueError
            If the text is not a record.
        """
        try:
            fields = json.loads(text)
            metrics = {name: _from_json(value) for name, value in fields.pop("metrics", {}).items()}
            timing = {name: tuple(map(_from_json, values)) for name, values in fields.pop("timing", {}).items()}
            fit = {name: _READ.get(name, _as_is)(value) for name, value in fields.pop("fit", {}).items()}
            return cls(metrics=metrics, timing=Timing(**timing), fit=Facts(**fit), **fields)
        except (TypeError, AttributeError) as error:
            raise ValueError(f"not a record: {error}") from error


def _filled(part: Timing | Facts) -> dict[str, Any]:
    """Return the fields that are not as they are by default."""
    blank = vars(type(part)())
    return {name: value for name, value in vars(part).items() if value != blank[name]}


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)  # nearly always does, and is ten times as fast
    except (TypeError, ValueError):
        return json.dumps(_to_json(value), allow_nan=False)


def _to_json(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Trace):
        return {name: _to_json(item) for name, item in vars(value).items()}
    if isinstance(value, Mapping):
        return {str(k): _to_json(v) for k, v in value.items()}
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


def _trace(value: Any) -> Trace:
    fields: dict[str, Any] = {name: tuple(item) if isinstance(item, list) else item for name, item in value.items()}
    return Trace(**fields)


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
