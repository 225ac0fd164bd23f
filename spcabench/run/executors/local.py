"""Do tasks in local workers: start them by the fork server, hold them to their limits, learn how they ended."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spcabench.process import THREAD_VARIABLES, named
from spcabench.run.executors.contract import Limits, Outcome
from spcabench.run.executors.server import Server, ServerLost
from spcabench.run.executors.watch import OthersLoad, Phases, Watch, budgets
from spcabench.run.messages import DATA, DrawResult, Ended, Failure, FitResult, FitTask, Fork, Kill, Order, Task
from spcabench.run.numba_cache import numba_cache
from spcabench.run.worker.data_files import stamps
from spcabench.run.worker_result import result_in
from spcabench.store.files import new_folder, see_room


@dataclass(frozen=True)
class _Submitted:
    """A task that was submitted; a suspect was under way when a server was lost."""

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
        self._preload = preload
        self._plugins = tuple(file.resolve() for file in plugins)
        self._waiting: deque[_Submitted] = deque()
        self._running: dict[int, _Running] = {}
        self._count = 0
        self._drawn: dict[Path, tuple[tuple[str, int, int], ...]] = {}
        self._started: Server | None = None

    @property
    def _server(self) -> Server:
        """The server, started when it is first needed."""
        if self._started is None:
            threads = dict.fromkeys(THREAD_VARIABLES, str(self._threads))
            environment = {**os.environ, **named(os.environ), **threads, **numba_cache(os.environ)}
            self._started = Server(self._threads, [*map(str, self._plugins), *self._preload], environment)
            self._load = OthersLoad(self._started.pid)
        return self._started

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
        folder = new_folder(self._scratch)
        self._count += 1
        order = Order(task=submitted.task, folder=folder, plugins=self._plugins)
        self._server.ask(Fork(worker=self._count, order=order))
        now = time.monotonic()
        watch = Watch(folder, submitted.limits, Phases(budgets(submitted.task, submitted.limits), now), looked=now)
        self._running[self._count] = _Running(submitted, watch, self._load.now())

    def has(self, data: Path) -> bool:
        """Return whether data is there, and as it was drawn here or as it was first asked for."""
        now = stamps(data)
        return now != () and self._drawn.setdefault(data, now) == now

    def wait(self, timeout: float = 0.05) -> list[Outcome]:
        """Return the tasks that ended within `timeout` seconds, and end those that are over their limits."""
        self._start_waiting()
        try:
            events = self._server.events(timeout)
        except ServerLost:
            return self._server_lost()
        outcomes = []
        for event in events:
            if isinstance(event, Ended):
                outcomes.append(self._outcome(self._running.pop(event.worker), event))
            else:
                self._running[event.worker].watch.pid = event.pid
        for worker, running in self._running.items():
            if running.stopped is None:
                running.stopped = running.watch.over_limit()
                if running.stopped is not None:
                    self._server.ask(Kill(worker=worker))
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
            for running in self._running.values():
                running.watch.end()

    def _outcome(self, running: _Running, event: Ended) -> Outcome:
        """Return what came of a worker that ended."""
        watch, task, stopped = running.watch, running.submitted.task, running.stopped
        is_done = stopped is None or watch.phases.phase == "score"  # a fit whose metrics take too long is kept
        end = stopped.reason if stopped else _how_it_ended(event)
        result = result_in(watch.folder, end) if is_done else None
        if result is None or (stopped and isinstance(result, Failure)):
            result = stopped
        if result is None:
            see_room(self._scratch.parent)
            result = Failure(status="crashed", reason=f"{end} before the {task.kind} was done")
        elif isinstance(result, FitResult):
            result = replace(result, facts=replace(result.facts, load=max(running.load, self._load.now())))
        if isinstance(task, FitTask) and stopped is None and not self.has(task.draw):
            reason = "the data that it was given, and all cells share, was changed or removed meanwhile"
            result = Failure(status="invalid", reason=reason)
        if isinstance(result, DrawResult):
            self._drawn[watch.folder / DATA] = stamps(watch.folder / DATA)
        return Outcome(running.submitted.name, result, watch.folder, watch.output)

    def _server_lost(self) -> list[Outcome]:
        """Return the suspect that ran alone as crashed, or make suspects of what ran; the next gets another server."""
        self._end_server(wait=0.0)
        lost = list(self._running.values())
        self._running.clear()
        crash = Failure(status="crashed", reason="the server that forks workers ended, twice at this fit")
        crashed = [Outcome(one.submitted.name, crash, one.watch.folder) for one in lost if one.submitted.suspect]
        suspects = [replace(one.submitted, suspect=True) for one in lost if not one.submitted.suspect]
        for one in lost:
            if not one.submitted.suspect:
                shutil.rmtree(one.watch.folder, ignore_errors=True)
        self._waiting.extendleft(reversed(suspects))
        return crashed


def _how_it_ended(event: Ended) -> str:
    if not event.signal:
        return f"the process ended with exit code {event.code}"
    name = signal.Signals(event.signal).name
    hint = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"
