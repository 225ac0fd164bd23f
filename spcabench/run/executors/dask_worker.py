"""In a Dask worker: draw data and do cells in worker processes of their own, held to their limits as on one machine."""

from __future__ import annotations

import importlib
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from spcabench import wording
from spcabench.run.code_hash import code_hash
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import DATA, LOADINGS, SAMPLES, DrawTask, FitTask, Result, Task
from spcabench.suite.models import Limits

DRAWS_KEPT = 4
"""Draws that stay here beside those in use."""
IDLE = 60.0
"""Seconds after which what a run has here is ended, should its host be gone."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """What all tasks of a run share.

    Parameters
    ----------
    id : str
        Names the run; what it has in a Dask worker is kept from one task to the next.
    threads : int
        BLAS threads of each worker process.
    preload : tuple of str
        Modules to import once.
    plugins : mapping of str to bytes
        The source of each single-file plugin, by file name.
    """

    id: str
    threads: int
    preload: tuple[str, ...]
    plugins: Mapping[str, bytes]


@dataclass(frozen=True, kw_only=True)
class RemoteTask:
    """A task as it is sent.

    Parameters
    ----------
    task : Task
        What to do; the name of its data does not count here.
    limits : Limits
        As for any executor.
    code : mapping of str to str
        A hash of the code of each target that the task needs, on the host.
    draw : DrawTask, optional
        Draws the data that it needs; None of a draw itself.
    fingerprint : str
        Of these data.
    """

    task: Task
    limits: Limits
    code: Mapping[str, str]
    draw: DrawTask | None = None
    fingerprint: str = ""

    @property
    def method(self) -> str:
        """The name of what is fitted; empty if nothing is."""
        return self.task.method.name if isinstance(self.task, FitTask) else ""


@dataclass(frozen=True)
class RemoteOutcome:
    """How a task ended, as it is sent back.

    Parameters
    ----------
    result, output : Result, str
        As of any worker.
    files : mapping of str to bytes
        What it left, by the name within its folder.
    seconds : float
        How long it was there.
    """

    result: Result
    output: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    seconds: float = 0.0


def work(run: Run, sent: list[RemoteTask]) -> list[RemoteOutcome]:
    """Do tasks one after the other."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    done = [_done_here(run, one, worker, is_wanted) for one in sent]
    if not is_wanted():  # its host is gone
        leave(run.id)
    return done


def _done_here(run: Run, sent: RemoteTask, worker: Any, is_wanted: Callable[[], bool]) -> RemoteOutcome:
    """Do a task, and say where and in how long."""
    if not is_wanted():
        return RemoteOutcome(Result(status="interrupted", reason="the run ended"))
    begun = time.monotonic()
    try:
        done = _site(run, worker.local_directory, worker.state.nthreads).do(sent, is_wanted)
    except Exception as error:
        done = RemoteOutcome(Result(status="crashed", reason=wording.of_error(error)))
    result = done.result
    if result.status in ("unavailable", "crashed") or (isinstance(sent.task, DrawTask) and not result.finished):
        result = replace(result, reason=f"{result.reason} (on the Dask worker {worker.address})")
    result = replace(result, facts=replace(result.facts, worker=worker.address))
    return replace(done, result=result, seconds=time.monotonic() - begun)


def leave(run: str) -> None:
    """End all that a run has in this Dask worker."""
    with _LOCK:
        site = _SITES.pop(run, None)
    if site is not None:
        site.close()


class _Site:
    """What one run has in this Dask worker: its plugins, its data, its server and workers."""

    def __init__(self, run: Run, folder: str, threads: int) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="spcabench-", dir=folder))
        self._most_draws = DRAWS_KEPT + threads
        self._lock, self._drawing = threading.Lock(), threading.Lock()
        self._brought = {Path(name).stem for name in run.plugins}
        self._draws: OrderedDict[str, Path] = OrderedDict()
        self._ended: dict[str, Outcome] = {}
        self._closed = False
        self._used = time.monotonic()
        for name, source in run.plugins.items():
            (self._folder / name).write_bytes(source)
        plugins = [self._folder / name for name in run.plugins]
        self._workers = LocalWorkers(self._folder, run.threads, preload=run.preload, plugins=plugins)

    @property
    def is_idle(self) -> bool:
        """Whether it has done nothing for long."""
        return time.monotonic() - self._used > IDLE

    def do(self, sent: RemoteTask, is_wanted: Callable[[], bool]) -> RemoteOutcome:
        """Do a task, and before it draw the data that it needs; several threads may at once."""
        if foreign := foreign_code(self._brought, sent):
            status = "error" if isinstance(sent.task, DrawTask) else "unavailable"  # such a draw would end the run
            reason = f"the code of {', '.join(foreign)} is not that of the host"
            return RemoteOutcome(Result(status=status, reason=reason))
        if isinstance(sent.task, DrawTask):
            outcome = self._done(sent.task, sent.limits, is_wanted)
            if outcome.result.data is not None:
                self._draws.setdefault(outcome.result.data.fingerprint, outcome.folder)
            return RemoteOutcome(outcome.result, outcome.output, files_of(outcome))
        task = replace(sent.task, draw=self._place(sent, is_wanted))
        outcome = self._done(task, sent.limits, is_wanted)
        files = files_of(outcome)
        outcome.discard()
        return RemoteOutcome(outcome.result, outcome.output, files)

    def _done(self, task: Task, limits: Limits, is_wanted: Callable[[], bool]) -> Outcome:
        """Wait for a task; each thread takes in what ended, also for the others.

        It ends early when nobody wants it any more: Dask forgets the tasks of a host that is gone.
        """
        name = uuid4().hex
        with self._lock:
            self._workers.submit(name, task, limits)
        while name not in self._ended:
            with self._lock:
                if self._closed or not is_wanted():
                    return Outcome(name, Result(status="interrupted", reason="the run ended"), self._folder / name)
                self._ended |= {outcome.name: outcome for outcome in self._workers.wait(timeout=0.005)}
            self._used = time.monotonic()
            time.sleep(0.0005)  # or the other threads would wait for the lock
        return self._ended.pop(name)

    def close(self) -> None:
        """End the workers and remove the files."""
        with self._lock:
            self._closed = True
            self._workers.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _place(self, sent: RemoteTask, is_wanted: Callable[[], bool]) -> Path:
        """Return the folder of the data of a task, drawn when first needed; those used least lately are removed."""
        assert sent.draw is not None
        with self._drawing:
            if sent.fingerprint not in self._draws:
                outcome = self._done(sent.draw, sent.limits, is_wanted)
                data = outcome.result.data
                if data is None or data.fingerprint != sent.fingerprint:
                    raise RuntimeError(f"its data, drawn here, are others: {outcome.result.reason or 'as drawn'}")
                self._draws[sent.fingerprint] = outcome.folder
            self._draws.move_to_end(sent.fingerprint)
            while len(self._draws) > self._most_draws:
                shutil.rmtree(self._draws.popitem(last=False)[1], ignore_errors=True)
            return self._draws[sent.fingerprint] / DATA


def files_of(outcome: Outcome) -> dict[str, bytes]:
    """Return what a task left that the host keeps, by its name."""
    found = [outcome.folder / LOADINGS, outcome.folder / SAMPLES]
    return {file.name: file.read_bytes() for file in found if file.is_file()}


def targets_of(task: Task) -> tuple[str, ...]:
    """Name the code that a task needs, as ``"module:attribute"``."""
    if isinstance(task, DrawTask):
        return (task.load,)
    estimators = [task.method.estimator] if isinstance(task, FitTask) else []
    return (*estimators, *(metric.spec.compute for metric in task.metrics))


def foreign_code(brought: set[str], sent: RemoteTask) -> list[str]:
    """Name the code of which another version is here, as ``"module:attribute"``.

    A plugin file is `brought` with the task, whatever lies here under its name.
    """
    return [
        target
        for target, code in sent.code.items()
        if target.partition(":")[0] not in brought and code_hash(target) != code
    ]


_SITES: dict[str, _Site] = {}
_LOCK = threading.Lock()


def _site(run: Run, folder: str, threads: int) -> _Site:
    """Return what a run has here, made when it is first needed; what others left here is ended."""
    with _LOCK:
        for other, site in list(_SITES.items()):
            if other != run.id and site.is_idle:
                _SITES.pop(other).close()
        if run.id not in _SITES:
            importlib.invalidate_caches()
            code_hash.cache_clear()
            _SITES[run.id] = _Site(run, folder, threads)
        return _SITES[run.id]
