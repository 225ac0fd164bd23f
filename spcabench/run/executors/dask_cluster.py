"""Do tasks on a Dask cluster that the user has: the same cells, limits and records, on other machines."""

from __future__ import annotations

import contextlib
import pickle
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from spcabench import wording
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.dask_connect import ANSWER, PATIENCE, carrier, connect
from spcabench.run.executors.dask_worker import RemoteOutcome, RemoteTask, Run, lacking, targets_of
from spcabench.run.messages import DATA, DrawTask, Result, Task
from spcabench.store.files import new_folder, write_bytes
from spcabench.suite.models import Limits
from spcabench.wording import Fault, InputError

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
        ``tcp://HOST:PORT`` of a scheduler, or ``FILE.py:NAME``: a file that defines a cluster, such as one of
        dask-jobqueue, under that name (``cluster`` if there is none).
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
    where all of them see it.  Cells of the same data are one Dask task, as many as are to take about a second by what
    those of their methods took last.  Dask does the tasks of a lost worker again elsewhere, and gives up one that loses
    several workers (``distributed.scheduler.allowed-failures``): its cells are then sent one by one.  A worker that is
    stopped is lost to Dask after ``distributed.scheduler.worker-ttl``.
    """

    def __init__(
        self, where: str, scratch: Path, threads: int, preload: Sequence[str] = (), plugins: Sequence[Path] = ()
    ) -> None:
        self._scratch = scratch
        sources = {file.name: file.read_bytes() for file in plugins}
        self._run = Run(id=uuid.uuid4().hex, threads=threads, preload=tuple(preload), plugins=sources)
        self._unsent: list[RemoteTask] = []
        self._sent: dict[Any, list[RemoteTask]] = {}
        self._seconds: dict[str, float] = {}
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._data: dict[Path, tuple[DrawTask, str]] = {}
        self._carry = carrier()
        self._where = where
        self._cluster, self._client = connect(where)
        self._looked, self._threads_of = -LOOK_EVERY, dict[str, int]()
        self._environment = describe()

    @property
    def capacity(self) -> int:
        """How many tasks may be under way: as many as are in that many batches of what was done last."""
        seconds = list(self._seconds.values()) or [BATCH]
        batch = min(MOST, max(1, round(BATCH * len(seconds) / sum(seconds))))
        return max(LEAST_QUEUE, A_THREAD * sum(self._workers.values())) * batch

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
        return [cell.name for cells in (self._unsent, *self._sent.values()) for cell in cells]

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Send a draw; a cell goes with others when the host waits."""
        draw, fingerprint = (None, "") if isinstance(task, DrawTask) else self._data[task.draw]
        code = all_module_hashes(targets_of(task))
        sent = RemoteTask(name=name, task=task, limits=limits, code=code, draw=draw, fingerprint=fingerprint)
        if isinstance(task, DrawTask):
            self._data = {place: data for place, data in self._data.items() if place.parent.exists()}
            self._send([sent])
        else:
            self._unsent.append(sent)

    def has(self, data: Path) -> bool:
        """Return whether data was drawn for this run."""
        return data in self._data

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
                self._client.run(self._carry, "leave", self._run.id, on_error="ignore")
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
                workers = self._client.scheduler_info(n_workers=-1)["workers"]
            except Exception:
                raise self._gone() from None
            self._threads_of = {address: worker["nthreads"] for address, worker in workers.items()}
            self._looked = time.monotonic()
        return self._threads_of

    def _send_waiting(self) -> None:
        """Send the cells that wait, those of the same data together, as many as are to take about a second."""
        together: dict[str, list[RemoteTask]] = {}
        for cell in self._unsent:
            together.setdefault(cell.fingerprint, []).append(cell)
        self._unsent = []
        for cells in together.values():
            batch, seconds = list[RemoteTask](), 0.0
            for cell in cells:
                expected = self._seconds.get(cell.estimator, BATCH)
                if batch and (seconds + expected > BATCH or len(batch) == MOST):
                    self._send(batch)
                    batch, seconds = [], 0.0
                batch.append(cell)
                seconds += expected
            self._send(batch)

    def _send(self, cells: list[RemoteTask]) -> None:
        """Have a Dask worker do cells of the same data one after the other."""
        future = self._client.submit(self._carry, "work", pickle.dumps((self._run, cells)), pure=False)
        self._sent[future] = cells
        future.add_done_callback(self._ended.put)

    def _gone(self) -> InputError:
        message = "the scheduler is gone; what was finished is kept, and running again resumes"
        return InputError(Fault(message, self._where))

    def _see_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _outcomes(self, future: Any) -> list[Outcome]:
        """Bring home what came of a Dask task; nothing if its cells were sent again."""
        cells = self._sent.pop(future, [])
        return [self._outcome(cell, one) for cell, one in zip(cells, self._done(future, cells), strict=False)]

    def _done(self, future: Any, cells: list[RemoteTask]) -> list[RemoteOutcome]:
        """Return what came of each cell of a Dask task; nothing if they are awaited again, or sent again."""
        from distributed import KilledWorker

        try:
            done = future.result(timeout=ANSWER)
        except KilledWorker as error:
            if len(cells) > 1:  # any of them may have done it
                for cell in cells:
                    self._send([cell])
                return []
            done = Result(status="crashed", reason=f"{error.allowed_failures + 1} Dask workers were lost at it")
        except Exception as error:
            if future.status == "error":
                done = Result(status="crashed", reason=f"in Dask: {wording.of_error(error)}")
            elif isinstance(error, TimeoutError):  # who has it is stopped; Dask does it again when it takes it for lost
                self._sent[future] = cells
                self._ended.put(future)
                return []
            else:
                raise self._gone() from None
        if isinstance(done, tuple):
            reason, address = done
            return [RemoteOutcome(Result(status=lacking(cell.task), reason=reason), worker=address) for cell in cells]
        return [RemoteOutcome(done)] * len(cells) if isinstance(done, Result) else list(done)

    def _outcome(self, cell: RemoteTask, done: RemoteOutcome) -> Outcome:
        """Return an outcome with its files, and of a fit which Dask worker did it and how that differs from here."""
        folder = new_folder(self._scratch)
        for file, content in done.files.items():
            write_bytes(folder / file, content)
        differs = {what: value for what, value in done.environment.items() if value != self._environment.get(what)}
        facts = replace(done.result.facts, worker=done.worker, environment=differs)
        if isinstance(cell.task, DrawTask) and done.result.data is not None:
            self._data[folder / DATA] = cell.task, done.result.data.fingerprint
        elif done.seconds:
            self._seconds[cell.estimator] = done.seconds
        return Outcome(cell.name, replace(done.result, facts=facts), folder, done.output)
