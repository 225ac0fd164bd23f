"""The host's side of the fork server: start workers, hold them to their limits, learn how they ended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from select import select
from typing import Any

import psutil

from spcabench.run.executor import Outcome
from spcabench.run.server import OUTPUT
from spcabench.run.task import RESULT
from spcabench.store.files import read_json, see_room, writing

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
GRACE = 120.0
"""Seconds that a worker may spend outside the fit (mapping data, compiling, metrics) on top of its limit."""
LOOK_EVERY = 0.25
"""Seconds between two looks at what a worker uses."""
MOST_OUTPUT = 2**24
"""Bytes of output beyond which what a worker printed so far is dropped, but for its end."""
KEPT_OUTPUT = 4000
"""Characters of output that are kept."""


@dataclass(frozen=True)
class _Order:
    """A task that was submitted; a suspect was under way when a server ended."""

    name: Any
    task: Mapping[str, Any]
    time_limit: float
    memory_limit: float
    suspect: bool = False


@dataclass
class _Running:
    order: _Order
    folder: Path
    started: float
    looked: float
    pid: int = 0
    dropped: str = ""
    ended_by_us: tuple[str, str] | None = None

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return (self.dropped + _tail(self.folder / OUTPUT))[-KEPT_OUTPUT:]


class Workers:
    """A fork server and the workers it has running.

    Parameters
    ----------
    scratch : Path
        A folder for the workers' files.
    threads : int
        BLAS threads of each worker.
    capacity : int
        Workers at the same time.
    preload : sequence of str
        Modules to import once, in the server.
    plugins : sequence of Path
        Single-file plugins, imported once like the modules.

    Notes
    -----
    When the server ends, which a method can bring about, nothing tells which of the tasks under way did it.  Each of
    them is done once more, alone, in a new server; the one at which that server ends too has crashed, and the others
    have lost nothing but time.
    """

    def __init__(
        self,
        scratch: Path,
        threads: int,
        capacity: int = 1,
        preload: Sequence[str] = (),
        plugins: Sequence[Path] = (),
    ) -> None:
        self.capacity = capacity
        self._scratch = scratch
        self._threads = threads
        self._preload = preload
        self._plugins = [str(file.resolve()) for file in plugins]
        self._waiting: deque[_Order] = deque()
        self._running: dict[int, _Running] = {}
        self._count = 0
        self._pending = b""
        self._started: subprocess.Popen[bytes] | None = None

    @property
    def _server(self) -> subprocess.Popen[bytes]:
        """The server, started when it is first needed."""
        if self._started is None:
            self._started = self._start()
        return self._started

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(self._threads))}
        return subprocess.Popen(
            [sys.executable, "-m", "spcabench.run.server", *self._plugins, *self._preload],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )

    @property
    def contended(self) -> bool:
        """Whether workers share the machine with one another."""
        return self.capacity > 1

    @property
    def in_flight(self) -> list[Any]:
        """The names of the tasks that run, or wait for suspects to have run alone."""
        orders = [*(running.order for running in self._running.values()), *self._waiting]
        return [order.name for order in orders]

    def submit(self, name: Any, task: Mapping[str, Any], time_limit: float, memory_limit: float) -> None:
        """Start a worker, as soon as no suspect runs."""
        self._waiting.append(_Order(name, task, time_limit, memory_limit))
        self._start_waiting()

    def _start_waiting(self) -> None:
        """Start what waits; a suspect only when nothing else runs, and nothing beside it."""
        while self._waiting:
            alone = self._waiting[0].suspect or any(running.order.suspect for running in self._running.values())
            if alone and self._running:
                return
            self._fork(self._waiting.popleft())

    def _fork(self, order: _Order) -> None:
        with writing(self._scratch):
            folder = Path(tempfile.mkdtemp(dir=self._scratch, prefix="task-"))
        self._count += 1
        now = time.monotonic()
        self._running[self._count] = _Running(order, folder, started=now, looked=now)
        full = {**order.task, "folder": str(folder), "threads": self._threads, "plugins": self._plugins}
        self._request({"fork": self._count, "task": full})

    def wait(self, timeout: float = 0.05) -> list[Outcome]:
        """Return the tasks that ended within `timeout` seconds, and end those that are over their limits."""
        self._start_waiting()
        assert self._server.stdout is not None
        outcomes = []
        ready, _, _ = select([self._server.stdout], [], [], timeout)
        if ready:
            received = os.read(self._server.stdout.fileno(), 1 << 16)
            if not received:
                return self._server_lost()
            *lines, self._pending = (self._pending + received).split(b"\n")
            for line in lines:
                event = json.loads(line)
                if "started" in event:
                    self._running[event["started"]].pid = event["pid"]
                else:
                    outcomes.append(self._outcome(self._running.pop(event["ended"]), event))
        for worker, running in self._running.items():
            if running.ended_by_us is None:
                running.ended_by_us = self._over_limit(running)
                if running.ended_by_us is not None:
                    self._request({"kill": worker})
        return outcomes

    def close(self) -> None:
        """End every worker and the server."""
        server, self._started = self._started, None
        if server is None or server.stdin is None or server.stdout is None:
            return
        try:
            server.stdin.close()
            server.wait(timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            server.kill()
            server.wait()
        for running in self._running.values():
            _end_session(running.pid)
        server.stdout.close()
        self._running.clear()
        self._waiting.clear()

    def _request(self, request: Mapping[str, Any]) -> None:
        assert self._server.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # `wait` sees that the server is gone
            self._server.stdin.write(json.dumps(request).encode() + b"\n")
            self._server.stdin.flush()

    def _over_limit(self, running: _Running) -> tuple[str, str] | None:
        """Return the status and reason of a worker that is over a limit."""
        now, order = time.monotonic(), running.order
        if now - running.started > order.time_limit and self._time_is_up(running, now):
            return "timeout", f"the fit took longer than its limit of {order.time_limit:g} s"
        _hold_output(running)
        if running.pid and now - running.looked > LOOK_EVERY:
            running.looked = now
            if _session_memory(running.pid) > order.memory_limit:
                return "out_of_memory", f"more than its limit of {order.memory_limit:g} GiB"
        return None

    @staticmethod
    def _time_is_up(running: _Running, now: float) -> bool:
        age = now - running.started
        begin, end = _age(running.folder / "fit.begin"), _age(running.folder / "fit.end")
        if begin is not None and end is None:
            return begin > running.order.time_limit
        return age > running.order.time_limit + GRACE

    def _outcome(self, running: _Running, event: Mapping[str, Any]) -> Outcome:
        result = read_json(running.folder / RESULT)
        if running.ended_by_us is not None:
            status, reason = running.ended_by_us
            limit = {"time_limit": running.order.time_limit} if status == "timeout" else {}
            result = {"status": status, "reason": reason, "fit": limit}
        elif result is None:
            see_room(self._scratch)
            result = {"status": "crashed", "reason": _how_it_ended(event)}
        return Outcome(running.order.name, result, running.folder, running.output)

    def _server_lost(self) -> list[Outcome]:
        """Return the suspect that ran alone as crashed, or make suspects of what ran; the next gets another server."""
        lost, waiting = list(self._running.values()), list(self._waiting)
        self.close()
        self._pending = b""
        crash = {"status": "crashed", "reason": "the server that forks workers ended, twice at this fit"}
        crashed = [Outcome(one.order.name, crash, one.folder) for one in lost if one.order.suspect]
        for one in lost:
            if not one.order.suspect:
                shutil.rmtree(one.folder, ignore_errors=True)
                self._waiting.append(replace(one.order, suspect=True))
        self._waiting.extend(waiting)
        return crashed


def _age(file: Path) -> float | None:
    try:
        return time.time() - file.stat().st_mtime
    except OSError:
        return None


def _how_it_ended(event: Mapping[str, Any]) -> str:
    if not event["signal"]:
        return f"the process ended with exit code {event['code']} before the fit was done"
    name = signal.Signals(event["signal"]).name
    hint = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"


def _end_session(pid: int) -> None:
    if pid:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _hold_output(running: _Running) -> None:
    """Drop what was printed so far but its end, should it be too much; the worker goes on writing at the end."""
    file = running.folder / OUTPUT
    with contextlib.suppress(OSError):
        if file.stat().st_size > MOST_OUTPUT:
            running.dropped = _tail(file)
            os.truncate(file, 0)


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
