"""In a Dask worker: do tasks in worker processes of their own, held to their limits as on one machine."""

from __future__ import annotations

import contextlib
import importlib
import io
import shutil
import tempfile
import threading
import time
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from spcabench import wording as words
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executor import Outcome
from spcabench.run.workers import Workers
from spcabench.store.record import FINISHED

DRAWS_KEPT = 4
"""Draws that stay unpacked beside those in use."""
IDLE = 60.0
"""Seconds after which what a run has here is ended, should its host be gone."""


@dataclass(frozen=True)
class Order:
    """A task as it is sent.

    Parameters
    ----------
    run : str
        Names the run; what it has in a Dask worker is kept from one task to the next.
    threads : int
        BLAS threads of each worker process.
    preload : tuple of str
        Modules to import once.
    plugins : mapping
        The source of each single-file plugin, by file name.
    task : mapping
        What to do; its ``draw`` is a name.
    code : mapping of str to str
        A hash of each module of the method's and the metrics' code on the host.
    time_limit, memory_limit : float
        As for any executor.
    loadings : bytes
        For a task that computes metrics from them.
    """

    run: str
    threads: int
    preload: tuple[str, ...]
    plugins: Mapping[str, bytes]
    task: Mapping[str, Any]
    code: Mapping[str, str]
    time_limit: float
    memory_limit: float
    loadings: bytes = b""


def pack(folder: Path) -> bytes:
    """Return the files of a folder as one archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(folder.iterdir()):
            packed.write(file, file.name)
    return archive.getvalue()


def do(order: Order, draw: bytes) -> dict[str, Any]:
    """Do a task.

    Parameters
    ----------
    order : Order
        The task.
    draw : bytes
        The packed data set.

    Returns
    -------
    dict
        ``result`` and ``output`` as of any worker, and the ``loadings`` as bytes; the result's ``fit`` says which
        Dask worker it was, and its ``environment``.
    """
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    try:
        site = _site(order, worker.local_directory)
        foreign = _foreign_modules(order)
        if foreign:
            done = _nothing("unavailable", f"the code of {', '.join(foreign)} is not that of the host")
        else:
            done = site.do(order, draw, is_wanted)
            if not is_wanted():
                leave(order.run)
    except Exception as error:
        done = _nothing("crashed", words.of_error(error))
    result = done["result"]
    if result["status"] in ("unavailable", "crashed"):
        result["reason"] += f" (on the Dask worker {worker.address})"
    result["fit"] = {**result.get("fit", {}), "worker": worker.address, "environment": _environment()}
    return done


def leave(run: str) -> None:
    """End all that a run has in this Dask worker."""
    with _LOCK:
        site = _SITES.pop(run, None)
    if site is not None:
        site.close()


class _Site:
    """What one run has in this Dask worker: its plugins, its data, its server and workers."""

    def __init__(self, order: Order, folder: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="spcabench-", dir=folder))
        self._lock = threading.Lock()
        self._draws: OrderedDict[str, Path] = OrderedDict()
        self._done: dict[object, Outcome] = {}
        self._busy = 0
        self._closed = False
        self._used = time.monotonic()
        for name, source in order.plugins.items():
            (self._folder / name).write_bytes(source)
        plugins = [self._folder / name for name in order.plugins]
        self._workers = Workers(self._folder, order.threads, preload=order.preload, plugins=plugins)

    @property
    def idle(self) -> float:
        """Seconds since it was last used."""
        return 0.0 if self._busy else time.monotonic() - self._used

    def do(self, order: Order, draw: bytes, is_wanted: Callable[[], bool]) -> dict[str, Any]:
        """Do a task; several threads may at once, and each takes in what ended, also for the others.

        It is given up when nobody wants it any more: Dask forgets the tasks of a host that is gone.
        """
        ticket = object()
        with self._at_work(), tempfile.TemporaryDirectory(dir=self._folder) as own:
            task = dict(order.task)
            if order.loadings:
                task["loadings"] = str(Path(own, "loadings.npz"))
                Path(task["loadings"]).write_bytes(order.loadings)
            with self._lock:
                task["draw"] = str(self._place(task["draw"], draw))
                self._workers.submit(ticket, task, order.time_limit, order.memory_limit)
            while ticket not in self._done:
                with self._lock:
                    if self._closed or not is_wanted():
                        return _nothing("interrupted", "the run ended")
                    self._done |= {outcome.name: outcome for outcome in self._workers.wait()}
                time.sleep(0.0005)  # or the other threads would wait for the lock
            return _sent_back(self._done.pop(ticket))

    def close(self) -> None:
        """End the workers and remove the files."""
        with self._lock:
            self._closed = True
            self._workers.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1
                self._used = time.monotonic()

    def _place(self, name: str, draw: bytes) -> Path:
        """Return the folder of a draw, unpacked when it is first used; those used least lately are removed."""
        if name not in self._draws:
            self._draws[name] = self._folder / name
            with zipfile.ZipFile(io.BytesIO(draw)) as packed:
                packed.extractall(self._draws[name])
        self._draws.move_to_end(name)
        while len(self._draws) > DRAWS_KEPT + self._busy:
            shutil.rmtree(self._draws.popitem(last=False)[1], ignore_errors=True)
        return self._draws[name]


def _sent_back(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome with its files as bytes."""
    loadings = outcome.folder / "loadings.npz"
    content = loadings.read_bytes() if loadings.exists() and outcome.result["status"] in FINISHED else b""
    outcome.discard()
    return {"result": outcome.result, "output": outcome.output, "loadings": content}


def _nothing(status: str, reason: str) -> dict[str, Any]:
    return {"result": {"status": status, "reason": reason}, "output": "", "loadings": b""}


def targets_of(task: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the code that a task needs, as ``"module:attribute"``."""
    estimators = [task["estimator"]] if task["kind"] == "fit" else []
    return (*estimators, *(metric["compute"] for metric in task["metrics"]))


def _foreign_modules(order: Order) -> list[str]:
    """Name the modules of which another version is here; what is not here at all, its import will say."""
    here = all_module_hashes(targets_of(order.task))
    return sorted(module for module, source in here.items() if order.code.get(module, source) != source)


@cache
def _environment() -> dict[str, str]:
    return describe()


_SITES: dict[str, _Site] = {}
_LOCK = threading.Lock()


def _site(order: Order, folder: str) -> _Site:
    """Return what the run of an order has here, made when it is first needed."""
    with _LOCK:
        for run in [run for run, site in _SITES.items() if run != order.run and site.idle > IDLE]:
            _SITES.pop(run).close()
        if order.run not in _SITES:
            importlib.invalidate_caches()
            all_module_hashes.cache_clear()
            _SITES[order.run] = _Site(order, folder)
        return _SITES[order.run]
