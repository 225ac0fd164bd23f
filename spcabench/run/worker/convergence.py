"""In a worker: trace how a method converges, from outside, by fits whose iterations are capped.

A callback would take time inside compiled loops, and methods of other libraries have none.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from spcabench import wording
from spcabench.run.worker.clock import Enter, FitClock
from spcabench.run.worker.estimator import Maker, fit_alone, seed_global_generators
from spcabench.traces import Trace

TIGHTER = 1e-3
"""The stop of the capped fits, as a share of the method's own."""
BUDGET = 10.0
"""Wall seconds of the capped fits of a cell, after which no further one begins."""


Point = tuple[int, float, float, float]
"""Iterations, CPU seconds, wall seconds and the objective."""


def trace(make: Maker, fitted: Any, found: Mapping[str, Any], enter: Enter) -> Trace:
    """Trace a method.

    Parameters
    ----------
    make : Maker
        Makes its estimators.
    fitted : object
        The estimator of the fit.
    found : mapping
        The parameters that a search found; the capped fits have them too.
    enter : callable
        Hears which phase begins.

    Returns
    -------
    Trace
        After 1, 2, 3, 5, 8, ... iterations, up to those that the method takes at a thousandth of its tolerance.
    """
    method = make.task.method
    if not method.iterations:
        return Trace(reason="no parameter caps its iterations")
    if _objective(fitted) is None:
        return Trace(reason="it reports no objective_")
    points: list[Point] = []
    reason = ""
    with warnings.catch_warnings(), FitClock(enter) as clock:
        warnings.simplefilter("ignore")  # that a capped fit did not converge is no news
        clock.begin("trace")
        try:
            for point in _points(make, {**found, **_tighter(make, method.tolerance)}, method.iterations, clock):
                points.append(point)
        except TimeoutError as spent:
            reason = str(spent) or wording.of_error(spent)
        except Exception as error:
            reason = wording.of_error(error)
    iterations, cpu, wall, objective = zip(*points, strict=True) if points else ((), (), (), ())
    return Trace(iterations=iterations, cpu_time=cpu, wall_time=wall, objective=objective, reason=reason)


def _points(make: Maker, changes: Mapping[str, Any], capped: str, clock: FitClock) -> Iterator[Point]:
    """Fit at cap after cap, each the sum of the two before, until the method stops by itself."""
    cap, following, spent = 1, 2, 0.0
    while spent <= BUDGET:
        estimator = make(**changes, **{capped: cap})
        seed_global_generators(make.task.random_state)
        clock.restart()
        fit_alone(estimator, make.data)
        wall, cpu = clock.passed
        spent += wall
        objective, taken = _objective(estimator), _most_iterations(estimator, cap)
        if objective is None:
            raise ValueError(f"after {cap} iterations, objective_ is not a finite number")
        said = getattr(estimator, "converged_", None)
        stopped = taken < cap if said is None else bool(np.all(said))
        yield taken if stopped else cap, cpu, wall, objective
        if stopped:
            return
        cap, following = following, cap + following
    raise TimeoutError(f"its limit is more than {BUDGET:g} s of capped fits away")


def _tighter(make: Maker, parameter: str) -> dict[str, float]:
    """Return the tolerance of the capped fits: a share of the method's own, or 0 where that is no positive number."""
    if not parameter:
        return {}
    default = inspect.signature(make.cls).parameters[parameter].default
    own = make.task.params.get(parameter, default)
    return {parameter: TIGHTER * own if isinstance(own, int | float) and own > 0 else 0.0}


def _most_iterations(estimator: Any, cap: int) -> int:
    """Return the most iterations that a component took, as far as the method says; else the cap."""
    counts = wording.numbers(getattr(estimator, "n_iter_", None))
    return cap if counts is None else min(cap, max(1, int(np.max(counts))))


def _objective(estimator: Any) -> float | None:
    """Return the objective, summed over the components; None if it is not reported, or not finite."""
    values = wording.numbers(getattr(estimator, "objective_", None))
    total = math.nan if values is None else float(np.sum(values))
    return total if math.isfinite(total) else None
