"""A cell: the key of its record, why it is not fitted or the task that fits it, and the record of what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.plugins import Registry
from spcabench.run.code_hash import code_hash
from spcabench.run.dataset_store import UNREADABLE, Data
from spcabench.run.environment import versions
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import LOADINGS, FitTask, MetricTask, Result
from spcabench.run.worker.draw import arrays_in, solver_seed
from spcabench.store.about import DrawRecord
from spcabench.store.record import Record
from spcabench.suite.models import Suite
from spcabench.suite.plan import Cell, Plan, missing_facts, too_few_features
from spcabench.wording import digest, in_a_line

REFIT = "spcabench.metrics._refit:together"
"""What finds the refitted loadings."""
LATE = ("scipy.linalg",)
"""What metrics import when they are computed, which costs each worker 40 ms where the server has not done it."""
SAME = 1e-6
"""How far entries of loadings may be apart that are the same."""


def cell_key(cell: Cell, draw: Data | None) -> str:
    """Return the key of a cell.

    It hashes the method, its knob, parameters and code, the target, the seed, the threads and the data;
    never labels, metrics or repeats.

    Parameters
    ----------
    cell : Cell
        The cell.
    draw : Data, optional
        What is known of its data; None for a cell that the plan skips.
    """
    identity = {"knob": str(cell.method.spec.knob), **cell.asked}
    if draw is None:
        return digest([identity, cell.skip, cell.draw.identity])
    if isinstance(draw, Result):
        data: object = [draw.reason, cell.draw.identity, code_hash(cell.draw.variant.spec.load)]
    else:
        data = draw.fingerprint
    return digest([identity, data, code_hash(cell.method.spec.estimator)])


def why_not(cell: Cell, draw: Data | None) -> Result | None:
    """Return why a cell cannot be fitted; None if it can.

    What else keeps a fit from starting shows in its worker: an estimator that cannot be imported is ``unavailable``.

    Parameters
    ----------
    cell : Cell
        A cell whose `Cell.skip` is what the plan knows without the data.
    draw : Data, optional
        Its data; None for a cell that the plan skips.
    """
    if draw is None:
        return Result(status="skipped", reason=cell.skip)
    if isinstance(draw, Result):
        return draw
    reason = missing_facts(cell.method, draw.facts, draw.label)
    reason += f": {draw.notes}" if reason and draw.notes else ""
    reason = reason or too_few_features(cell.n_components, draw.n_features, draw.label)
    return Result(status="skipped", reason=reason) if reason else None


def fit_task(
    cell: Cell,
    draw: DrawRecord,
    place: Path,
    metrics: tuple[MetricTask, ...] = (),
    traced: bool = False,
) -> FitTask:
    """Return the task that fits a cell; without metrics it is for the clock alone."""
    spec = cell.method.spec
    return FitTask(
        draw=place,
        method=replace(spec, parameters={}),
        params=dict(cell.method.params),
        n_components=cell.n_components,
        n_nonzero=cell.n_nonzero,
        random_state=solver_seed(spec.name, cell.method.params, draw.fingerprint, cell.seed),
        metrics=metrics,
        traced=traced,
    )


def metric_tasks(suite: Suite, registry: Registry) -> tuple[MetricTask, ...]:
    """Return each metric of a suite, its parameters settled."""
    tasks = []
    for entry in suite.metrics:
        spec = registry.metrics[entry.name]
        defaults = {name: parameter.default for name, parameter in spec.parameters.items()}
        tasks.append(MetricTask(spec=replace(spec, parameters={}), params=defaults | entry.params))
    return tuple(tasks)


def score_stamps(metrics: tuple[MetricTask, ...]) -> dict[str, str]:
    """Return the version, parameters and code of each metric; a record scored under others is scored again."""
    stamps = {}
    for metric in metrics:
        code = [metric.spec.compute, *([REFIT] if metric.spec.refitted else [])]
        stamps[metric.spec.name] = f"{metric.spec.version}:{digest([metric.params, *map(code_hash, code)])}"
    return stamps


def modules(plan: Plan, metrics: Sequence[MetricTask]) -> list[str]:
    """Name the modules that the tasks of a plan need."""
    targets = {cell.method.spec.estimator for cell in plan.cells if not cell.skip}
    targets |= {metric.spec.compute for metric in metrics}
    return sorted({*LATE, *(target.partition(":")[0] for target in targets)})


def blank_record(cell: Cell, key: str, draw: Data | None, origin: str) -> Record:
    """Return the record of a cell that nothing was done for yet; its status is empty.

    Parameters
    ----------
    cell : Cell
        The cell.
    key : str
        Its key.
    draw : Data, optional
        What is known of its data; None if nothing was drawn for it.
    origin : str
        The plugin of its method.
    """
    about = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "plugin": origin,
        **versions("spcabench", "numpy", "scipy", "scikit-learn"),
    }
    drawn = {"stand_in": draw.stand_in, "fingerprint": draw.fingerprint} if isinstance(draw, DrawRecord) else {}
    identity = {**cell.identity, "stand_in": "", "fingerprint": "", **drawn}
    return Record(key=key, cell=identity, status="", about=about)


def fitted_record(
    blank: Record, outcome: Outcome, stamps: Mapping[str, str], contended: bool
) -> tuple[Record, dict[str, NDArray[Any]] | None]:
    """Return the record of a first fit, and its loadings; one that left none that can be read has crashed."""
    result = outcome.result
    facts = replace(result.facts, contended=contended, output=outcome.output)
    record = replace(blank, status=result.status, reason=result.reason, timing=result.timing, fit=facts)
    if not result.finished:
        return record, None
    try:
        arrays = arrays_in(outcome.folder / LOADINGS)
        _ = arrays["components"], arrays["mean"]
    except KeyError as lacking:
        return replace(record, status="crashed", reason=f"it left no array {lacking}"), None
    except UNREADABLE as error:
        return replace(record, status="crashed", reason=f"its loadings cannot be read: {error}"), None
    return replace(record, metrics=dict(result.metrics), scored=dict(stamps)), arrays


def in_time(result: Result, limit: float) -> Result:
    """Return the result of a fit; a timeout if it took more than so many seconds, its search included."""
    seconds = sum(result.timing.search_time) + max(result.timing.fit_time, default=0.0)
    late = f"the fit took {seconds:.3g} s, longer than its limit of {limit:g} s"
    return replace(result, status="timeout", reason=late) if result.finished and seconds > limit else result


def scored_record(before: Record, result: Result, stamps: Mapping[str, str]) -> Record:
    """Return a record with the metrics that were computed from its loadings.

    If that did not end well, the fit stays as it is, and is scored again when the run is resumed.
    """
    if not result.finished:
        errors = dict.fromkeys(stamps, f"{result.status}: {result.reason}")
        return replace(before, fit=replace(before.fit, metric_errors=errors))
    facts = replace(before.fit, metric_errors=result.facts.metric_errors)
    return replace(before, metrics=dict(result.metrics), scored=dict(stamps), fit=facts)


def timed_record(before: Record, outcome: Outcome, components: NDArray[Any] | None, contended: bool) -> Record:
    """Return a record with the times of one more repeat; the loadings stay those of the first, `components`.

    A repeat that fails adds no time and ends the repeats of the cell: the record notes how it failed.  One that finds
    other loadings with the same seed is noted too.
    """
    result = outcome.result
    if not result.finished:
        return replace(before, fit=replace(before.fit, failed_repeat=f"{result.status}: {result.reason}"))
    facts = replace(
        before.fit,
        contended=before.fit.contended or contended,
        varies=before.fit.varies or _differ(components, outcome.folder / LOADINGS),
    )
    return replace(before, timing=before.timing.again(result.timing), fit=facts)


def _differ(components: NDArray[Any] | None, file: Path) -> bool:
    """Return whether a repeat left other loadings, beyond what other processors round differently."""
    try:
        again = arrays_in(file)["components"]
    except (*UNREADABLE, KeyError):
        return False
    return components is not None and not np.allclose(components, again, rtol=0.0, atol=SAME)


def described(cell: Cell, record: Record) -> str:
    """Describe a record in a line."""
    if not record.finished:
        return f"{cell.title}: {record.status}: {in_a_line(record.reason)}"
    seconds = median(record.timing.fit_time)
    text = f"{cell.title}: " + (f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s")
    missed = len(record.fit.target_missed or ())
    text += f"; {missed} of {cell.n_components} components missed their cardinality" if missed else ""
    text += "".join(f"; no {name} ({in_a_line(reason)})" for name, reason in record.fit.metric_errors.items())
    text += "; other loadings in a repeat with the same seed" if record.fit.varies else ""
    failed = record.fit.failed_repeat
    text += f"; a repeat failed ({in_a_line(failed)})" if failed else ""
    return text if record.status == "ok" else f"{text} ({record.status}: {record.reason})"
