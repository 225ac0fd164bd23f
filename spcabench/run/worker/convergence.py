"""In a worker: trace how a method converges, from outside, by fits whose iterations are capped.

A callback would take time inside compiled loops, and methods of other libraries have none.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from spcabench import wording
from spcabench.run.messages import Tracing
from spcabench.run.worker.clock import Enter, FitClock
from spcabench.run.worker.estimator import Maker, fit_alone, seed_global_generators
from spcabench.traces import Trace

TIGHTER = 1e-3
"""The stop of the capped fits, as a share of the method's own."""
REPEATS, SHORT = 5, 0.1
"""A cap is fitted up to so many times, until its fits have taken so many wall seconds."""


class _Spent(Exception):
    """The budget is spent."""


@dataclass(frozen=True)
class _Point:
    """What the fits at one cap took and reached, and whether the method stopped before the cap."""

    iterations: int
    cpu_time: float
    wall_time: float
    objective: float
    stopped: bool


def trace(make: Maker, fitted: Any, found: Mapping[str, Any], fit_time: float, tracing: Tracing, enter: Enter) -> Trace:
    """Trace a method.

    Parameters
    ----------
    make : Maker
        Makes its estimators.
    fitted : object
        The estimator of the fit, which may have a trace of its own.
    found : mapping
        The parameters that a search found; the capped fits have them too.
    fit_time : float
        Wall seconds of the fit.
    tracing : Tracing
        The parameters that end its iterations, and the budget.
    enter : callable
        Hears which phase begins.

    Returns
    -------
    Trace
        After 1, 2, 3, 5, 8, ... iterations, up to those that the method takes at a thousandth of its tolerance.
    """
    if hasattr(fitted, "trace_"):
        return _own(fitted.trace_)
    if not tracing.iterations:
        return Trace(reason="no parameter caps its iterations")
    if _objective(fitted) is None:
        return Trace(reason="it reports no objective_")
    if fit_time > tracing.budget:
        return Trace(reason=f"a fit takes more than the budget of {tracing.budget:g} s")
    return _Capped(make, found, tracing, enter).trace()


class _Capped:
    """Fits of one method with capped iterations, as far as the budget goes."""

    def __init__(self, make: Maker, found: Mapping[str, Any], tracing: Tracing, enter: Enter) -> None:
        self._make, self._tracing, self._enter = make, tracing, enter
        self._changes = {**found, **_tighter(make, tracing.tolerance)}
        self._fits, self._seconds = 0, 0.0

    def trace(self) -> Trace:
        """Fit at cap after cap until the method stops by itself, or the budget is spent."""
        points: list[_Point] = []
        reason = ""
        with warnings.catch_warnings(), FitClock(self._enter) as clock:
            warnings.simplefilter("ignore")  # that a capped fit did not converge is no news
            clock.begin("trace")
            try:
                for cap in _caps():
                    points.append(self._point(cap, points, clock))
                    if points[-1].stopped:
                        break
            except _Spent as spent:
                reason = str(spent)
            except Exception as error:
                reason = wording.of_error(error)
        return Trace(
            iterations=tuple(point.iterations for point in points),
            cpu_time=tuple(point.cpu_time for point in points),
            wall_time=tuple(point.wall_time for point in points),
            objective=tuple(point.objective for point in points),
            reason=reason,
        )

    def _point(self, cap: int, before: list[_Point], clock: FitClock) -> _Point:
        last = before[-1] if before else None
        self._see_budget(last.wall_time * cap / last.iterations if last else 0.0)
        times = [self._fit(cap, clock)]
        while len(times) < REPEATS and sum(wall for wall, _, _ in times) < SHORT and self._fits < self._tracing.fits:
            times.append(self._fit(cap, clock))
        walls, cpus, estimators = zip(*times, strict=True)
        estimator, objective = estimators[0], _objective(estimators[0])
        if objective is None:
            raise ValueError(f"after {cap} iterations, objective_ is not a finite number")
        stopped = _stopped(estimator, cap, last is not None and objective == last.objective)
        taken = _most_iterations(estimator, cap) if stopped else cap
        return _Point(taken, median(cpus), median(walls), objective, stopped)

    def _fit(self, cap: int, clock: FitClock) -> tuple[float, float, Any]:
        """Return the wall and CPU seconds of a fit, and its estimator."""
        estimator = self._make(**self._changes, **{self._tracing.iterations: cap})
        seed_global_generators(self._make.task.random_state)
        clock.restart()
        fit_alone(estimator, self._make.data)
        wall, cpu = clock.passed
        self._fits, self._seconds = self._fits + 1, self._seconds + wall
        return wall, cpu, estimator

    def _see_budget(self, expected: float) -> None:
        """Raise `_Spent` if one more fit would be too many, or would take too long."""
        if self._fits >= self._tracing.fits:
            raise _Spent(f"its limit is more than {self._tracing.fits} fits away")
        if self._seconds + expected > self._tracing.budget:
            raise _Spent(f"its limit is more than the budget of {self._tracing.budget:g} s away")


def _caps() -> Iterator[int]:
    """Yield 1, 2, 3, 5, 8, ..., each the sum of the two before."""
    cap, following = 1, 2
    while True:
        yield cap
        cap, following = following, cap + following


def _tighter(make: Maker, parameter: str) -> dict[str, float]:
    """Return the tolerance of the capped fits: a share of the method's own, or 0 where that is no positive number."""
    if not parameter:
        return {}
    default = inspect.signature(make.cls).parameters[parameter].default
    own = make.task.params.get(parameter, default)
    return {parameter: TIGHTER * own if isinstance(own, int | float) and own > 0 else 0.0}


def _stopped(estimator: Any, cap: int, same: bool) -> bool:
    """Return whether a method stopped by itself: as it says, or as its iterations or its objective show."""
    said = getattr(estimator, "converged_", None)
    if said is not None:
        return bool(np.all(said))
    return _most_iterations(estimator, cap) < cap if hasattr(estimator, "n_iter_") else same


def _most_iterations(estimator: Any, cap: int) -> int:
    """Return the most iterations that a component took, as far as the method says; else the cap."""
    counts = wording.numbers(getattr(estimator, "n_iter_", None))
    return cap if counts is None else min(cap, max(1, int(np.max(counts))))


def _objective(estimator: Any) -> float | None:
    """Return the objective, summed over the components; None if it is not reported, or not finite."""
    values = wording.numbers(getattr(estimator, "objective_", None))
    total = math.nan if values is None else float(np.sum(values))
    return total if math.isfinite(total) else None


def _own(rows: Any) -> Trace:
    """Return the trace that a method made itself."""
    try:
        points = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or not len(points) or not np.isfinite(points).all():
        return Trace(reason="its trace_ is not an array of shape (n_points, 2) of finite numbers")
    seconds, objective = points.T.tolist()
    return Trace(iterations=tuple(range(1, len(points) + 1)), cpu_time=tuple(seconds), objective=tuple(objective))
