"""Seconds that a user gives, and what is left of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from spcabench.wording import Fault, InputError

UNITS = {"": 1.0, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
LEAST = 10.0
"""With fewer seconds nothing can be said."""
RESERVE, LEAST_RESERVE, PER_START = 0.12, 5.0, 1.0
"""What is kept for the figures and the pages: a share of the budget, seconds at least, and of what the start took."""


@dataclass(frozen=True)
class Budget:
    """Wall seconds, counted from when it is made.

    Parameters
    ----------
    seconds : float
        All that may be spent.
    started : float
        When it was made, by the clock.
    start : float
        How many seconds went by until the table was understood: it tells how busy the machine is.
    clock : callable
        Returns seconds that never go back.
    """

    seconds: float
    started: float = field(default_factory=time.monotonic)
    start: float = 0.0
    clock: Callable[[], float] = time.monotonic

    def begun(self) -> Budget:
        """Return the budget with what the start took."""
        return replace(self, start=self.spent)

    @property
    def spent(self) -> float:
        """Seconds since it was made."""
        return self.clock() - self.started

    @property
    def left(self) -> float:
        """Seconds that are left for choosing and fitting, without those that are kept for the report."""
        reserve = max(RESERVE * self.seconds, LEAST_RESERVE, PER_START * self.start)
        return max(self.seconds - reserve - self.spent, 0.0)


def seconds_of(text: str) -> float:
    """Read a budget.

    Raises
    ------
    InputError
        If it is no time, or too short.

    Examples
    --------
    >>> seconds_of("90s"), seconds_of("2min"), seconds_of("45")
    (90.0, 120.0, 45.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in UNITS:
        raise InputError(Fault(f"'{text}' is no time; valid are 90s, 2min or 1h", "--budget"))
    seconds = float(match[1]) * UNITS[match[2]]
    if seconds < LEAST:
        raise InputError(Fault(f"{text} is too short; valid is {LEAST:g} s or more", "--budget"))
    return seconds
