"""In a worker: fit a method to a data set under the clock."""

from __future__ import annotations

import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from spcabench import wording
from spcabench.importing import NotInstalled, Unusable
from spcabench.run.messages import LOADINGS, Failure, FitResult, FitTask
from spcabench.run.worker.clock import Enter, FitClock, unheard
from spcabench.run.worker.convergence import trace
from spcabench.run.worker.elsewhere import class_of
from spcabench.run.worker.estimator import Maker, fit_alone, seed_global_generators, warm_up
from spcabench.run.worker.joint_penalty import search_joint, total_target
from spcabench.run.worker.loadings import Invalid, checked, facts_of
from spcabench.run.worker.own_clock import own_memory, own_seconds
from spcabench.run.worker.warned import Warned, listening
from spcabench.specs import Array, Dataset, MethodUnavailable
from spcabench.store.files import writing
from spcabench.store.record import Timing
from spcabench.traces import thinned_paths


@dataclass(frozen=True)
class Finished:
    """A fit that finished, and the arrays that are in its file of loadings."""

    result: FitResult
    loadings: Mapping[str, Array]


@dataclass(frozen=True)
class _Timed:
    """A fitted estimator, its times, what the search found (None if there was none), and its warnings."""

    estimator: Any
    timing: Timing
    found: Mapping[str, Any] | None
    warned: Warned


def fit(task: FitTask, dataset: Dataset, folder: Path, enter: Enter = unheard) -> Finished | Failure:
    """Fit a method to a data set.

    Parameters
    ----------
    task : FitTask
        The method and its target.
    dataset : Dataset
        Mapped read-only.
    folder : Path
        Gets the file `LOADINGS`, with the solution paths if there are any.
    enter : callable
        Hears which phase begins, by which the host holds the fit to its limit.
    """
    try:
        with class_of(task) as cls:
            return _finished(Maker(cls, task, dataset), folder, enter)
    except Unusable as error:
        is_optional = bool(task.extra) and isinstance(error.__cause__, ModuleNotFoundError)
        if is_optional or isinstance(error, NotInstalled):
            hint = f"; {task.extra}" if task.extra else ""
            return Failure(status="unavailable", reason=f"{error}{hint}")
        return Failure(status="error", reason=f"the plugin of this method is at fault: {error}")
    except MethodUnavailable as error:
        return Failure(status="unavailable", reason=str(error))


def _finished(make: Maker, folder: Path, enter: Enter) -> Finished | Failure:
    task, dataset = make.task, make.dataset
    try:
        timed = _timed(make, enter)
    except Invalid as error:
        return Failure(status="invalid", reason=str(error))
    try:
        components, mean = checked(timed.estimator, dataset, task.n_components)
    except Invalid as error:
        return Failure(status="invalid", reason=str(error), timing=timed.timing)
    paths, path_faults = thinned_paths(timed.estimator, dataset.n_features)
    loadings: dict[str, Any] = {"components": components, "mean": mean, **paths}
    with writing(folder / LOADINGS):
        np.savez(folder / LOADINGS, **loadings)
    warned = timed.warned.texts
    facts = facts_of(timed.estimator, components, task, (*warned, *path_faults), timed.found)
    if task.tracing is not None:
        fit_time = timed.timing.fit_time[0]
        facts = replace(facts, trace=trace(make, timed.estimator, timed.found or {}, fit_time, task.tracing, enter))
    if facts.converged and not timed.warned.unconverged:
        return Finished(FitResult(status="ok", facts=facts, timing=timed.timing), loadings)
    reason = next(iter(warned), "did not converge")
    return Finished(FitResult(status="not_converged", reason=reason, facts=facts, timing=timed.timing), loadings)


def _timed(make: Maker, enter: Enter) -> _Timed:
    """Fit under the clock; after a search, fit once more at what it found, and time that fit alone."""
    with listening() as warned:
        warm_up(make)
        warned.clear()
        estimator = make()
        seed_global_generators(make.task.random_state)
        before = _peak_memory()
        with FitClock(enter) as clock:
            if make.task.knob.kind == "penalty" and make.task.n_nonzero is not None:
                estimator = _searched(make, make.task.n_nonzero)
            else:
                fit_alone(estimator, make.data)
            search_time, n_fits = 0.0, 0.0
            found = _found(estimator)
            if found is not None:
                warned.clear()  # what the search said of other penalties
                search_time = clock.passed[0]
                n_fits = float(np.sum(wording.numbers(getattr(estimator, "n_fits_", None)) or 1))
                estimator = make(**found)
                clock.restart()
                fit_alone(estimator, make.data)
            passed = clock.passed
        memory = max(0.0, _peak_memory() - before)
    own = own_seconds(estimator, passed[0])
    fit_time, cpu_time = own or passed
    timing = Timing(
        fit_time=(fit_time,),
        cpu_time=(cpu_time,),
        search_time=(search_time,),
        n_fits=(n_fits,),
        peak_memory=own_memory(estimator) if own else (memory,),
    )
    return _Timed(estimator, timing, found, warned)


def _found(estimator: Any) -> Mapping[str, Any] | None:
    """Return the parameters that a search inside ``fit`` found; None if there was no search."""
    found = getattr(estimator, "calibrated_params_", None)
    return found if isinstance(found, Mapping) else None


def _searched(make: Maker, n_nonzero: int | Sequence[int]) -> Any:
    """Search the penalty that all components share; what is returned looks like an estimator that searched itself."""
    knob, task = make.task.knob, make.task

    def fit_at(penalty: float) -> Any:
        estimator = make(**{knob.parameter: penalty})
        fit_alone(estimator, make.data)
        return estimator

    return search_joint(fit_at, knob, total_target(n_nonzero, task.n_components, make.dataset.n_features))


def _peak_memory() -> float:
    """Return the peak resident memory of this process so far, MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
