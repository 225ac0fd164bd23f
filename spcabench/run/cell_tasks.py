"""The key of a cell's record, why the cell is not fitted or the task that fits it, and the metrics as tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from spcabench.plugins import Registry
from spcabench.run.code_hash import code_hash
from spcabench.run.dataset_store import FailedDraw, KnownDraw
from spcabench.run.messages import FitTask, MetricTask, Result, Tracing
from spcabench.run.seeds import solver_seed
from spcabench.specs import Knob
from spcabench.store.draw import DrawRecord
from spcabench.suite.hashed import brief, digest, hashed, mapping, sequence, text
from spcabench.suite.models import Convergence, Suite
from spcabench.suite.plan import Cell, Plan, missing_facts, too_few_features

REFIT = "spcabench.metrics._refit:refit"
"""What finds the refitted loadings."""
LATE = ("scipy.linalg",)
"""What metrics import when they are computed, which costs each worker 40 ms where the server has not done it."""


def cell_key(cell: Cell, draw: KnownDraw | FailedDraw | None, code: Callable[[str], str]) -> str:
    """Return the key of a cell.

    It hashes the method, its knob, parameters and code, the target, the seed, the threads and the data;
    never labels, metrics or repeats.

    Parameters
    ----------
    cell : Cell
        The cell.
    draw : KnownDraw or FailedDraw, optional
        What is known of its data; None for a cell that the plan skips.
    code : callable
        Returns the hash of the code of a target, as `spcabench.run.code_hash.code_hash`.
    """
    whole = cell.texts
    parts = {name: whole[name] for name in ("method_name", "params", "n_components", "n_nonzero", "seed", "threads")}
    parts["knob"] = _knob(cell.method.spec.knob)
    identity = mapping(parts)
    if draw is None:
        return hashed(sequence([identity, text(cell.skip), cell.draw.text]))
    if isinstance(draw, FailedDraw):
        data = sequence([text(draw.reason), cell.draw.text])
    else:
        data = brief(draw.record.fingerprint)
    return hashed(sequence([identity, data, brief(code(cell.method.spec.estimator))]))


@cache
def _knob(knob: Knob) -> str:
    return text(str(knob))


def why_not(cell: Cell, draw: KnownDraw | FailedDraw | None) -> Result | None:
    """Return why a cell cannot be fitted; None if it can.

    What else keeps a fit from starting shows in its worker: an estimator that cannot be imported is ``unavailable``.

    Parameters
    ----------
    cell : Cell
        A cell whose `Cell.skip` is what the plan knows without the data.
    draw : KnownDraw or FailedDraw, optional
        Its data; None for a cell that the plan skips.
    """
    if draw is None:
        return Result(status="skipped", reason=cell.skip)
    if isinstance(draw, FailedDraw):
        return Result(status=draw.status, reason=draw.reason)
    known = draw.record
    reason = missing_facts(cell.method, known.facts, known.label)
    reason += f": {known.notes}" if reason and known.notes else ""
    reason = reason or too_few_features(cell.n_components, known.n_features, known.label)
    return Result(status="skipped", reason=reason) if reason else None


def fit_task(
    cell: Cell,
    draw: DrawRecord,
    place: Path,
    metrics: tuple[MetricTask, ...] = (),
    convergence: Convergence | None = None,
) -> FitTask:
    """Return the task that fits a cell; without metrics it is for the clock alone."""
    spec = cell.method.spec
    return FitTask(
        draw=place,
        estimator=spec.estimator,
        extra=spec.extra,
        params=dict(cell.method.params),
        knob=spec.knob,
        n_components=cell.n_components,
        n_nonzero=cell.n_nonzero,
        random_state=solver_seed(spec.name, cell.method.params, draw.fingerprint, cell.seed),
        settings=tuple(filter(None, ("n_components", spec.tolerance, spec.iterations, spec.starts))),
        metrics=metrics,
        tracing=Tracing(spec.iterations, spec.tolerance, convergence.budget, convergence.fits) if convergence else None,
    )


def metric_tasks(suite: Suite, registry: Registry) -> tuple[MetricTask, ...]:
    """Return each metric of a suite, its parameters settled."""
    tasks = []
    for entry in suite.metrics:
        spec = registry.metrics[entry.name]
        defaults = {name: parameter.default for name, parameter in spec.parameters.items()}
        tasks.append(
            MetricTask(
                name=spec.name,
                compute=spec.compute,
                on=spec.on,
                refitted=spec.refitted,
                requires=tuple(sorted(spec.requires)),
                params=defaults | entry.params,
                version=spec.version,
            )
        )
    return tuple(tasks)


def score_stamps(metrics: tuple[MetricTask, ...]) -> dict[str, str]:
    """Return the version, parameters and code of each metric; a record scored under others is scored again."""
    return {
        metric.name: f"{metric.version}:{digest([metric.params, *map(code_hash, _code(metric))])}" for metric in metrics
    }


def _code(metric: MetricTask) -> list[str]:
    """Name the code that a metric depends on: its own, and that of the refit if it has one."""
    return [metric.compute, *([REFIT] if metric.refitted else [])]


def modules(plan: Plan, metrics: Sequence[MetricTask]) -> list[str]:
    """Name the modules that the tasks of a plan need."""
    targets = {cell.method.spec.estimator for cell in plan.cells if not cell.skip}
    targets |= {metric.compute for metric in metrics}
    return sorted({*LATE, *(target.partition(":")[0] for target in targets)})
