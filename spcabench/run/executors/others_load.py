"""Measure how much of the processors other programs use while workers fit."""

from __future__ import annotations

import contextlib
import os
import time

import psutil

WINDOW = 0.25
"""Seconds over which it is measured at least; the ticks of a hundredth that the system counts say little over less."""

_NOT_BUSY = {"idle", "iowait", "steal", "guest", "guest_nice"}
"""Of a processor's times: not ours to know, or counted in another already."""


class OthersLoad:
    """The cores that others use of those that this process may run on.

    Others are all but this process, the fork server, and the workers with what they started.

    Parameters
    ----------
    server : int
        The process of the fork server.
    """

    def __init__(self, server: int) -> None:
        self._server = server
        self._looked, self._used = time.monotonic(), self._used_by_others()
        self._load = 0.0

    def now(self) -> float:
        """Return the cores that others used in the last while, since the call before if that is long enough ago."""
        passed = time.monotonic() - self._looked
        if passed >= WINDOW:
            used = self._used_by_others()
            self._load = max(0.0, (used - self._used) / passed)
            self._looked, self._used = self._looked + passed, used
        return self._load

    def _used_by_others(self) -> float:
        """Return the CPU seconds of all others so far, from some point on."""
        here = psutil.Process().cpu_times()
        return _busy() - here.user - here.system - _used_by_family(self._server)


def _used_by_family(server: int) -> float:
    """Return the CPU seconds of the server, of its workers, and of those that have ended."""
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(server)
        return sum(_used(process) for process in [first, *first.children(recursive=True)])
    return 0.0


def _used(process: psutil.Process) -> float:
    with contextlib.suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def _busy() -> float:
    """Return the seconds that the processors which this process may run on have been busy."""
    processors = psutil.cpu_times(percpu=True)
    mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
    if not mine or max(mine) >= len(processors):  # a container may number them anew
        mine = set(range(len(processors)))
    times = [processors[number]._asdict() for number in mine]
    return float(sum(seconds for spent in times for name, seconds in spent.items() if name not in _NOT_BUSY))
