"""Do tasks in local workers: start them by a fork server, hold them to their limits, learn how they ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from pathlib import Path

from spcabench.process import THREAD_VARIABLES, numba_cache
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.watch import Watch, budget
from spcabench.run.messages import CallTask, Event, Order, Result, Task, result_in
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
    """A task, its worker, whether it is done again since its server was lost, and why we ended it if we did."""

    name: str
    task: Task | CallTask
    watch: Watch
    is_again: bool
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
    When the server ends, which a method can bring about, the tasks under way are done once more in a new server; those
    under way when it is lost again have crashed.
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
        self._running: dict[int, _Job] = {}
        self._count = 0
        self._started: Server | None = None

    def _server(self, limits: Limits) -> Server:
        """Return the server, started when it is first needed; an import has the time that the start of a fit has."""
        if self._started is None:
            threads = dict.fromkeys(THREAD_VARIABLES, str(self._threads))
            environment = {**os.environ, **threads, **numba_cache(os.environ)}
            self._started = Server(self._threads, self._imported, budget("start", limits), environment)
        return self._started

    @property
    def contended(self) -> bool:
        """Whether workers share the machine with one another."""
        return self.capacity > 1

    def submit(self, name: str, task: Task | CallTask, limits: Limits, is_again: bool = False) -> None:
        """Start a worker."""
        self._count += 1
        watch = Watch(new_folder(self._scratch), limits)
        self._running[self._count] = _Job(name, task, watch, is_again)
        most = int(limits.memory * 2**30)
        order = Order(task=task, folder=watch.folder, plugins=self._plugins, most_bytes=most)
        self._server(limits).ask(self._count, order)

    def wait(self, timeout: float = 0.05) -> list[Outcome]:
        """Return the tasks that ended within `timeout` seconds, and end those that are over their limits."""
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

    def _end_server(self, wait: float) -> None:
        server, self._started = self._started, None
        if server is not None:
            server.close(wait)
            for job in self._running.values():
                job.watch.end()

    def _outcome(self, job: _Job, code: int) -> Outcome:
        """Return what came of a worker that ended."""
        watch, stopped = job.watch, job.stopped
        is_done = stopped is None or watch.phase in ("scoring", "end")  # a fit whose metrics take too long is kept
        end = stopped.reason if stopped else _how_it_ended(code)
        result = result_in(watch.folder, end) if is_done else None
        if result is None or (stopped and not result.finished):
            result = stopped
        if result is None:
            see_room(self._scratch.parent)
            result = Result(status="crashed", reason=f"{end} before the task was done")
        return Outcome(job.name, result, watch.folder, watch.output)

    def _server_lost(self) -> list[Outcome]:
        """Begin again what ran, in another server; return what ran then as crashed.

        A server that was lost before it began to serve fell to what it imports: the next imports nothing.
        """
        self._end_server(wait=0.0)
        lost, self._running = list(self._running.values()), {}
        if not any(job.watch.pid for job in lost):
            self._imported = []
        for job in lost:
            if not job.is_again:
                self.submit(job.name, job.task, job.watch.limits, is_again=True)
        crash = Result(status="crashed", reason="the server that forks workers ended, twice at this fit")
        return [Outcome(job.name, crash, job.watch.folder) for job in lost if job.is_again]


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"the process ended with exit code {code}"
    name = signal.Signals(-code).name
    hint = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"
