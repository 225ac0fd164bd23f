"""Do tasks on a Dask cluster that the user has: the same cells, limits and records, on other machines."""

from __future__ import annotations

import contextlib
import logging
import pickle
import re
import runpy
import tempfile
import time
import uuid
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from spcabench import wording
from spcabench.errors import Fault, InputError
from spcabench.parameters import unknown_name
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executors.contract import Limits, Outcome
from spcabench.run.executors.dask_worker import DRAWS_KEPT, RemoteOrder, RemoteOutcome, Run, pack, targets_of
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import LOADINGS, DrawTask, Failure, FitResult, Result, ScoreTask, Task
from spcabench.store.files import write_bytes, writing

PATIENCE = 10.0
"""Seconds that the scheduler may take to answer."""
LEAST_QUEUE = 16
"""Tasks sent at once, however few the Dask workers, so that a cluster that adapts sees what there is to do."""
LOOK_EVERY = 2.0
"""Seconds between two looks at which Dask workers there are."""
_ADDRESS = re.compile(r"([a-z]+://)?[^\s/]+:\d+")


class DaskCluster:
    """An executor that sends fits and metrics to a Dask scheduler, and draws data on this machine.

    Parameters
    ----------
    where : str
        ``tcp://HOST:PORT`` of a scheduler, or ``FILE.py:NAME``: a file that defines a cluster, such as one of
        dask-jobqueue, under that name (``cluster`` if there is none).
    scratch : Path
        A folder for files.
    threads : int
        BLAS threads of each worker process.
    preload : sequence of str
        Modules that every worker needs.
    plugins : sequence of Path
        Single-file plugins; their source travels with the tasks.

    Raises
    ------
    InputError
        If Dask is not installed, no scheduler answers, or the file defines no cluster.

    Notes
    -----
    Dask does the tasks of a lost worker again elsewhere, and the packed draws, being the results of tasks, with
    them; Dask gives up a task that loses several workers (``distributed.scheduler.allowed-failures``).
    """

    def __init__(
        self, where: str, scratch: Path, threads: int, preload: Sequence[str] = (), plugins: Sequence[Path] = ()
    ) -> None:
        self._scratch = scratch
        self._local = LocalWorkers(scratch, threads, preload=preload, plugins=plugins)
        sources = {file.name: file.read_bytes() for file in plugins}
        self._run = Run(id=uuid.uuid4().hex, threads=threads, preload=tuple(preload), plugins=sources)
        self._sent: dict[Any, str] = {}
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._draws: OrderedDict[str, Any] = OrderedDict()
        self._carry, self._leave = _carriers()
        self._where = where
        self._cluster, self._client = _connect(where)
        self._environment = describe()
        self._threads: dict[str, int] = {}
        self._looked = -LOOK_EVERY

    @property
    def capacity(self) -> int:
        """How many tasks may be under way: enough that no Dask worker waits for the next."""
        return max(LEAST_QUEUE, 2 * sum(self._workers.values()))

    @property
    def contended(self) -> bool:
        """Whether some machine does several tasks at a time."""
        machines: Counter[str] = Counter()
        for address, threads in self._workers.items():
            machines[address.rpartition(":")[0]] += threads
        return any(threads > 1 for threads in machines.values())

    @property
    def about(self) -> str:
        """What there is, in a line."""
        if not self._workers:
            return f"{self._where} has no Dask workers yet; waiting for them"
        return f"{self._where}: {len(self._workers)} Dask workers, {sum(self._workers.values())} threads"

    @property
    def in_flight(self) -> list[str]:
        """The names of the tasks under way."""
        return [*self._local.in_flight, *self._sent.values()]

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Send a task; data is drawn here."""
        if isinstance(task, DrawTask):
            self._local.submit(name, task, limits)
            return
        order = RemoteOrder(
            run=self._run,
            task=task,
            code=all_module_hashes(targets_of(task)),
            limits=limits,
            loadings=task.loadings.read_bytes() if isinstance(task, ScoreTask) else b"",
        )
        future = self._client.submit(self._carry, pickle.dumps(order), self._packed(task.draw.parent), pure=False)
        self._sent[future] = name
        future.add_done_callback(self._ended.put)

    def has(self, data: Path) -> bool:
        """Return whether data is as it was drawn."""
        return self._local.has(data)

    def wait(self) -> list[Outcome]:
        """Return the tasks that ended within a moment.

        Raises
        ------
        InputError
            If the scheduler is gone.
        """
        if self._local.in_flight:
            return self._local.wait()
        self._see_scheduler()
        outcomes = []
        with contextlib.suppress(Empty):
            ended = self._ended.get(timeout=0.05)
            while True:
                outcomes.append(self._outcome(ended))
                ended = self._ended.get_nowait()
        return outcomes

    def close(self) -> None:
        """End all that is under way, here and in the Dask workers."""
        self._local.close()
        with contextlib.suppress(Exception):
            if self._client.status == "running":
                self._client.cancel(list(self._sent), force=True)
                self._client.run(self._leave, self._run.id, on_error="ignore")
        with contextlib.suppress(Exception):
            self._client.close(timeout=PATIENCE)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close()

    @property
    def _workers(self) -> Mapping[str, int]:
        """The threads of each Dask worker, as of a moment ago."""
        if time.monotonic() - self._looked > LOOK_EVERY:
            self._see_scheduler()
            try:
                self._threads = self._client.nthreads()
            except Exception:
                raise self._gone() from None
            self._looked = time.monotonic()
        return self._threads

    def _packed(self, draw: Path) -> Any:
        """Return a draw as a future: Dask keeps the bytes, and brings them to each worker that needs them once."""
        if draw.name not in self._draws:
            self._draws[draw.name] = self._client.submit(bytes, pack(draw), pure=False)
        self._draws.move_to_end(draw.name)
        while len(self._draws) > DRAWS_KEPT:
            self._draws.popitem(last=False)
        return self._draws[draw.name]

    def _gone(self) -> InputError:
        message = "the scheduler is gone; what was finished is kept, and running again resumes"
        return InputError(Fault(message, self._where))

    def _see_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _outcome(self, future: Any) -> Outcome:
        """Bring home what a task left."""
        name = self._sent.pop(future)
        done = self._result(future)
        with writing(self._scratch):
            folder = Path(tempfile.mkdtemp(dir=self._scratch, prefix="task-"))
        if done.loadings:
            write_bytes(folder / LOADINGS, done.loadings)
        return Outcome(name, self._placed(done), folder, done.output)

    def _result(self, future: Any) -> RemoteOutcome:
        from distributed import CancelledError, KilledWorker

        try:
            done = future.result()
        except CancelledError:
            raise self._gone() from None
        except KilledWorker as error:
            reason = f"{error.allowed_failures + 1} Dask workers were lost at it"
            return RemoteOutcome(Failure(status="crashed", reason=reason))
        except Exception as error:
            if future.status != "error":  # the task did not fail; its result cannot be brought home
                raise self._gone() from None
            return RemoteOutcome(Failure(status="crashed", reason=f"in Dask: {wording.of_error(error)}"))
        if isinstance(done, RemoteOutcome):
            return done
        reason, address = done
        return RemoteOutcome(Failure(status="unavailable", reason=reason), worker=address)

    def _placed(self, done: RemoteOutcome) -> Result:
        """Note of a fit which Dask worker did it, and how that differs from this machine."""
        if not isinstance(done.result, FitResult | Failure):
            return done.result
        differs = {what: value for what, value in done.environment.items() if value != self._environment.get(what)}
        return replace(done.result, facts=replace(done.result.facts, worker=done.worker, environment=differs))


def _carriers() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return functions that travel by value, being local, so that a Dask worker without this package can say so."""

    def carry(order: bytes, draw: bytes) -> Any:
        try:
            from spcabench.run.executors import dask_worker
        except ImportError as error:
            from distributed import get_worker

            address = get_worker().address
            return f"{type(error).__name__}: {error} (on the Dask worker {address})", address
        return dask_worker.do(order, draw)

    def leave(run: str) -> None:
        from spcabench.run.executors import dask_worker

        dask_worker.leave(run)

    return carry, leave


def _connect(where: str) -> tuple[Any, Any]:
    """Return the cluster, if the user's file made it, and a client."""
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise InputError(f"--cluster takes Dask: pip install 'spcabench[dask]' ({error})") from error
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report what goes wrong, once
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"})  # a packed draw is large
    cluster = _from_file(where)
    if cluster is None and not _ADDRESS.fullmatch(where):
        valid = "tcp://HOST:PORT of a scheduler, or FILE.py:NAME, a file that defines a cluster"
        raise InputError(Fault(f"no address; valid is {valid}", f"--cluster {where}"))

    class Closing(Client):
        """A client that does not wait for ever for an answer, and leaves nothing open if there is none."""

        def start(self, **options: Any) -> None:
            try:
                super().start(callback_timeout=PATIENCE + 1, **options)  # type: ignore[no-untyped-call]
            except BaseException:
                self.close()  # type: ignore[no-untyped-call]
                raise

    try:
        return cluster, Closing(cluster or where, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:  # of any kind: what is there may not speak as Dask does
        raise InputError(Fault(f"no Dask scheduler answers: {wording.of_error(error)}", where)) from error


def _from_file(where: str) -> Any:
    """Run the user's file and return the cluster that it defines; None if an address is meant."""
    file, name = (where, "cluster") if where.endswith(".py") else where.rsplit(":", 1) if ".py:" in where else ("", "")
    if not file:
        return None
    if not Path(file).is_file():
        raise InputError(Fault("no such file", file))
    try:
        defined = runpy.run_path(file)
    except Exception as error:
        raise InputError(Fault(wording.of_error(error), file)) from error
    if name not in defined:
        raise InputError(Fault(f"defines no '{name}'{unknown_name(name, _public(defined))}", file))
    return defined[name]


def _public(names: Mapping[str, Any]) -> list[str]:
    return [name for name in names if not name.startswith("_")]
