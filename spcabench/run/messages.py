"""What the host, the fork server and the workers send each other.

The host makes a task and an executor an order of it.  The fork server receives requests and answers with events.  A
worker leaves a file of lines: the phases that it entered, its result, and then each metric;
`spcabench.run.worker_result` reads them.
"""

from __future__ import annotations

import base64
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from spcabench.specs import Knob
from spcabench.store.draw import DataSummary
from spcabench.store.record import Facts, Timing

RESULT, OUTPUT, LOADINGS, SAMPLES, DATA = "result.jsonl", "output.txt", "loadings.npz", "samples.npz", "data"
"""What a worker leaves in its folder: its lines, what it printed, loadings, a few samples, a folder of all data."""
Phase = Literal["prepare", "draw", "fit", "compile", "keep", "trace", "score"]
"""What a worker is at: it starts and maps data, draws, fits, compiles amid a fit, checks and writes the loadings,
traces convergence, computes metrics.  Each has seconds of its own."""

Params = Mapping[str, Any]
"""Values for an estimator, a loader or a metric, as the suite and the specification have them."""

Unfinished = Literal["skipped", "unavailable", "invalid", "error", "timeout", "out_of_memory", "crashed", "interrupted"]


@dataclass(frozen=True, kw_only=True)
class MetricTask:
    """A metric with its parameters settled; see `spcabench.specs.MetricSpec`."""

    name: str
    compute: str
    on: Literal["each", "once"]
    refitted: bool
    requires: tuple[str, ...]
    params: Params
    version: int


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

    kind: Literal["draw"] = "draw"
    dataset: str
    load: str
    params: Params
    preprocess: str
    seed: int


@dataclass(frozen=True, kw_only=True)
class Tracing:
    """How to trace the convergence of a method.

    Parameters
    ----------
    iterations, tolerance : str
        The parameters that cap its iterations and that stop them; see `spcabench.specs.MethodSpec`.
    budget : float
        Wall seconds of the capped fits.
    fits : int
        The most capped fits.
    """

    iterations: str
    tolerance: str
    budget: float
    fits: int


@dataclass(frozen=True, kw_only=True)
class FitTask:
    """Fit a method to a draw, and compute metrics of the fit.

    Parameters
    ----------
    draw : Path
        The folder of the data.
    estimator : str
        ``"module:Class"``.
    extra : str
        What to install if its module cannot be imported.
    params : Params
        What it is made with, beside what follows.
    knob : Knob
        How its sparsity is set.
    n_components : int
        The wanted components.
    n_nonzero : int or tuple of int, optional
        The wanted nonzeros, of every component or of each; None if the method has none to reach.
    random_state : int
        The solver's seed.
    metrics : tuple of MetricTask
        Empty for a repeat, which is for the clock alone.
    tracing : Tracing, optional
        How to trace its convergence, after the fit and outside its clock; None if it is not to be traced.
    """

    kind: Literal["fit"] = "fit"
    draw: Path
    estimator: str
    extra: str = ""
    params: Params
    knob: Knob
    n_components: int
    n_nonzero: int | tuple[int, ...] | None
    random_state: int
    metrics: tuple[MetricTask, ...] = ()
    tracing: Tracing | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreTask:
    """Compute metrics from stored loadings.

    Parameters
    ----------
    draw : Path
        The folder of the data.
    loadings : Path
        The .npz file.
    facts, timing : Facts, Timing
        Of the record.
    metrics : tuple of MetricTask
        What to compute.
    """

    kind: Literal["score"] = "score"
    draw: Path
    loadings: Path
    facts: Facts
    timing: Timing
    metrics: tuple[MetricTask, ...]


Task = Annotated[DrawTask | FitTask | ScoreTask, Field(discriminator="kind")]


@dataclass(frozen=True, kw_only=True)
class Order:
    """A task with what its worker needs: a folder of its own, and single-file plugins."""

    task: Task
    folder: Path
    plugins: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The metrics of a fit by name, and why others could not be computed."""

    values: Mapping[str, float]
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Scored:
    """One of the awaited metrics: its values, or why it could not be computed."""

    kind: Literal["scored"] = "scored"
    name: str
    values: Mapping[str, float] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class DrawResult:
    """A data set was drawn; its arrays are in the worker's folder."""

    kind: Literal["draw"] = "draw"
    data: DataSummary


@dataclass(frozen=True, kw_only=True)
class FitResult:
    """A fit finished; its loadings are in the worker's folder.

    Parameters
    ----------
    status : {"ok", "not_converged"}
        As in the record.
    reason : str
        Why it is not ``ok``.
    facts, timing : Facts, Timing
        As in the record.
    scores : Scores
        Empty of a repeat.
    awaited : tuple of str
        The metrics that follow, each as a `Scored`.
    """

    kind: Literal["fit"] = "fit"
    status: Literal["ok", "not_converged"]
    reason: str = ""
    facts: Facts
    timing: Timing
    scores: Scores = Scores(values={})
    awaited: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ScoreResult:
    """Metrics were computed, or are awaited, as those of a fit are."""

    kind: Literal["score"] = "score"
    scores: Scores = Scores(values={})
    awaited: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A task did not finish: the status and reason of the record, and what is known all the same."""

    kind: Literal["failure"] = "failure"
    status: Unfinished
    reason: str
    facts: Facts = field(default_factory=Facts)
    timing: Timing = field(default_factory=Timing)


Result = Annotated[DrawResult | FitResult | ScoreResult | Failure, Field(discriminator="kind")]


@dataclass(frozen=True, kw_only=True)
class Entered:
    """A worker has entered a phase at that time of the system's monotonic clock."""

    kind: Literal["entered"] = "entered"
    phase: Phase
    at: float


Line = Annotated[Entered | DrawResult | FitResult | ScoreResult | Failure | Scored, Field(discriminator="kind")]
"""What a line of a worker's file holds."""


@dataclass(frozen=True)
class Fork:
    """To the fork server: start a worker."""

    worker: int
    order: Order


@dataclass(frozen=True)
class Kill:
    """To the fork server: end a worker."""

    worker: int


@dataclass(frozen=True)
class Started:
    """From the fork server: a worker has started, as this process."""

    worker: int
    pid: int


@dataclass(frozen=True)
class Ended:
    """From the fork server: a worker has ended, by a signal or (signal 0) with an exit code."""

    worker: int
    signal: int
    code: int


def packed(message: Fork | Kill | Started | Ended) -> bytes:
    """Return what goes between host and fork server as a line."""
    return base64.b64encode(pickle.dumps(message)) + b"\n"


def unpacked(line: bytes) -> Any:
    """Return what `packed` was given."""
    return pickle.loads(base64.b64decode(line))
