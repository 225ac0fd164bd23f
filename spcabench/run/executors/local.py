"""Do tasks in local workers: start them by the fork server, hold them to their limits, learn how they ended."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from select import select

from spcabench.run.executors.contract import Limits, Outcome
from spcabench.run.executors.others_load import OthersLoad
from spcabench.run.executors.watch import Watch
from spcabench.run.messages import (
    EVENTS,
    REQUESTS,
    RESULT,
    Ended,
    Failure,
    FitResult,
    Fork,
    Kill,
    Order,
    Result,
    Started,
    Task,
    read_result,
)
from spcabench.run.numba_cache import numba_cache
from spcabench.store.files import see_room, writing

SERVER = "spcabench.run.worker.fork_server"
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)


@dataclass(frozen=True)
class _Submitted:
    """A task that was submitted; a suspect was under way when a server ended."""

    name: str
    task: Task
    limits: Limits
    suspect: bool = False


@dataclass
class _Running:
    """A worker at its task, the load of others when it began, and why we ended it if we did."""

    submitted: _Submitted
    watch: Watch
    load: float
    stopped: Failure | None = None


class LocalWorkers:
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
    When the server ends, which a method can bring about, any of the tasks under way may have done it.  Each of them is
    done once more, alone, in a new server; the one at which that server ends too has crashed, and the others have lost
    nothing but time.
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
        self._plugins = tuple(file.resolve() for file in plugins)
        self._waiting: deque[_Submitted] = deque()
        self._running: dict[int, _Running] = {}
        self._count = 0
        self._pending = b""
        self._started: subprocess.Popen[bytes] | None = None

    @property
    def _server(self) -> subprocess.Popen[bytes]:
        """The server, started when it is first needed."""
        if self._started is None:
            self._started = self._start()
            self._load = OthersLoad(self._started.pid)
        return self._started

    def _start(self) -> subprocess.Popen[bytes]:
        threads = dict.fromkeys(THREAD_VARIABLES, str(self._threads))
        environment = {**os.environ, **threads, **numba_cache(os.environ)}
        return subprocess.Popen(
            [sys.executable, "-P", "-m", SERVER, *map(str, self._plugins), *self._preload],
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
    def in_flight(self) -> list[str]:
        """The names of the tasks that run, or wait for suspects to have run alone."""
        submitted = [*(running.submitted for running in self._running.values()), *self._waiting]
        return [one.name for one in submitted]

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Start a worker, as soon as no suspect runs."""
        self._waiting.append(_Submitted(name, task, limits))
        self._start_waiting()

    def _start_waiting(self) -> None:
        """Start what waits; a suspect only when nothing else runs, and nothing beside it."""
        while self._waiting:
            alone = self._waiting[0].suspect or any(running.submitted.suspect for running in self._running.values())
            if alone and self._running:
                return
            self._fork(self._waiting.popleft())

    def _fork(self, submitted: _Submitted) -> None:
        with writing(self._scratch):
            folder = Path(tempfile.mkdtemp(dir=self._scratch, prefix="task-"))
        self._count += 1
        now = time.monotonic()
        order = Order(task=submitted.task, folder=folder, threads=self._threads, plugins=self._plugins)
        self._request(Fork(worker=self._count, order=order))
        watch = Watch(folder, submitted.limits, started=now, looked=now)
        self._running[self._count] = _Running(submitted, watch, self._load.now())

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
            for event in map(EVENTS.loads, lines):
                if isinstance(event, Started):
                    self._running[event.worker].watch.pid = event.pid
                else:
                    outcomes.append(self._outcome(self._running.pop(event.worker), event))
        for worker, running in self._running.items():
            if running.stopped is None:
                running.stopped = running.watch.over_limit()
                if running.stopped is not None:
                    self._request(Kill(worker=worker))
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
            _end_session(running.watch.pid)
        server.stdout.close()
        self._running.clear()
        self._waiting.clear()

    def _request(self, request: Fork | Kill) -> None:
        assert self._server.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # `wait` sees that the server is gone
            self._server.stdin.write(REQUESTS.dumps(request) + b"\n")
            self._server.stdin.flush()

    def _outcome(self, running: _Running, event: Ended) -> Outcome:
        watch = running.watch
        result = running.stopped or _left_in(watch.folder)
        if result is None:
            see_room(self._scratch)
            result = Failure(status="crashed", reason=_how_it_ended(event))
        elif isinstance(result, FitResult):
            result = replace(result, facts=replace(result.facts, load=max(running.load, self._load.now())))
        return Outcome(running.submitted.name, result, watch.folder, watch.output)

    def _server_lost(self) -> list[Outcome]:
        """Return the suspect that ran alone as crashed, or make suspects of what ran; the next gets another server."""
        lost, waiting = list(self._running.values()), list(self._waiting)
        self.close()
        self._pending = b""
        crash = Failure(status="crashed", reason="the server that forks workers ended, twice at this fit")
        crashed = [Outcome(one.submitted.name, crash, one.watch.folder) for one in lost if one.submitted.suspect]
        for one in lost:
            if not one.submitted.suspect:
                shutil.rmtree(one.watch.folder, ignore_errors=True)
                self._waiting.append(replace(one.submitted, suspect=True))
        self._waiting.extend(waiting)
        return crashed


def _left_in(folder: Path) -> Result | None:
    """Return the result that a worker left in its folder; None if there is none, or it was cut short."""
    try:
        return read_result((folder / RESULT).read_bytes())
    except OSError:
        return None


def _how_it_ended(event: Ended) -> str:
    if not event.signal:
        return f"the process ended with exit code {event.code} before the fit was done"
    name = signal.Signals(event.signal).name
    hint = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"


def _end_session(pid: int) -> None:
    if pid:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
