"""Watch a worker from outside: its time, its memory, and what it prints."""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from spcabench.run.executors.contract import Limits
from spcabench.run.executors.phases import Phases
from spcabench.run.messages import OUTPUT, Failure
from spcabench.store.record import Facts

LOOK_EVERY = 0.25
"""Seconds between two looks at what a worker uses."""
MOST_OUTPUT = 2**24
"""Bytes of output; of more, only the end is kept."""
KEPT_OUTPUT = 4000
"""Characters of output that are kept."""

_LIBC = ctypes.CDLL(None)
_PUNCH_HOLE = 3
"""Of fallocate: free the blocks, and keep the length of the file."""


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
        When its memory was last looked at, on the monotonic clock.
    pid : int
        Its process; 0 before it has started.
    dropped : str
        The end of the output that was dropped.
    family : list of Process
        The worker and its descendants when its memory was last looked at.
    """

    folder: Path
    limits: Limits
    phases: Phases
    looked: float
    pid: int = 0
    dropped: str = ""
    family: list[psutil.Process] = field(default_factory=list)

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return (self.dropped + _tail(self.folder / OUTPUT))[-KEPT_OUTPUT:]

    def over_limit(self) -> Failure | None:
        """Return what to record of a worker that is over a limit; None if it is within."""
        now, limits = time.monotonic(), self.limits
        reason = self.phases.why_late(now)
        if reason:
            return Failure(status="timeout", reason=reason, facts=Facts(time_limit=limits.time))
        self._hold_output()
        if self.pid and now - self.looked > LOOK_EVERY:
            self.looked = now
            self.family = _family(self.pid)
            if all(sum(map(memory, self.family)) / 2**30 > limits.memory for memory in (_resident, _share)):
                return Failure(status="out_of_memory", reason=f"more than its limit of {limits.memory:g} GiB")
        return None

    def end(self) -> None:
        """End what is left of the worker where its server cannot; a process that has its number since is spared."""
        for process in self.family:
            with contextlib.suppress(psutil.Error):
                process.kill()  # psutil compares the times at which processes began

    def _hold_output(self) -> None:
        """Drop all but the end of a long output; the worker goes on writing at the end."""
        file = self.folder / OUTPUT
        with contextlib.suppress(OSError):
            now = file.lstat()
            if now.st_blocks * 512 > MOST_OUTPUT and not free_start(file, now.st_size - KEPT_OUTPUT):
                self.dropped = _tail(file)
                os.truncate(file, 0)  # what the worker writes between these two is lost


def free_start(file: Path, n_bytes: int) -> bool:
    """Free the disk of the start of a file that is being written; return whether the kernel can do so.

    Its length stays, and nothing that is written meanwhile is lost, as it may be if the file is cut.
    """
    if sys.platform != "linux":
        return False
    handle = os.open(file, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        return not _LIBC.fallocate(handle, _PUNCH_HOLE, ctypes.c_int64(0), ctypes.c_int64(n_bytes))
    finally:
        os.close(handle)


def _family(pid: int) -> list[psutil.Process]:
    """Return a worker and its descendants; it adopts what these leave, so that a daemon is one of them."""
    try:
        worker = psutil.Process(pid)
        return [worker, *worker.children(recursive=True)]
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
    """Return the end of a file; nothing of what is no regular file, since a pipe would be waited for."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return ""
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - KEPT_OUTPUT))
            return stream.read(2 * KEPT_OUTPUT).decode(errors="replace")
    except OSError:
        return ""
