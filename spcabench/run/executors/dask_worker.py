"""In a Dask worker: do tasks in worker processes of their own, held to their limits as on one machine."""

from __future__ import annotations

import contextlib
import importlib
import io
import pickle
import shutil
import tempfile
import threading
import time
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Literal
from uuid import uuid4

from spcabench import wording
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executors.contract import Limits, Outcome
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import DATA, LOADINGS, Failure, FitResult, FitTask, Result, ScoreTask

DRAWS_KEPT = 4
"""Draws that stay unpacked beside those in use."""
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
class RemoteOrder:
    """A task as it is sent.

    Parameters
    ----------
    run : Run
        Of which it is a part.
    task : FitTask or ScoreTask
        What to do; only the names of its files count here.
    code : mapping of str to str
        A hash of each module of the method's and the metrics' code on the host.
    limits : Limits
        As for any executor.
    loadings : bytes
        For a task that computes metrics from them.
    """

    run: Run
    task: FitTask | ScoreTask
    code: Mapping[str, str]
    limits: Limits
    loadings: bytes = b""


@dataclass(frozen=True)
class RemoteOutcome:
    """How a task ended, as it is sent back.

    Parameters
    ----------
    result, output : Result, str
        As of any worker.
    loadings : bytes
        The file of a fit that finished.
    worker : str
        The address of the Dask worker.
    environment : mapping of str to str
        Its machine and versions.
    """

    result: Result
    output: str = ""
    loadings: bytes = b""
    worker: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


def pack(folder: Path) -> bytes:
    """Return the files of a folder as one archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(folder.iterdir()):
            packed.write(file, file.name)
    return archive.getvalue()


def do(packed: bytes, draw: bytes) -> RemoteOutcome:
    """Do a task.

    Parameters
    ----------
    packed : bytes
        The pickled `RemoteOrder`.
    draw : bytes
        The packed data set.
    """
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    try:
        done = _done(pickle.loads(packed), draw, worker.local_directory, is_wanted)
    except Exception as error:
        done = _nothing("crashed", wording.of_error(error))
    result = done.result
    if isinstance(result, Failure) and result.status in ("unavailable", "crashed"):
        result = replace(result, reason=f"{result.reason} (on the Dask worker {worker.address})")
    return replace(done, result=result, worker=worker.address, environment=_environment())


def _done(order: RemoteOrder, draw: bytes, folder: str, is_wanted: Callable[[], bool]) -> RemoteOutcome:
    with _at_work(order.run, folder, is_wanted) as site:
        foreign = _foreign_modules(order)
        if foreign:
            return _nothing("unavailable", f"the code of {', '.join(foreign)} is not that of the host")
        return site.do(order, draw, is_wanted)


def leave(run: str) -> None:
    """End all that a run has in this Dask worker."""
    with _LOCK:
        site = _SITES.pop(run, None)
    if site is not None:
        site.close()


@contextlib.contextmanager
def _at_work(run: Run, folder: str, is_wanted: Callable[[], bool]) -> Iterator[_Site]:
    """Do a task of a run; end all that the run has here with a task that nobody wants any more.

    Another task of the run may be wanted still, if the host sent this one elsewhere: then all stays.
    """
    with _LOCK:
        site = _site(run, folder)
        site.busy += 1
    try:
        yield site
    finally:
        with _LOCK:
            site.busy -= 1
            site.used = time.monotonic()
            is_left = not site.busy and not is_wanted()
        if is_left:
            leave(run.id)


class _Site:
    """What one run has in this Dask worker: its plugins, its data, its server and workers.

    Attributes
    ----------
    busy : int
        How many tasks of the run are being done; like `used`, for who holds the lock of all sites.
    used : float
        When the last of them ended.
    """

    def __init__(self, run: Run, folder: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="spcabench-", dir=folder))
        self._lock = threading.Lock()
        self._draws: OrderedDict[str, Path] = OrderedDict()
        self._done: dict[str, Outcome] = {}
        self._closed = False
        self.busy = 0
        self.used = time.monotonic()
        for name, source in run.plugins.items():
            (self._folder / name).write_bytes(source)
        plugins = [self._folder / name for name in run.plugins]
        self._workers = LocalWorkers(self._folder, run.threads, preload=run.preload, plugins=plugins)

    @property
    def idle(self) -> float:
        """Seconds since it was last used."""
        return 0.0 if self.busy else time.monotonic() - self.used

    def do(self, order: RemoteOrder, draw: bytes, is_wanted: Callable[[], bool]) -> RemoteOutcome:
        """Do a task; several threads may at once, and each takes in what ended, also for the others.

        The task ends early when nobody wants it any more: Dask forgets the tasks of a host that is gone.
        """
        name = uuid4().hex
        with tempfile.TemporaryDirectory(dir=self._folder) as own:
            task = order.task
            if isinstance(task, ScoreTask):
                task = replace(task, loadings=Path(own, LOADINGS))
                task.loadings.write_bytes(order.loadings)
            with self._lock:
                task = replace(task, draw=self._place(task.draw.parent.name, draw) / DATA)
                self._workers.submit(name, task, order.limits)
            while name not in self._done:
                with self._lock:
                    if self._closed or not is_wanted():
                        return _nothing("interrupted", "the run ended")
                    self._done |= {outcome.name: outcome for outcome in self._workers.wait()}
                time.sleep(0.0005)  # or the other threads would wait for the lock
            return _sent_back(self._done.pop(name))

    def close(self) -> None:
        """End the workers and remove the files."""
        with self._lock:
            self._closed = True
            self._workers.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _place(self, name: str, draw: bytes) -> Path:
        """Return the folder of a draw, unpacked when it is first used; those used least lately are removed."""
        if name not in self._draws:
            self._draws[name] = self._folder / name
            with zipfile.ZipFile(io.BytesIO(draw)) as packed:
                packed.extractall(self._draws[name])
        self._draws.move_to_end(name)
        while len(self._draws) > DRAWS_KEPT + self.busy:
            shutil.rmtree(self._draws.popitem(last=False)[1], ignore_errors=True)
        return self._draws[name]


def _sent_back(outcome: Outcome) -> RemoteOutcome:
    """Return an outcome with its files as bytes."""
    content = (outcome.folder / LOADINGS).read_bytes() if isinstance(outcome.result, FitResult) else b""
    outcome.discard()
    return RemoteOutcome(outcome.result, outcome.output, content)


def _nothing(status: Literal["unavailable", "crashed", "interrupted"], reason: str) -> RemoteOutcome:
    return RemoteOutcome(Failure(status=status, reason=reason))


def targets_of(task: FitTask | ScoreTask) -> tuple[str, ...]:
    """Name the code that a task needs, as ``"module:attribute"``."""
    estimators = [task.estimator] if isinstance(task, FitTask) else []
    return (*estimators, *(metric.compute for metric in task.metrics))


def _foreign_modules(order: RemoteOrder) -> list[str]:
    """Name the modules of which another version is here; what is not here at all, its import will say.

    A plugin file comes with the task, whatever lies here under its name.
    """
    here = all_module_hashes(targets_of(order.task))
    brought = {Path(name).stem for name in order.run.plugins}
    return sorted(
        name for name, source in here.items() if name not in brought and order.code.get(name, source) != source
    )


@cache
def _environment() -> dict[str, str]:
    return describe()


_SITES: dict[str, _Site] = {}
_LOCK = threading.Lock()


def _site(run: Run, folder: str) -> _Site:
    """Return what a run has here, made when it is first needed; for who holds the lock."""
    for idle in [other for other, site in _SITES.items() if other != run.id and site.idle > IDLE]:
        _SITES.pop(idle).close()
    if run.id not in _SITES:
        importlib.invalidate_caches()
        all_module_hashes.cache_clear()
        _SITES[run.id] = _Site(run, folder)
    return _SITES[run.id]
