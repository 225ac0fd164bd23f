"""Watch a worker from outside: what it is at, its time, its memory, and what it prints."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from spcabench.run.messages import OUTPUT, Entered, Phase, Result, lines_in
from spcabench.store.files import text_of
from spcabench.suite.models import Limits

START = 10.0
"""Seconds beyond the limit of a fit that a worker has for its start with the warm-up, for keeping loadings, its end."""
COMPILE = 600.0
"""Seconds that a worker may spend on compilation."""
TRACE = 60.0
"""Seconds of the longest trace of convergence, the last of its fits left out."""
LOOK_EVERY = 0.25
"""Seconds between two looks at a worker."""


def budget(phase: Phase, limits: Limits) -> float:
    """Return the seconds that a worker may spend in a phase."""
    own: Mapping[Phase, float] = {
        "compilation": COMPILE,
        "draw": limits.draw,
        "fit": limits.time,
        "trace": limits.time + TRACE,
        "scoring": limits.score,
    }
    return own.get(phase, limits.time + START)


@dataclass
class Watch:
    """What is seen of one worker.

    Parameters
    ----------
    folder : Path
        The worker's files.
    limits : Limits
        What it may use.
    since : float
        When it entered its phase, on the system's monotonic clock.
    looked : float
        When it was last looked at.
    phase : Phase
        What it is at.
    spent : mapping of str to float
        The seconds that it spent in each phase before.
    pid : int
        Its process; 0 before it has started.
    read : int
        The bytes of its lines that were read.
    family : list of Process
        The worker and its descendants when it was last looked at.
    """

    folder: Path
    limits: Limits
    since: float = field(default_factory=time.monotonic)
    looked: float = field(default_factory=time.monotonic)
    phase: Phase = "start"
    spent: Counter[Phase] = field(default_factory=Counter)
    pid: int = 0
    read: int = 0
    family: list[psutil.Process] = field(default_factory=list)

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return text_of(self.folder / OUTPUT)

    def start(self, pid: int) -> None:
        """Note that its process is there; what its server imported before is not its time."""
        self.pid, self.since = pid, time.monotonic()

    def enter(self, phase: Phase, at: float) -> None:
        """Note that it began a phase at that time."""
        self.spent[self.phase] += at - self.since  # type: ignore[assignment]
        self.phase, self.since = phase, at

    def why_late(self, now: float) -> str:
        """Return why it has had its time; empty if it has not."""
        limit = budget(self.phase, self.limits)
        late = self.spent[self.phase] + now - self.since > limit
        return f"the {self.phase} took longer than its limit of {limit:g} s" if late else ""

    def over_limit(self) -> Result | None:
        """Return what to record of a worker that is over a limit; None if it is within, or was looked at just now."""
        if not self.pid or time.monotonic() - self.looked < LOOK_EVERY:
            return None
        self.looked = time.monotonic()
        self._hear()
        if reason := self.why_late(self.looked):
            return Result(status="timeout", reason=reason)
        self.family = family_of(self.pid)
        if _memory(self.family, self.limits.memory) > self.limits.memory:
            return Result(status="out_of_memory", reason=f"more than its limit of {self.limits.memory:g} GiB")
        return None

    def end(self) -> None:
        """End what is left of the worker where its server cannot; a process that has its number since is spared."""
        for process in self.family:
            with contextlib.suppress(psutil.Error):
                process.kill()  # psutil compares the times at which processes began

    def _hear(self) -> None:
        """Read which phases it has entered since."""
        with contextlib.suppress(ValueError):  # which is said when it has ended
            lines, self.read = lines_in(self.folder, self.read)
            for line in lines:
                if isinstance(line, Entered):
                    self.enter(line.phase, line.at)


def family_of(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants; a worker adopts what these leave, so that a daemon is one of them."""
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.Error:
        return []


def _memory(processes: Sequence[psutil.Process], most: float) -> float:
    """Return the resident GiB of processes; beyond `most`, of pages that they share with others their share alone."""
    used = _sum(lambda process: process.memory_info().rss, processes)
    if used > most and psutil.LINUX:  # no other kernel knows the shares
        used = _sum(lambda process: process.memory_full_info().pss, processes)
    return used


def _sum(measure: Callable[[psutil.Process], float], processes: Sequence[psutil.Process]) -> float:
    """Add up the bytes that are measured of processes, as far as they are there still; return GiB."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += measure(process)
    return total / 2**30
