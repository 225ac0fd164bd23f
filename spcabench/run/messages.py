"""What the host and the workers send each other.

The host makes a task and an executor an order of it.  A worker leaves a file of lines: the phases that it entered, its
result, and that again with its metrics.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter

from spcabench.specs import MethodSpec, MetricSpec
from spcabench.store.about import DataSummary
from spcabench.store.files import writing
from spcabench.store.record import Facts, Timing
from spcabench.store.status import FINISHED
from spcabench.wording import bounded

RESULT, OUTPUT, LOADINGS, SAMPLES, DATA = "result.jsonl", "output.txt", "loadings.npz", "samples.npz", "data"
"""What a worker leaves in its folder: its lines, what it printed, loadings, a few samples, a folder of all data."""
Phase = Literal["start", "compilation", "draw", "fit", "keeping", "trace", "scoring", "end"]
"""What a worker is at: it starts, maps data and warms up, compiles amid that or the fit, draws, fits, checks and writes
the loadings, traces convergence, computes metrics, ends.  Each has seconds of its own."""

Params = Mapping[str, Any]
"""Values for an estimator, a loader or a metric, as the suite and the specification have them."""


@dataclass(frozen=True, kw_only=True)
class MetricTask:
    """A metric, without what only a suite asks of its specification, and its parameters settled."""

    spec: MetricSpec
    params: Params


@dataclass(frozen=True, kw_only=True)
class DrawTask:
    """Draw a data set.

    Parameters
    ----------
    dataset : str
        The name of its specification.
    load : str
        ``"module:function"``.
    params : Params
        What it is called with.
    preprocess : str
        ``none``, ``centre`` or ``standardise``.
    seed : int
        Of the draw.
    """

    dataset: str
    load: str
    params: Params
    preprocess: str
    seed: int


@dataclass(frozen=True, kw_only=True)
class FitTask:
    """Fit a method to a draw, and compute metrics of the fit.

    Parameters
    ----------
    draw : Path
        The folder of the data.
    method : MethodSpec
        Its estimator, its knob, and the parameters that end its iterations.
    params : Params
        What it is made with, beside what follows.
    n_components : int
        The wanted components.
    n_nonzero : int or tuple of int, optional
        The wanted nonzeros, of every component or of each; None if the method has none to reach.
    random_state : int
        The solver's seed.
    metrics : tuple of MetricTask
        Empty for a repeat, which is for the clock alone.
    traced : bool
        Whether to trace its convergence, after the fit and outside its clock.
    """

    draw: Path
    method: MethodSpec
    params: Params
    n_components: int
    n_nonzero: int | tuple[int, ...] | None
    random_state: int
    metrics: tuple[MetricTask, ...] = ()
    traced: bool = False


@dataclass(frozen=True, kw_only=True)
class ScoreTask:
    """Compute metrics from stored loadings.

    Parameters
    ----------
    draw : Path
        The folder of the data.
    loadings : mapping of str to ndarray
        Of the record: ``components``, ``mean``, and the solution paths if there are any.
    facts, timing : Facts, Timing
        Of the record.
    metrics : tuple of MetricTask
        What to compute.
    """

    draw: Path
    loadings: Mapping[str, NDArray[Any]]
    facts: Facts
    timing: Timing
    metrics: tuple[MetricTask, ...]


@dataclass(frozen=True, kw_only=True)
class CallTask:
    """Call ``"module:function"``, within the seconds of a fit; the plain data that it returns is the result."""

    function: str
    params: Params


Task = DrawTask | FitTask | ScoreTask
"""A task of a run."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """A task with what its worker needs: a folder of its own, single-file plugins, and the bytes a file may have."""

    task: Task | CallTask
    folder: Path
    most_bytes: int
    plugins: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Entered:
    """A worker has entered a phase at that time of the system's monotonic clock."""

    phase: Phase
    at: float


@dataclass(frozen=True, kw_only=True)
class Result:
    """What came of a task.

    Parameters
    ----------
    status : str
        One of `spcabench.store.status.STATUSES`; of a draw and of metrics alone, ``ok`` if they are there.
    reason : str
        Why it is not ``ok``.
    facts, timing : Facts, Timing
        Of a fit, as in the record; of one that did not finish, what is known all the same.  Errors of metrics are empty
        while these are computed.
    data : DataSummary, optional
        Of a draw, whose arrays are in the worker's folder.
    metrics : mapping of str to float
        Values by name.
    value : object
        What a function returned that was called.
    """

    status: str
    reason: str = ""
    facts: Facts = field(default_factory=Facts)
    timing: Timing = field(default_factory=Timing)
    data: DataSummary | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    value: Any = None

    @property
    def finished(self) -> bool:
        """Whether it came to its end; of a fit, whether the loadings are in the worker's folder."""
        return self.status in FINISHED


Event = tuple[int, Literal["started", "ended"], int]
"""From the fork server of a worker, by its number: the process as which it has started, or its exit code; of one that
was ended by a signal, the signal's number below 0."""


Line = Entered | Result
"""What a line of a worker's file holds."""
_LINES: TypeAdapter[Line] = TypeAdapter(Line, config=ConfigDict(ser_json_inf_nan="constants"))
MOST_BYTES = 2**24
"""Bytes of a worker's lines that are read; those of metrics with thousands of keys have a few hundred KiB."""


def add_line(folder: Path, line: Line) -> None:
    """Add a line to what a worker leaves; its file is opened anew, since a method may close what is open.

    Raises
    ------
    Unwritable
        If there is no room for it.
    """
    text = json.dumps(_LINES.dump_python(line, mode="json"))  # names of files that are not UTF-8 arrive as they are
    with writing(folder / RESULT), (folder / RESULT).open("a", encoding="ascii") as file:
        file.write(f"{text}\n")


def lines_in(folder: Path, start: int = 0) -> tuple[list[Line], int]:
    """Return the whole lines in a worker's folder from a byte on, and the byte where the next begins.

    Raises
    ------
    ValueError
        If they are no lines of a worker.
    """
    try:
        with (folder / RESULT).open("rb") as file:
            file.seek(start)
            text = file.read(MOST_BYTES)
    except OSError:
        return [], start
    whole = text[: text.rfind(b"\n") + 1]
    try:
        return [_LINES.validate_python(json.loads(line)) for line in whole.splitlines()], start + len(whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def result_in(folder: Path, end: str) -> Result | None:
    """Return the result that a worker left in its folder; None if there is none.

    Parameters
    ----------
    folder : Path
        The worker's.
    end : str
        How it ended: why the metrics that it was at have no value.
    """
    try:
        results = [line for line in lines_in(folder)[0] if isinstance(line, Result)]
    except ValueError as error:
        return Result(status="crashed", reason=f"the worker left what is no result: {bounded(str(error))}")
    if not results:
        return None
    errors = {name: error or end for name, error in results[-1].facts.metric_errors.items()}
    return replace(results[-1], facts=replace(results[-1].facts, metric_errors=errors))
