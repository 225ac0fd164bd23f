"""In a worker: fit a method to a data set under the clock, and hear what it warns of."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench import wording
from spcabench.dataset import Dataset
from spcabench.importing import NotInstalled, Unusable, resolve
from spcabench.run.messages import LOADINGS, FitTask, Result
from spcabench.run.worker.clock import Enter, FitClock, own_seconds, unheard
from spcabench.run.worker.convergence import trace
from spcabench.run.worker.estimator import Maker, fit_alone, search_joint, seed_global_generators, warm_up
from spcabench.run.worker.loadings import Invalid, checked, facts_of
from spcabench.specs import MethodUnavailable
from spcabench.store.files import writing
from spcabench.store.record import Timing
from spcabench.traces import thinned_paths

MOST = 20
"""Different warnings that are kept."""
SHORT = 0.1
"""Seconds: a fit that takes less is made once more, since caches and pages that are cold weigh in its time."""


@contextlib.contextmanager
def listening() -> Iterator[dict[str, set[str]]]:
    """Hear every warning, and show none; yield the first different texts by the names of their categories."""
    warned: dict[str, set[str]] = {}

    def hear(message: Any, category: Any, *_: object, **__: object) -> None:
        texts = warned.setdefault(getattr(category, "__name__", ""), set())
        if len(set().union(*warned.values())) < MOST:
            texts.add(wording.of_error(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = hear
        yield warned


def fit(
    task: FitTask, dataset: Dataset, folder: Path, enter: Enter = unheard
) -> tuple[Result, Mapping[str, NDArray[Any]]]:
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

    Returns
    -------
    result : Result
        Its metrics are left to do.
    loadings : mapping of str to ndarray
        The arrays that are in the file; empty if the fit did not finish.
    """
    try:
        make = Maker(resolve(task.method.estimator), task, dataset)
        estimator, timing, found, warned = _timed(make, enter)
    except Unusable as error:
        is_optional = bool(task.method.extra) and isinstance(error.__cause__, ModuleNotFoundError)
        if is_optional or isinstance(error, NotInstalled):
            hint = f"; {task.method.extra}" if task.method.extra else ""
            return Result(status="unavailable", reason=f"{error}{hint}"), {}
        return Result(status="error", reason=f"the plugin of this method is at fault: {error}"), {}
    except MethodUnavailable as error:
        return Result(status="unavailable", reason=str(error)), {}
    except Invalid as error:
        return Result(status="invalid", reason=str(error)), {}
    try:
        components, mean = checked(estimator, dataset, task.n_components)
    except Invalid as error:
        return Result(status="invalid", reason=str(error), timing=timing), {}
    paths, path_faults = thinned_paths(estimator, dataset.n_features)
    loadings: dict[str, Any] = {"components": components, "mean": mean, **paths}
    with writing(folder / LOADINGS):
        np.savez(folder / LOADINGS, **loadings)
    said = sorted(set().union(*warned.values()))
    facts = facts_of(estimator, components, task, (*said, *path_faults), found)
    if task.traced:
        facts = replace(facts, trace=trace(make, estimator, found or {}, enter))
    if facts.converged and "ConvergenceWarning" not in warned:
        return Result(status="ok", facts=facts, timing=timing), loadings
    reason = next(iter(said), "did not converge")
    return Result(status="not_converged", reason=reason, facts=facts, timing=timing), loadings


def _timed(make: Maker, enter: Enter) -> tuple[Any, Timing, Mapping[str, Any] | None, dict[str, set[str]]]:
    """Fit under the clock; after a search or a short fit, fit once more at what was found, and time that fit alone.

    It returns the fitted estimator, its times, what the search found (None if there was none), and its warnings
    as of `listening`.
    """
    with listening() as warned, FitClock(enter) as clock:
        warm_up(make)
        warned.clear()
        estimator = make()
        seed_global_generators(make.task.random_state)
        before = _peak_memory()
        clock.begin("fit")
        found: Any
        fits: Any
        if make.task.method.knob.kind == "penalty" and make.task.n_nonzero is not None:
            found, fits = search_joint(make, make.task.n_nonzero)
        else:
            fit_alone(estimator, make.data)
            found, fits = getattr(estimator, "calibrated_params_", None), getattr(estimator, "n_fits_", None)
        first = clock.passed[0]
        found = found if isinstance(found, Mapping) else None  # then there was no search
        if found is not None or first < SHORT:
            warned.clear()  # what the search said of other penalties
            estimator = make(**(found or {}))
            seed_global_generators(make.task.random_state)
            clock.restart()
            fit_alone(estimator, make.data)
        passed = clock.passed
    memory = max(0.0, _peak_memory() - before)
    own = own_seconds(estimator, passed[0])
    fit_time, cpu_time = own or passed
    timing = Timing(
        fit_time=(fit_time,),
        cpu_time=(cpu_time,),
        search_time=(0.0 if found is None else first,),
        n_fits=(0.0 if found is None else float(np.sum(wording.numbers(fits) or 1)),),
        cold_time=(first,) if found is None else (),
        peak_memory=() if own else (memory,),  # what the system says of an ended program has its parent's in it
    )
    return estimator, timing, found, warned


def _peak_memory() -> float:
    """Return the peak resident memory of this process so far, MiB."""
    if sys.platform == "win32":
        import psutil

        return float(psutil.Process().memory_info().peak_wset) / 2**20
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
