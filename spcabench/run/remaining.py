"""The time left of a run, for those who watch it."""

from __future__ import annotations

import time
from collections.abc import Callable

from spcabench.run.forecast import rough_duration

SHARE = 0.05
"""The share of a run's time that estimating it may take."""
LEAST = 60.0
"""Seconds below which nobody needs to know."""


class Remaining:
    """The time left.

    Parameters
    ----------
    estimate : callable
        Returns the seconds left; None if they are not known.
    """

    def __init__(self, estimate: Callable[[], float | None]) -> None:
        self._estimate = estimate
        self._end: float | None = None
        self._next = 0.0

    @property
    def words(self) -> str:
        """The time left in words; empty if it is not known, or short."""
        now = time.monotonic()
        if now >= self._next:
            seconds = self._estimate()
            took = time.monotonic() - now
            self._end = None if seconds is None else now + seconds
            self._next = now + took + took / SHARE
        return rough_duration(self._end - now) if self._end is not None and self._end - now >= LEAST else ""
