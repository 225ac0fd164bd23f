"""What the host, the fork server and the workers send each other, and its one form as JSON.

The host makes a task and an executor an order of it.  The fork server receives requests and answers with events; a
worker leaves a file of lines, its result and then a line for each metric, which `spcabench.run.left` reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field

from spcabench.specs import Knob
from spcabench.store.draw import DataSummary
from spcabench.store.record import Facts, Timing
from spcabench.store.typed_json import TypedJson

RESULT, OUTPUT, LOADINGS, SAMPLES, DATA = "result.json", "output.txt", "loadings.npz", "samples.npz", "data"
"""The files that a worker leaves in its folder: its result, what it printed, the loadings, a few samples, all data."""
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
        The file of the draw.
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
    python : str
        The interpreter of the method's own environment; empty if it has none.
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
    python: str = ""


@dataclass(frozen=True, kw_only=True)
class ScoreTask:
    """Compute metrics from stored loadings.

    Parameters
    ----------
    draw : Path
        The file of the draw.
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
    """A task with what its worker needs: a folder of its own, the threads of its pools, single-file plugins."""

    task: Task
    folder: Path
    threads: int
    plugins: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The metrics of a fit by name, and why others could not be computed."""

    values: Mapping[str, float]
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Scored:
    """One of the awaited metrics: its values, or why it could not be computed."""

    __pydantic_config__: ClassVar = ConfigDict(ser_json_inf_nan="constants")

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
class Fork:
    """To the fork server: start a worker."""

    kind: Literal["fork"] = "fork"
    worker: int
    order: Order


@dataclass(frozen=True, kw_only=True)
class Kill:
    """To the fork server: end a worker."""

    kind: Literal["kill"] = "kill"
    worker: int


@dataclass(frozen=True, kw_only=True)
class Ping:
    """To the fork server: say that you are there."""

    kind: Literal["ping"] = "ping"


@dataclass(frozen=True, kw_only=True)
class Pong:
    """From the fork server: it is there, and has imported what it was to import."""

    kind: Literal["pong"] = "pong"


@dataclass(frozen=True, kw_only=True)
class Entered:
    """From the fork server: a worker has entered a phase at that time of the system's monotonic clock."""

    kind: Literal["entered"] = "entered"
    worker: int
    phase: Phase
    at: float


@dataclass(frozen=True, kw_only=True)
class Started:
    """From the fork server: a worker has started, as this process."""

    kind: Literal["started"] = "started"
    worker: int
    pid: int


@dataclass(frozen=True, kw_only=True)
class Ended:
    """From the fork server: a worker has ended, by a signal or (signal 0) with an exit code."""

    kind: Literal["ended"] = "ended"
    worker: int
    signal: int
    code: int


Request = Annotated[Fork | Kill | Ping, Field(discriminator="kind")]
Event = Annotated[Started | Entered | Ended | Pong, Field(discriminator="kind")]

REQUESTS: TypedJson[Fork | Kill | Ping] = TypedJson(Request)
EVENTS: TypedJson[Started | Entered | Ended | Pong] = TypedJson(Event)
RESULTS: TypedJson[DrawResult | FitResult | ScoreResult | Failure] = TypedJson(Result)
SCORED: TypedJson[Scored] = TypedJson(Scored)
PHASES: tuple[Phase, ...] = get_args(Phase)
