"""Do tasks on a Dask cluster that the user has: the same cells, limits and records, on other machines."""

from __future__ import annotations

import contextlib
import logging
import pickle
import re
import runpy
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from spcabench import wording
from spcabench.run.code_hash import code_hash
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.dask_worker import RemoteOutcome, RemoteTask, Run, targets_of
from spcabench.run.messages import DATA, DrawTask, Result, Task
from spcabench.store.files import new_folder, write_bytes
from spcabench.store.record import Facts
from spcabench.suite.models import Limits
from spcabench.wording import Fault, InputError

PATIENCE, ANSWER = 10.0, 60.0
"""Seconds that the scheduler may take to answer when it is first called, and later, while it has work to do."""
_ADDRESS = re.compile(r"([a-z]+://)?[^\s/]+:\d+")
LEAST_QUEUE, A_THREAD = 16, 3
"""Dask tasks under way: however few the Dask workers, so that a cluster that adapts sees what there is to do; and for
each of their threads, so that none waits for the next."""
BATCH, MOST = 1.0, 64
"""Seconds that the cells of a Dask task are to take together, and the most of them."""
LOOK_EVERY = 2.0
"""Seconds between two looks at which Dask workers there are."""


class DaskCluster:
    """An executor that sends tasks to a Dask scheduler.

    Parameters
    ----------
    where : str
        ``tcp://HOST:PORT`` of a scheduler, or ``FILE.py``: a file that defines a cluster, such as one of
        dask-jobqueue, under the name ``cluster``.
    scratch : Path
        A folder for files.
    threads, preload, plugins : int, sequence of str, sequence of Path
        As of `LocalWorkers`; the source of plugins travels with the tasks.

    Raises
    ------
    InputError
        If Dask is not installed, no scheduler answers, or the file defines no cluster.

    Notes
    -----
    A data set is drawn by each Dask worker that needs it, from its specification and seed: a file that it reads lies
    where all of them see it.  As many cells are a Dask task as are to take about a second, by what those of their
    methods took before.  Dask does the tasks of a lost worker again elsewhere, and gives up one that loses several
    workers (``distributed.scheduler.allowed-failures``): its cells are then sent one by one.  A worker that is stopped
    is lost to Dask after ``distributed.scheduler.worker-ttl``.
    """

    def __init__(
        self, where: str, scratch: Path, threads: int, preload: Sequence[str] = (), plugins: Sequence[Path] = ()
    ) -> None:
        self._scratch = scratch
        sources = {file.name: file.read_bytes() for file in plugins}
        self._run = Run(id=uuid.uuid4().hex, threads=threads, preload=tuple(preload), plugins=sources)
        self._unsent: list[tuple[str, RemoteTask]] = []
        self._sent: dict[Any, list[tuple[str, RemoteTask]]] = {}
        self._seconds: dict[str, float] = {}
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._data: dict[Path, tuple[DrawTask, str]] = {}
        self._carry = carrier()
        self._where = where
        self._cluster, self._client = connect(where)
        self._looked, self._threads_of = -LOOK_EVERY, dict[str, int]()

    @property
    def capacity(self) -> int:
        """How many tasks may be under way: as many as are in that many batches of what was done last."""
        seconds = list(self._seconds.values()) or [BATCH]
        batch = min(MOST, max(1, round(BATCH * len(seconds) / sum(seconds))))
        return max(LEAST_QUEUE, A_THREAD * sum(self._workers.values())) * batch

    @property
    def contended(self) -> bool:
        """Whether some machine does several tasks at a time."""
        machines = {address.rpartition(":")[0] for address in self._workers}
        return sum(self._workers.values()) > len(machines)

    @property
    def about(self) -> str:
        """What there is, in a line."""
        if not self._workers:
            return f"{self._where} has no Dask workers yet; waiting for them"
        return f"{self._where}: {len(self._workers)} Dask workers, {sum(self._workers.values())} threads"

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Send a draw; a cell goes with others when the host waits."""
        draw, fingerprint = (None, "") if isinstance(task, DrawTask) else self._data[task.draw]
        code = {target: code_hash(target) for target in targets_of(task)}
        sent = RemoteTask(task=task, limits=limits, code=code, draw=draw, fingerprint=fingerprint)
        if isinstance(task, DrawTask):
            self._send([(name, sent)])
        else:
            self._unsent.append((name, sent))

    def wait(self) -> list[Outcome]:
        """Return the tasks that ended within a moment.

        Raises
        ------
        InputError
            If the scheduler is gone.
        """
        self._see_scheduler()
        self._send_waiting()
        outcomes: list[Outcome] = []
        with contextlib.suppress(Empty):
            ended = self._ended.get(timeout=0.05)
            while True:
                outcomes += self._outcomes(ended)
                ended = self._ended.get_nowait()
        return outcomes

    def close(self) -> None:
        """End all that is under way in the Dask workers."""
        with contextlib.suppress(Exception):
            if self._client.status == "running":
                self._client.cancel(list(self._sent), force=True)
                self._client.run(self._carry, "leave", pickle.dumps((self._run.id,)), on_error="ignore")
        with contextlib.suppress(Exception):
            self._client.close(timeout=PATIENCE)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close()

    @property
    def _workers(self) -> Mapping[str, int]:
        """The threads of each Dask worker, as of a moment ago."""
        self._see_scheduler()
        if time.monotonic() - self._looked > LOOK_EVERY:
            try:
                self._threads_of = self._client.nthreads()
            except Exception:
                raise self._gone() from None
            self._looked = time.monotonic()
        return self._threads_of

    def _send_waiting(self) -> None:
        """Send the cells that wait, as many together as are to take about a second."""
        batch, seconds = list[tuple[str, RemoteTask]](), 0.0
        for name, cell in self._unsent:
            expected = self._seconds.get(cell.method, BATCH)
            if batch and (seconds + expected > BATCH or len(batch) == MOST):
                self._send(batch)
                batch, seconds = [], 0.0
            batch.append((name, cell))
            seconds += expected
        if batch:
            self._send(batch)
        self._unsent = []

    def _send(self, cells: list[tuple[str, RemoteTask]]) -> None:
        """Have a Dask worker do cells one after the other."""
        order = pickle.dumps((self._run, [cell for _, cell in cells]))
        future = self._client.submit(self._carry, "work", order, pure=False)
        self._sent[future] = cells
        future.add_done_callback(self._ended.put)

    def _gone(self) -> InputError:
        message = "the scheduler is gone; what was finished is kept, and running again resumes"
        return InputError(Fault(message, self._where))

    def _see_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _outcomes(self, future: Any) -> list[Outcome]:
        """Bring home what came of a Dask task; nothing if it is awaited again, or its cells are sent one by one."""
        try:
            done = future.result(timeout=ANSWER)
        except Exception as error:
            if future.status != "error":
                if not isinstance(error, TimeoutError):
                    raise self._gone() from None
                self._ended.put(future)  # who has it is stopped; Dask does it again when it takes it for lost
                return []
            losses = getattr(error, "allowed_failures", None)  # of a KilledWorker
            if losses is not None and len(self._sent[future]) > 1:  # any of its cells may have done it
                for cell in self._sent.pop(future):
                    self._send([cell])
                return []
            lost = "" if losses is None else f"{losses + 1} Dask workers were lost at it"
            reason = lost or f"in Dask: {wording.of_error(error)}"
            crashed = Result(status="crashed", reason=reason, facts=Facts(worker=self._where))  # which one, Dask keeps
            done = [RemoteOutcome(crashed)] * len(self._sent[future])
        cells = self._sent.pop(future)
        return [self._outcome(name, cell, one) for (name, cell), one in zip(cells, done, strict=True)]

    def _outcome(self, name: str, cell: RemoteTask, done: RemoteOutcome) -> Outcome:
        """Return how a task ended, with its files, and learn from it."""
        folder = new_folder(self._scratch)
        for file, content in done.files.items():
            write_bytes(folder / file, content)
        if isinstance(cell.task, DrawTask) and done.result.data is not None:
            self._data = {place: data for place, data in self._data.items() if place.parent.exists()}
            self._data[folder / DATA] = cell.task, done.result.data.fingerprint
        elif done.seconds:
            before = self._seconds.get(cell.method, done.seconds)
            self._seconds[cell.method] = (before + done.seconds) / 2  # so that a slow start is soon forgotten
        return Outcome(name, done.result, folder, done.output)


def connect(where: str) -> tuple[Any, Any]:
    """Return the cluster, if the user's file made it, and a client.

    Raises
    ------
    InputError
        If Dask is not installed, no scheduler answers, or the file defines no cluster.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(f"--cluster takes Dask: pip install 'spcabench[dask]' ({error})") from error
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report what goes wrong, once
    cluster = _from_file(where)
    if cluster is None and not _ADDRESS.fullmatch(where):
        valid = "tcp://HOST:PORT of a scheduler, or FILE.py, which defines a cluster"
        raise InputError(Fault(f"no address; valid is {valid}", f"--cluster {where}"))

    class Patient(Client):
        """A client that does not wait for ever for an answer, and leaves nothing open if there is none."""

        def start(self, **options: Any) -> None:
            try:
                super().start(callback_timeout=PATIENCE + 1, **options)  # type: ignore[no-untyped-call]
            except BaseException:
                self.close()  # type: ignore[no-untyped-call]
                raise

        def sync(self, func: Any, *args: Any, callback_timeout: float | None = None, **options: Any) -> Any:
            limit = callback_timeout or ANSWER
            return super().sync(func, *args, callback_timeout=limit, **options)  # type: ignore[no-untyped-call]

    try:
        return cluster, Patient(cluster or where, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:  # of any kind: what is there may not speak as Dask does
        raise InputError(Fault(f"no Dask scheduler answers: {wording.of_error(error)}", where)) from error


def _from_file(where: str) -> Any:
    """Run the user's file and return the cluster that it defines; None if an address is meant."""
    if not where.endswith(".py"):
        return None
    if not Path(where).is_file():
        raise InputError(Fault("no such file", where))
    try:
        defined = runpy.run_path(where)
    except Exception as error:
        raise InputError(Fault(wording.of_error(error), where)) from error
    if "cluster" not in defined:
        raise InputError(Fault("defines no 'cluster'", where))
    return defined["cluster"]


def carrier() -> Callable[..., Any]:
    """Return a function that travels by value, being local, so that a scheduler without this package can pass it on."""

    def carry(what: str, order: bytes) -> Any:
        import pickle

        from spcabench.run.executors import dask_worker

        return getattr(dask_worker, what)(*pickle.loads(order))

    return carry
