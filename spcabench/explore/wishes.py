"""What a user wants of a try, how much time there is, and who hears of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from spcabench.run.progress import Listener
from spcabench.wording import Fault, InputError

Missing = Literal["error", "drop", "median", "em"]
Say = Callable[[str], None]

UNITS = {"": 1.0, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
LEAST = 10.0
"""With fewer seconds nothing can be said."""
RESERVE, LEAST_RESERVE = 0.12, 5.0
"""What is kept for the figures and the pages: a share of the budget, and seconds at least."""


@dataclass(frozen=True)
class Budget:
    """Wall seconds, counted from when it is made, by a clock that never goes back."""

    seconds: float
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        """Seconds since it was made."""
        return time.monotonic() - self.started

    @property
    def left(self) -> float:
        """Seconds that are left for fitting, without those that are kept for the report."""
        return max(self.seconds - max(RESERVE * self.seconds, LEAST_RESERVE) - self.spent, 0.0)


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


@dataclass(frozen=True)
class Wishes:
    """What a user wants.

    Parameters
    ----------
    file : Path
        The table.
    folder : Path
        Where the answer goes.
    budget : Budget
        The wall time that may be spent.
    n_components : int, optional
        Counted if not given.
    n_nonzero : int, optional
        Of each component; chosen if not given.
    label : str, optional
        The column of classes; found if not given.
    drop, keep : sequence of str
        Columns to leave out, and columns of numbers to keep.
    missing : {"error", "drop", "median", "em"}, optional
        What becomes of missing values.
    standardise : bool, optional
        Whether features are standardised.
    jobs : int
        Fits at once.
    """

    file: Path
    folder: Path
    budget: Budget
    n_components: int | None = None
    n_nonzero: int | None = None
    label: str | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    missing: Missing | None = None
    standardise: bool | None = None
    jobs: int = 1


@dataclass(frozen=True)
class Heard:
    """Who hears what: the lines of the answer's beginnings, progress, and the events of runs."""

    say: Say
    progress: Say
    tell: Listener
