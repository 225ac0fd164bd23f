"""Watch a worker from outside: its time, its memory, and what it prints."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from spcabench.run.executors.contract import Limits
from spcabench.run.messages import BEGIN, END, OUTPUT, Failure
from spcabench.store.record import Facts

GRACE = 120.0
"""Seconds that a worker may spend outside the fit (mapping data, compilation, metrics) on top of its limit."""
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
    started, looked : float
        When it was ordered, and when its memory was last looked at, on the monotonic clock.
    pid : int
        Its process; 0 before it has started.
    dropped : str
        The end of the output that was dropped.
    """

    folder: Path
    limits: Limits
    started: float
    looked: float
    pid: int = 0
    dropped: str = ""

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return (self.dropped + _tail(self.folder / OUTPUT))[-KEPT_OUTPUT:]

    def over_limit(self) -> Failure | None:
        """Return what to record of a worker that is over a limit; None if it is within."""
        now, limits = time.monotonic(), self.limits
        reason = self._why_late(now) if now - self.started > limits.time else ""
        if reason:
            return Failure(status="timeout", reason=reason, facts=Facts(time_limit=limits.time))
        self._hold_output()
        if self.pid and now - self.looked > LOOK_EVERY:
            self.looked = now
            if _session_memory(self.pid) > limits.memory:
                return Failure(status="out_of_memory", reason=f"more than its limit of {limits.memory:g} GiB")
        return None

    def _why_late(self, now: float) -> str:
        """Return why the worker has had its time; the time of the fit is its own, and the rest has `GRACE` more."""
        limit = self.limits.time
        begun, ended = _age(self.folder / BEGIN), _age(self.folder / END)
        if begun is not None and ended is None:
            return f"the fit took longer than its limit of {limit:g} s" if begun > limit else ""
        late = now - self.started > limit + GRACE
        return f"outside the fit, the task took {GRACE:g} s more than the limit of {limit:g} s" if late else ""

    def _hold_output(self) -> None:
        """Drop all but the end of a long output; the worker goes on writing at the end."""
        file = self.folder / OUTPUT
        with contextlib.suppress(OSError):
            now = file.stat()
            if now.st_blocks * 512 > MOST_OUTPUT and not free_start(file, now.st_size - KEPT_OUTPUT):
                self.dropped = _tail(file)
                os.truncate(file, 0)  # what the worker writes between these two is lost


def free_start(file: Path, n_bytes: int) -> bool:
    """Free the disk of the start of a file that is being written; return whether the kernel can do so.

    Its length stays, and nothing that is written meanwhile is lost, as it may be if the file is cut.
    """
    if sys.platform != "linux":
        return False
    handle = os.open(file, os.O_WRONLY)
    try:
        return not _LIBC.fallocate(handle, _PUNCH_HOLE, ctypes.c_int64(0), ctypes.c_int64(n_bytes))
    finally:
        os.close(handle)


def _age(file: Path) -> float | None:
    try:
        return time.time() - file.stat().st_mtime
    except OSError:
        return None


def _session_memory(pid: int) -> float:
    """Return the resident memory of a worker and its descendants, GiB."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0.0
    total = 0
    for member in family:
        try:
            total += member.memory_info().rss
        except psutil.Error:
            continue
    return total / 2**30


def _tail(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(0, stream.tell() - KEPT_OUTPUT))
            return stream.read().decode(errors="replace")
    except OSError:
        return ""
