"""Do tasks in local workers: start them by a fork server, hold them to their limits, learn how they ended."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path

from spcabench.process import THREAD_VARIABLES, numba_cache
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.watch import Watch, budget
from spcabench.run.messages import DATA, CallTask, Event, FitTask, Order, Result, Task
from spcabench.run.worker.data_files import stamps
from spcabench.run.worker_result import result_in
from spcabench.store.files import new_folder, see_room
from spcabench.suite.models import Limits

PROGRAM = "spcabench.run.worker.fork_server"


class Server:
    """The fork server as a process of the host's.

    Parameters
    ----------
    threads : int
        BLAS threads of each worker.
    imported : sequence of str
        Modules and files that it is to import.
    patience : float
        Seconds that each of them may take.
    environment : mapping of str to str
        Of the server and its workers.
    """

    def __init__(self, threads: int, imported: Sequence[str], patience: float, environment: Mapping[str, str]) -> None:
        self._line, theirs = Pipe()
        words = [sys.executable, "-P", "-m", PROGRAM, str(theirs.fileno()), str(threads), str(patience), *imported]
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=2,
            env=environment,
            start_new_session=True,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def ask(self, worker: int, order: Order | None) -> None:
        """Have it start a worker, or without an order end it; that the server is gone, `events` says."""
        with contextlib.suppress(OSError):
            self._line.send((worker, order))

    def events(self, timeout: float) -> list[Event]:
        """Return what it says within `timeout` seconds.

        Raises
        ------
        EOFError, OSError
            If it is gone.
        """
        said: list[Event] = []
        while self._line.poll(0.0 if said else timeout):
            try:
                said.append(self._line.recv())
            except (EOFError, OSError):
                if not said:
                    raise
                break  # what it said last counts
        return said

    def close(self, wait: float) -> None:
        """End it, with all that it and its workers started; it has `wait` seconds to do so itself."""
        self._line.close()
        try:
            self._process.wait(timeout=wait)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@dataclass
class _Job:
    """A task, its worker if it has one, and why we ended it if we did.

    A suspect was under way when a server was lost.
    """

    name: str
    task: Task | CallTask
    limits: Limits
    is_suspect: bool = False
    watch: Watch = field(init=False)
    stopped: Result | None = None


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
    done once more, alone, in a new server; the one at which that server is lost too has crashed, and the others have
    lost nothing but time.
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
        self._scratch = scratch.absolute()  # a method may go to another folder
        self._threads = threads
        self._plugins = tuple(file.resolve() for file in plugins)
        self._imported = [*map(str, self._plugins), *preload]
        self._waiting: deque[_Job] = deque()
        self._running: dict[int, _Job] = {}
        self._count = 0
        self._drawn: dict[Path, tuple[tuple[str, int, int], ...]] = {}
        self._started: Server | None = None

    def _server(self, limits: Limits) -> Server:
        """Return the server, started when it is first needed; an import has the time that the start of a fit has."""
        if self._started is None:
            threads = dict.fromkeys(THREAD_VARIABLES, str(self._threads))
            environment = {**os.environ, **threads, **numba_cache(os.environ)}
            self._started = Server(self._threads, self._imported, budget("prepare", limits), environment)
        return self._started

    @property
    def contended(self) -> bool:
        """Whether workers share the machine with one another."""
        return self.capacity > 1

    @property
    def in_flight(self) -> list[str]:
        """The names of the tasks that run, or wait for suspects to have run alone."""
        return [job.name for job in (*self._running.values(), *self._waiting)]

    def submit(self, name: str, task: Task | CallTask, limits: Limits) -> None:
        """Start a worker, as soon as no suspect runs."""
        self._waiting.append(_Job(name, task, limits))
        self._start_waiting()

    def _start_waiting(self) -> None:
        """Start what waits; a suspect only when nothing else runs, and nothing beside it."""
        while self._waiting:
            alone = self._waiting[0].is_suspect or any(job.is_suspect for job in self._running.values())
            if alone and self._running:
                return
            job = self._waiting.popleft()
            job.watch = Watch(new_folder(self._scratch), job.limits)
            self._count += 1
            self._running[self._count] = job
            most = int(job.limits.memory * 2**30)
            order = Order(task=job.task, folder=job.watch.folder, plugins=self._plugins, most_bytes=most)
            self._server(job.limits).ask(self._count, order)

    def has(self, data: Path) -> bool:
        """Return whether data is there, and as it was drawn here or as it was first asked for."""
        now = stamps(data)
        return now != () and self._drawn.setdefault(data, now) == now

    def wait(self, timeout: float = 0.05) -> list[Outcome]:
        """Return the tasks that ended within `timeout` seconds, and end those that are over their limits."""
        self._start_waiting()
        if self._started is None:
            return []
        server = self._started
        try:
            events = server.events(timeout)
        except (EOFError, OSError):
            return self._server_lost()
        outcomes = []
        for worker, what, number in events:
            if what == "ended":
                outcomes.append(self._outcome(self._running.pop(worker), number))
            else:
                self._running[worker].watch.start(number)
        for worker, job in self._running.items():
            if job.stopped is None:
                job.stopped = job.watch.over_limit()
                if job.stopped is not None:
                    server.ask(worker, None)
        return outcomes

    def close(self) -> None:
        """End every worker and the server."""
        self._end_server(wait=10.0)
        self._running.clear()
        self._waiting.clear()

    def _end_server(self, wait: float) -> None:
        server, self._started = self._started, None
        if server is not None:
            server.close(wait)
            for job in self._running.values():
                job.watch.end()

    def _outcome(self, job: _Job, code: int) -> Outcome:
        """Return what came of a worker that ended."""
        watch, stopped = job.watch, job.stopped
        is_done = stopped is None or watch.phase in ("score", "end")  # a fit whose metrics take too long is kept
        end = stopped.reason if stopped else _how_it_ended(code)
        result = result_in(watch.folder, end) if is_done else None
        if result is None or (stopped and not result.finished):
            result = stopped
        if result is None:
            see_room(self._scratch.parent)
            result = Result(status="crashed", reason=f"{end} before the {job.task.kind} was done")
        if isinstance(job.task, FitTask) and stopped is None and not self.has(job.task.draw):
            reason = "the data that it was given, and all cells share, was changed or removed meanwhile"
            result = Result(status="invalid", reason=reason)
        if result.data is not None:
            self._drawn[watch.folder / DATA] = stamps(watch.folder / DATA)
        return Outcome(job.name, result, watch.folder, watch.output)

    def _server_lost(self) -> list[Outcome]:
        """Return the suspect that ran alone as crashed, or make suspects of what ran; the next gets another server.

        A server that was lost before it began to serve fell to what it imports: the next imports nothing.
        """
        self._end_server(wait=0.0)
        lost = list(self._running.values())
        self._running.clear()
        by_import = bool(self._imported) and not any(job.watch.pid for job in lost)
        if by_import:
            self._imported = []
        crash = Result(status="crashed", reason="the server that forks workers ended, twice at this fit")
        crashed = [job for job in lost if job.is_suspect and not by_import]
        for job in reversed([job for job in lost if by_import or not job.is_suspect]):
            shutil.rmtree(job.watch.folder, ignore_errors=True)
            self._waiting.appendleft(_Job(job.name, job.task, job.limits, is_suspect=not by_import or job.is_suspect))
        return [Outcome(job.name, crash, job.watch.folder) for job in crashed]


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"the process ended with exit code {code}"
    name = signal.Signals(-code).name
    hint = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"
