"""The times of a record in sum, and whether they are to be believed."""

from __future__ import annotations

import math

from spcabench.analysis.times import Clocked, clocked
from spcabench.store.record import Facts, Timing


def clock_of(timing: Timing, facts: Facts) -> Clocked | None:
    """Return the times of a cell in sum; None if it has none.

    They are contended if fits shared cores, and wherever wall and CPU seconds, or the load of others, show it.
    """
    if not timing.cpu_time:
        return None
    load = math.inf if facts.contended else facts.load
    return clocked(timing.cpu_time, timing.fit_time, max(facts.threads.values(), default=1), load)
