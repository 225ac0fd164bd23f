"""The seconds that a worker spends in each phase, counted from outside, and how many each may have."""

from __future__ import annotations

from spcabench.run.executors.contract import Limits
from spcabench.run.messages import Phase

GRACE = 120.0
"""Seconds that a worker may spend on each of: its start, compilation amid the fit, checking and writing loadings."""
TRACE = 60.0
"""Seconds of the longest trace of convergence, the last of its fits left out."""

_MOST_LEFT: tuple[Phase, ...] = ("keep", "trace", "score")
"""The phases after the fit, from which there is no way back into it."""


class Phases:
    """Where a worker is, and since when.

    What it says of itself can be forged by the code that it runs.  So no phase begins anew: its seconds add up over all
    its times, and a fit that is over is not gone back to.  Whatever is forged, all ends after the sum of the limits.

    Parameters
    ----------
    limits : Limits
        What the task may use.
    now : float
        The time on the system's monotonic clock.
    """

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._since = now
        self._spent: dict[Phase, float] = {}
        self.phase: Phase = "prepare"

    def enter(self, phase: Phase, at: float) -> None:
        """Begin a phase at that time."""
        if self.phase in _MOST_LEFT and phase in ("prepare", "draw", "fit"):
            return
        at = max(at, self._since)
        self._spent[self.phase] = self.spent(at)
        self.phase, self._since = phase, at

    def spent(self, now: float) -> float:
        """Return the seconds spent in the phase that goes on."""
        return self._spent.get(self.phase, 0.0) + now - self._since

    def why_late(self, now: float) -> str:
        """Return why the worker has had its time; empty if it has not."""
        limits, phase = self._limits, self.phase
        limit, what = {
            "prepare": (GRACE, "before the fit, the task"),
            "draw": (limits.draw, "drawing the data set"),
            "fit": (limits.time, "the fit"),
            "compile": (GRACE, "compilation in the fit"),
            "keep": (GRACE, "keeping the loadings"),
            "trace": (limits.time + TRACE, "tracing its convergence"),
            "score": (limits.score, "its metrics"),
        }[phase]
        return f"{what} took longer than {_whose(phase)} limit of {limit:g} s" if self.spent(now) > limit else ""


def _whose(phase: Phase) -> str:
    return "their" if phase == "score" else "its" if phase in ("fit", "draw") else "the"
