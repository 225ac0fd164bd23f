"""In a Dask worker: draw data and do cells in worker processes of their own, held to their limits as on one machine."""

from __future__ import annotations

import importlib
import pickle
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from uuid import uuid4

from spcabench import wording
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import DATA, LOADINGS, SAMPLES, DrawTask, FitTask, Result, Task
from spcabench.store.files import new_folder
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
        A hash of each module that the task needs, on the host.
    fingerprint : str
        Of the data that it needs.
    """

    task: Task
    limits: Limits
    code: Mapping[str, str]
    fingerprint: str = ""


@dataclass(frozen=True)
class RemoteOutcome:
    """How a task ended, as it is sent back.

    Parameters
    ----------
    result, output : Result, str
        As of any worker.
    files : mapping of str to bytes
        What it left, by the name within its folder.
    worker : str
        The address of the Dask worker.
    environment : mapping of str to str
        Its machine and versions.
    seconds : float
        How long it was there.
    """

    result: Result
    output: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    worker: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def draw(run: Run, sent: RemoteTask) -> bytes:
    """Draw data; return the pickled outcome with its arrays, which Dask keeps and brings to who needs it."""
    return pickle.dumps(work(run, [sent])[0])


def summary(drawn: bytes) -> list[RemoteOutcome]:
    """Return of drawn data what the host keeps."""
    done: RemoteOutcome = pickle.loads(drawn)
    return [replace(done, files={name: content for name, content in done.files.items() if name == SAMPLES})]


def work(run: Run, sent: list[RemoteTask], drawn: bytes = b"") -> list[RemoteOutcome]:
    """Do tasks one after the other, on the data that was drawn for them."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    done = [_timed(run, one, drawn, is_wanted) for one in sent]
    if not is_wanted():  # its host is gone
        leave(run.id)
    return done


def _timed(run: Run, sent: RemoteTask, drawn: bytes, is_wanted: Callable[[], bool]) -> RemoteOutcome:
    """Do a task, and say where, in what environment and in how long."""
    from distributed import get_worker

    worker, begun = get_worker(), time.monotonic()
    try:
        done = _site(run, worker.local_directory).do(sent, drawn, is_wanted)
    except Exception as error:
        done = RemoteOutcome(Result(status="crashed", reason=wording.of_error(error)))
    result, seconds = done.result, time.monotonic() - begun
    if result.status in ("unavailable", "crashed"):
        result = replace(result, reason=f"{result.reason} (on the Dask worker {worker.address})")
    return replace(done, result=result, worker=worker.address, environment=_environment(), seconds=seconds)


def leave(run: str) -> None:
    """End all that a run has in this Dask worker."""
    with _LOCK:
        site = _SITES.pop(run, None)
    if site is not None:
        site.close()


class _Site:
    """What one run has in this Dask worker: its plugins, its data, its server and workers."""

    def __init__(self, run: Run, folder: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="spcabench-", dir=folder))
        self._lock = threading.Lock()
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
        return not self._workers.in_flight and time.monotonic() - self._used > IDLE

    def do(self, sent: RemoteTask, drawn: bytes, is_wanted: Callable[[], bool]) -> RemoteOutcome:
        """Do a task; several threads may at once, and each takes in what ended, also for the others.

        The task ends early when nobody wants it any more: Dask forgets the tasks of a host that is gone.
        """
        if foreign := foreign_modules(self._brought, sent):
            reason = f"the code of {', '.join(foreign)} is not that of the host"
            return RemoteOutcome(Result(status="unavailable", reason=reason))
        name, task = uuid4().hex, sent.task
        with self._lock:
            if not isinstance(task, DrawTask):
                task = replace(task, draw=self._place(sent.fingerprint, drawn))
            self._workers.submit(name, task, sent.limits)
        while name not in self._ended:
            with self._lock:
                if self._closed or not is_wanted():
                    return RemoteOutcome(Result(status="interrupted", reason="the run ended"))
                self._ended |= {outcome.name: outcome for outcome in self._workers.wait(timeout=0.005)}
            time.sleep(0.0005)  # or the other threads would wait for the lock
        self._used = time.monotonic()
        outcome = self._ended.pop(name)
        files = files_of(outcome)
        outcome.discard()
        return RemoteOutcome(outcome.result, outcome.output, files)

    def close(self) -> None:
        """End the workers and remove the files."""
        with self._lock:
            self._closed = True
            self._workers.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _place(self, fingerprint: str, drawn: bytes) -> Path:
        """Return the folder of data, written when it is first used; those used least lately are removed."""
        if fingerprint not in self._draws:
            done: RemoteOutcome = pickle.loads(drawn)
            if done.result.data is None or done.result.data.fingerprint != fingerprint:
                raise RuntimeError("the data was lost with its Dask worker, and drawn anew it is another")
            folder = new_folder(self._folder)  # by a name of its own, should it have been here before
            for name, content in done.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
            self._draws[fingerprint] = folder
        self._draws.move_to_end(fingerprint)
        while len(self._draws) > DRAWS_KEPT + len(self._workers.in_flight):
            shutil.rmtree(self._draws.popitem(last=False)[1], ignore_errors=True)
        return self._draws[fingerprint] / DATA


def files_of(outcome: Outcome) -> dict[str, bytes]:
    """Return what a task left that is of use elsewhere, by the name within its folder."""
    folder = outcome.folder
    found = [folder / LOADINGS, folder / SAMPLES, *(folder / DATA).glob("*")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in found if file.is_file()}


def targets_of(task: Task) -> tuple[str, ...]:
    """Name the code that a task needs, as ``"module:attribute"``."""
    if isinstance(task, DrawTask):
        return (task.load,)
    estimators = [task.estimator] if isinstance(task, FitTask) else []
    return (*estimators, *(metric.compute for metric in task.metrics))


def foreign_modules(brought: set[str], sent: RemoteTask) -> list[str]:
    """Name the modules of which another version is here; what is not here at all, its import will say.

    A plugin file is `brought` with the task, whatever lies here under its name.
    """
    here = all_module_hashes(targets_of(sent.task))
    return sorted(
        name for name, source in here.items() if name not in brought and sent.code.get(name, source) != source
    )


@cache
def _environment() -> dict[str, str]:
    return describe()


_SITES: dict[str, _Site] = {}
_LOCK = threading.Lock()


def _site(run: Run, folder: str) -> _Site:
    """Return what a run has here, made when it is first needed; what others left here is ended."""
    with _LOCK:
        for other, site in list(_SITES.items()):
            if other != run.id and site.is_idle:
                _SITES.pop(other).close()
        if run.id not in _SITES:
            importlib.invalidate_caches()
            all_module_hashes.cache_clear()
            _SITES[run.id] = _Site(run, folder)
        return _SITES[run.id]
