"""The task that a worker does for a cell, and the metrics of a suite as tasks."""

from __future__ import annotations

from pathlib import Path

from spcabench.plugins import Registry
from spcabench.run.code_hash import code_hash
from spcabench.run.messages import FitTask, MetricTask, ScoreTask, Tracing
from spcabench.run.seeds import solver_seed
from spcabench.specs import MethodSpec
from spcabench.store.draw import DrawRecord
from spcabench.store.record import Record
from spcabench.suite.hashed import digest
from spcabench.suite.models import Convergence, Suite
from spcabench.suite.plan import Cell

REFIT = "spcabench.metrics._refit:refitted"
"""What finds the refitted loadings."""


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
        metrics=metrics,
        tracing=_tracing(spec, convergence) if convergence else None,
    )


def _tracing(spec: MethodSpec, convergence: Convergence) -> Tracing:
    return Tracing(
        iterations=spec.iterations, tolerance=spec.tolerance, budget=convergence.budget, fits=convergence.fits
    )


def score_task(record: Record, loadings: Path, place: Path, metrics: tuple[MetricTask, ...]) -> ScoreTask:
    """Return the task that computes the metrics of a record from its loadings."""
    return ScoreTask(draw=place, loadings=loadings, facts=record.fit, timing=record.timing, metrics=metrics)


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
    return {metric.name: f"{metric.version}:{digest([metric.params, *_code(metric)])}" for metric in metrics}


def _code(metric: MetricTask) -> list[str]:
    """Return the code that a metric depends on: its own, and that of the refit if it has one."""
    return [code_hash(metric.compute), *([code_hash(REFIT)] if metric.refitted else [])]
