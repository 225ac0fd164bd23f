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
from spcabench.run.executors.others_load import OthersLoad
from spcabench.run.executors.phases import Phases, budgets
from spcabench.run.executors.sealed import SealedData
from spcabench.run.executors.server import Server, ServerLost
from spcabench.run.executors.watch import Watch
from spcabench.run.left import left_in
from spcabench.run.messages import (
    DATA,
    DrawResult,
    DrawTask,
    Ended,
    Entered,
    Failure,
    FitResult,
    FitTask,
    Fork,
    Kill,
    Order,
    Started,
    Task,
)
from spcabench.run.numba_cache import numba_cache
from spcabench.store.files import new_folder, see_room


@dataclass(frozen=True)
class _Submitted:
    """A task that was submitted; a suspect was under way when a server, or the files of a task, were lost."""

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
    When the server ends or is stopped, which a method can bring about, any of the tasks under way may have done it.
    Each of them is done once more, alone, in a new server; the one at which that server is lost too has crashed, and
    the others have lost nothing but time.  A task whose folder is gone when it ends is done once more likewise.
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
        self._data = SealedData(self._drawn_in_use)
        self._without_data: list[Outcome] = []
        self._started: Server | None = None

    @property
    def _server(self) -> Server:
        """The server, started when it is first needed."""
        if self._started is None:
            threads = dict.fromkeys(THREAD_VARIABLES, str(self._threads))
            environment = {**os.environ, **named(os.environ), **threads, **numba_cache(os.environ)}
            self._started = Server([*map(str, self._plugins), *self._preload], environment)
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
        return [*(one.name for one in submitted), *(one.name for one in self._without_data)]

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
        now = time.monotonic()
        task = self._with_data(submitted.task)
        if task is None:
            gone = Failure(status="interrupted", reason="its data was removed or changed; running again draws it anew")
            self._without_data.append(Outcome(submitted.name, gone, folder))
            return
        order = Order(task=task, folder=folder, threads=self._threads, plugins=self._plugins)
        self._server.ask(Fork(worker=self._count, order=order))
        phases = Phases(budgets(submitted.task, submitted.limits), now)
        watch = Watch(folder, submitted.limits, phases, looked=now)
        self._running[self._count] = _Running(submitted, watch, self._load.now())

    def _with_data(self, task: Task) -> Task | None:
        """Return a task with its data where nobody can change it; None if it has been changed."""
        if isinstance(task, DrawTask):
            return task
        place = self._data.place(task.draw)
        return replace(task, draw=place) if place else None

    def _drawn_in_use(self) -> set[Path]:
        tasks = (running.submitted.task for running in self._running.values())
        return {task.draw for task in tasks if not isinstance(task, DrawTask)}

    def has(self, data: Path) -> bool:
        """Return whether data is as it was drawn."""
        return self._data.has(data)

    def wait(self, timeout: float = 0.05) -> list[Outcome]:
        """Return the tasks that ended within `timeout` seconds, and end those that are over their limits."""
        self._start_waiting()
        if self._without_data:
            outcomes, self._without_data = self._without_data, []
            return outcomes
        try:
            events = self._server.events(timeout)
        except ServerLost as lost:
            return self._server_lost(lost)
        outcomes = [outcome for event in events for outcome in self._heard(event)]
        for worker, running in self._running.items():
            if running.stopped is None:
                running.stopped = running.watch.over_limit()
                if running.stopped is not None:
                    self._server.ask(Kill(worker=worker))
        return outcomes

    def _heard(self, event: Started | Entered | Ended) -> list[Outcome]:
        """Take an event in; return the outcome of a worker that ended."""
        running = self._running.get(event.worker)
        if running is None:
            return []
        if isinstance(event, Started):
            running.watch.pid = event.pid
        elif isinstance(event, Entered):
            if running.stopped is None:  # what it enters before it is gone does not save a fit that was too long
                running.watch.phases.enter(event.phase, min(event.at, time.monotonic()))
        else:
            return self._ended(self._running.pop(event.worker), event)
        return []

    def _ended(self, running: _Running, event: Ended) -> list[Outcome]:
        if not running.watch.folder.exists() and not running.submitted.suspect:
            self._waiting.appendleft(replace(running.submitted, suspect=True))
            return []
        return [self._outcome(running, event)]

    def close(self) -> None:
        """End every worker and the server."""
        self._end_server(wait=10.0)
        self._running.clear()
        self._waiting.clear()
        self._data.close()

    def _end_server(self, wait: float) -> None:
        server, self._started = self._started, None
        if server is not None:
            server.close(wait)
            for running in self._running.values():
                running.watch.end()

    def _outcome(self, running: _Running, event: Ended) -> Outcome:
        watch, task, stopped = running.watch, running.submitted.task, running.stopped
        is_done = stopped is None or watch.phases.phase == "score"  # a fit whose metrics take too long is kept
        result = left_in(watch.folder, task, stopped.reason if stopped else _how_it_ended(event)) if is_done else None
        if result is None or (stopped and isinstance(result, Failure)):
            result = stopped
        if result is None:
            see_room(self._scratch.parent)  # a method may be removing the folder itself
            result = Failure(status="crashed", reason=f"{_how_it_ended(event)} before the {task.kind} was done")
        elif isinstance(result, FitResult):
            result = replace(result, facts=replace(result.facts, load=max(running.load, self._load.now())))
        if isinstance(result, FitResult) and isinstance(task, FitTask) and not self._data.has(task.draw):
            result = Failure(status="invalid", reason="the data that it was given, and all cells share, was changed")
        if isinstance(result, DrawResult) and not self._data.keep(watch.folder / DATA):
            result = Failure(status="crashed", reason="it left no file of data")
        return Outcome(running.submitted.name, result, watch.folder, watch.output)

    def _server_lost(self, how: ServerLost) -> list[Outcome]:
        """Return the suspect that ran alone as crashed, or make suspects of what ran; the next gets another server."""
        self._end_server(wait=0.0)
        lost = list(self._running.values())
        self._running.clear()
        crash = Failure(status="crashed", reason=f"the server that forks workers {how}, twice at this fit")
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
