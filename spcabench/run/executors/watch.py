"""Watch a worker from outside: what it is at, its time, its memory, what it prints, and what others use meanwhile."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from spcabench.run.executors.contract import Limits
from spcabench.run.messages import OUTPUT, DrawTask, Entered, Failure, FitTask, Phase, Task
from spcabench.run.worker_result import Unreadable, lines_in
from spcabench.store.record import Facts

GRACE = 600.0
"""Seconds that a worker may spend on its start, on compilation amid the fit and on keeping loadings, together."""
TRACE = 60.0
"""Seconds of the longest trace of convergence, the last of its fits left out."""
LOOK_EVERY = 0.25
"""Seconds between two looks at a worker, and the least over which the load of others is measured."""
MOST_OUTPUT = 2**24
"""Bytes of output; of more, only the end is kept."""
KEPT_OUTPUT = 4000
"""Characters of output that are kept."""

_TOGETHER: tuple[Phase, ...] = ("prepare", "compile", "keep")
"""The phases that share the grace; the first of them stands for all."""
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
_PUNCH_HOLE = 3
"""Of fallocate: free the blocks, and keep the length of the file."""
_NOT_BUSY = {"idle", "iowait", "steal", "guest", "guest_nice"}
"""Of a processor's times: not ours to know, or counted in another already."""


def budgets(task: Task, limits: Limits) -> Mapping[Phase, float]:
    """Return the seconds that each phase of a task may have; ``prepare`` stands for all that share the grace."""
    found: dict[Phase, float] = {"prepare": GRACE}
    if isinstance(task, DrawTask):
        return found | {"draw": limits.draw}
    if isinstance(task, FitTask):
        found |= {"fit": limits.time, "trace": limits.time + TRACE}
    return found | {"score": limits.score}


class Phases:
    """What a worker is at, and how long it was at what.

    Parameters
    ----------
    budgets : mapping of str to float
        The seconds of each phase, as of `budgets`.
    now : float
        The time on the system's monotonic clock.
    """

    def __init__(self, budgets: Mapping[Phase, float], now: float) -> None:
        self._budgets = budgets
        self._since = now
        self._spent: dict[Phase, float] = {}
        self.phase: Phase = "prepare"

    def enter(self, phase: Phase, at: float) -> None:
        """Begin a phase at that time."""
        self._spent[_shared(self.phase)] = self.spent(at)
        self.phase, self._since = phase, at

    def spent(self, now: float) -> float:
        """Return the seconds spent in the phase that goes on, and in those that share its budget."""
        return self._spent.get(_shared(self.phase), 0.0) + now - self._since

    def why_late(self, now: float) -> str:
        """Return why the worker has had its time; empty if it has not."""
        limit = self._budgets[_shared(self.phase)]
        return f"{_WHAT[self.phase]} limit of {limit:g} s" if self.spent(now) > limit else ""


def _shared(phase: Phase) -> Phase:
    return _TOGETHER[0] if phase in _TOGETHER else phase


@dataclass
class Watch:
    """What is seen of one worker.

    Parameters
    ----------
    folder : Path
        The worker's files.
    limits : Limits
        What it may use.
    phases : Phases
        What it is at.
    looked : float
        When it was last looked at, on the monotonic clock.
    pid : int
        Its process; 0 before it has started.
    read : int
        The bytes of its lines that were read.
    dropped : str
        The end of the output that was dropped.
    family : list of Process
        The worker and its descendants when it was last looked at.
    """

    folder: Path
    limits: Limits
    phases: Phases
    looked: float
    pid: int = 0
    read: int = 0
    dropped: str = ""
    family: list[psutil.Process] = field(default_factory=list)

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return (self.dropped + _tail(self.folder / OUTPUT))[-KEPT_OUTPUT:]

    def over_limit(self) -> Failure | None:
        """Return what to record of a worker that is over a limit; None if it is within, or was looked at just now."""
        if not self.pid or time.monotonic() - self.looked < LOOK_EVERY:
            return None
        self.looked = time.monotonic()
        self._hear()
        reason = self.phases.why_late(self.looked)
        if reason:
            return Failure(status="timeout", reason=reason, facts=Facts(time_limit=self.limits.time))
        self._hold_output()
        self.family = family_of(self.pid)
        if all(sum(map(memory, self.family)) / 2**30 > self.limits.memory for memory in (_resident, _share)):
            return Failure(status="out_of_memory", reason=f"more than its limit of {self.limits.memory:g} GiB")
        return None

    def end(self) -> None:
        """End what is left of the worker where its server cannot; a process that has its number since is spared."""
        for process in self.family:
            with contextlib.suppress(psutil.Error):
                process.kill()  # psutil compares the times at which processes began

    def _hear(self) -> None:
        """Read which phases it has entered since."""
        with contextlib.suppress(Unreadable):  # which is said when it has ended
            lines, self.read = lines_in(self.folder, self.read)
            for line in lines:
                if isinstance(line, Entered):
                    self.phases.enter(line.phase, line.at)

    def _hold_output(self) -> None:
        """Drop all but the end of a long output, while the worker goes on writing."""
        file = self.folder / OUTPUT
        with contextlib.suppress(OSError):
            now = file.stat()
            if now.st_blocks * 512 > MOST_OUTPUT and not _free_start(file, now.st_size - KEPT_OUTPUT):
                self.dropped = _tail(file)
                os.truncate(file, 0)  # what it writes between these two is lost


def _free_start(file: Path, n_bytes: int) -> bool:
    """Free the disk of the start of a file, which keeps its length; return whether the kernel can do so.

    Nothing that is written meanwhile is lost, as it may be if the file is cut.
    """
    if sys.platform != "linux":
        return False
    with file.open("r+b") as stream:
        return not ctypes.CDLL(None).fallocate(stream.fileno(), _PUNCH_HOLE, ctypes.c_int64(0), ctypes.c_int64(n_bytes))


def family_of(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants; a worker adopts what these leave, so that a daemon is one of them."""
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.Error:
        return []


def _resident(process: psutil.Process) -> int:
    """Return the resident memory of a process, bytes."""
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _share(process: psutil.Process) -> int:
    """Return the same, but of pages that processes share its share alone, where the kernel knows it."""
    try:
        return int(getattr(process.memory_full_info(), "pss", process.memory_info().rss))
    except psutil.Error:
        return 0


def _tail(file: Path) -> str:
    """Return the end of a file."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - KEPT_OUTPUT))
            return stream.read(2 * KEPT_OUTPUT).decode(errors="replace")
    except OSError:
        return ""


class OthersLoad:
    """The cores that others use of those that this process may run on: all but this process, a server and its workers.

    Parameters
    ----------
    server : int
        The process of the fork server.
    """

    def __init__(self, server: int) -> None:
        self._server = server
        self._looked, self._used, self._load = time.monotonic(), self._used_by_others(), 0.0

    def now(self) -> float:
        """Return the cores that others used in the last while, since the call before if that is long enough ago."""
        passed = time.monotonic() - self._looked
        if passed >= LOOK_EVERY:
            used = self._used_by_others()
            self._load = max(0.0, (used - self._used) / passed)
            self._looked, self._used = self._looked + passed, used
        return self._load

    def _used_by_others(self) -> float:
        """Return the CPU seconds of all others so far, from some point on."""
        return _busy() - sum(map(_used, [psutil.Process(), *family_of(self._server)]))


def _used(process: psutil.Process) -> float:
    """Return the CPU seconds of a process, and those of its children that have ended."""
    with contextlib.suppress(psutil.Error):
        times = process.cpu_times()
        ended = 0.0 if process.pid == os.getpid() else times.children_user + times.children_system
        return float(times.user + times.system + ended)
    return 0.0


def _busy() -> float:
    """Return the seconds that the processors which this process may run on have been busy."""
    processors = psutil.cpu_times(percpu=True)
    mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
    if not mine or max(mine) >= len(processors):  # a container may number them anew
        mine = set(range(len(processors)))
    times = [processors[number]._asdict() for number in mine]
    return float(sum(seconds for spent in times for name, seconds in spent.items() if name not in _NOT_BUSY))
