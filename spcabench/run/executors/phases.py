"""The seconds that a worker spends in each phase, counted from outside, and how many each may have."""

from __future__ import annotations

from collections.abc import Mapping

from spcabench.run.executors.contract import Limits
from spcabench.run.messages import DrawTask, FitTask, Phase, Task

GRACE = 180.0
"""Seconds that a worker may spend on its start, on compilation amid the fit and on keeping loadings, together."""
TRACE = 60.0
"""Seconds of the longest trace of convergence, the last of its fits left out."""

_BESIDE: tuple[Phase, ...] = ("prepare", "compile", "keep")
"""The phases that share the grace; the first of them stands for all."""
_MOST_LEFT: tuple[Phase, ...] = ("keep", "trace", "score")
"""The phases after the fit, from which there is no way back into it."""


def budgets(task: Task, limits: Limits) -> Mapping[Phase, float]:
    """Return the seconds that each phase of a task may have; ``prepare`` stands for all that share the grace.

    Their sum bounds the task, whatever its worker says of itself.
    """
    found: dict[Phase, float] = {"prepare": GRACE}
    if isinstance(task, DrawTask):
        return found | {"draw": limits.draw}
    if isinstance(task, FitTask):
        found["fit"] = limits.time
        if task.tracing is not None:
            found["trace"] = limits.time + TRACE
    return found | {"score": limits.score}


class Phases:
    """Where a worker is, and since when.

    What it says of itself can be forged by the code that it runs.  So no phase begins anew: its seconds add up over all
    its times.  A fit that is over is not gone back to, and a phase that the task does not have is not entered.
    Whatever it says, it ends after the sum of the budgets.

    Parameters
    ----------
    budgets : mapping of str to float
        The seconds of each phase, as of `budgets`.
    now : float
        The time on the system's monotonic clock.
    """

    def __init__(self, budgets: Mapping[Phase, float], now: float) -> None:
        self._budgets = budgets
        self._begun = self._since = now
        self._spent: dict[Phase, float] = {}
        self.phase: Phase = "prepare"

    def enter(self, phase: Phase, at: float) -> None:
        """Begin a phase at that time."""
        is_back = self.phase in _MOST_LEFT and phase in ("prepare", "draw", "fit")
        if is_back or _shared(phase) not in self._budgets:
            return
        at = max(at, self._since)
        self._spent[_shared(self.phase)] = self.spent(at)
        self.phase, self._since = phase, at

    def spent(self, now: float) -> float:
        """Return the seconds spent in the phase that goes on, and in those that share its budget."""
        return self._spent.get(_shared(self.phase), 0.0) + now - self._since

    def why_late(self, now: float) -> str:
        """Return why the worker has had its time; empty if it has not."""
        limit, every = self._budgets[_shared(self.phase)], sum(self._budgets.values())
        if self.spent(now) > limit:
            return f"{_WHAT[self.phase]} limit of {limit:g} s"
        return f"it took longer than all its limits together, {every:g} s" if now - self._begun > every else ""


_ELSE = "its start, compilation and keeping the loadings together took longer than their"
_WHAT: Mapping[Phase, str] = {
    "prepare": f"before the fit: {_ELSE}",
    "draw": "drawing the data set took longer than its",
    "fit": "the fit took longer than its",
    "compile": f"compiling amid the fit: {_ELSE}",
    "keep": f"after the fit: {_ELSE}",
    "trace": "tracing its convergence took longer than the",
    "score": "its metrics took longer than their",
}


def _shared(phase: Phase) -> Phase:
    return _BESIDE[0] if phase in _BESIDE else phase
