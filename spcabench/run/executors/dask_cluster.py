"""Do tasks on a Dask cluster that the user has: the same cells, limits and records, on other machines."""

from __future__ import annotations

import contextlib
import pickle
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from spcabench import wording
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executors.contract import Outcome
from spcabench.run.executors.dask_connect import ANSWER, PATIENCE, carrier, connect
from spcabench.run.executors.dask_worker import RemoteOutcome, RemoteTask, Run, files_of, targets_of
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import DATA, DrawTask, FitTask, Result, Task
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


@dataclass(frozen=True)
class _Data:
    """Data as Dask keeps it, and its fingerprint."""

    future: Any
    fingerprint: str


@dataclass(frozen=True)
class _Cell:
    """A task under its name; a draw too."""

    name: str
    task: Task
    limits: Limits

    @property
    def estimator(self) -> str:
        """What is fitted; empty if nothing is."""
        return self.task.estimator if isinstance(self.task, FitTask) else ""

    def remote(self, fingerprint: str = "") -> RemoteTask:
        """Return it as it is sent."""
        code = all_module_hashes(targets_of(self.task))
        return RemoteTask(task=self.task, limits=self.limits, code=code, fingerprint=fingerprint)


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
    A data set is drawn by a Dask worker and stays with Dask, which brings it once to each worker that needs it; one
    that no Dask worker can draw, as from a file of this machine, is drawn here.  Cells of the same data are one Dask
    task, as many as are to take about a second by what those of their methods took last.  Dask does the tasks of a lost
    worker again elsewhere, and gives up one that loses several workers (``distributed.scheduler.allowed-failures``):
    its cells are then sent one by one.  A worker that is stopped is lost to Dask after
    ``distributed.scheduler.worker-ttl``.
    """

    def __init__(
        self, where: str, scratch: Path, threads: int, preload: Sequence[str] = (), plugins: Sequence[Path] = ()
    ) -> None:
        self._scratch = scratch
        self._local = LocalWorkers(scratch, threads, preload=preload, plugins=plugins)
        sources = {file.name: file.read_bytes() for file in plugins}
        self._run = Run(id=uuid.uuid4().hex, threads=threads, preload=tuple(preload), plugins=sources)
        self._unsent: list[_Cell] = []
        self._sent: dict[Any, list[_Cell]] = {}
        self._seconds: dict[str, float] = {}
        self._drawing: dict[str, Any] = {}
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._data: dict[Path, _Data] = {}
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
        sent = (cell.name for cells in (self._unsent, *self._sent.values()) for cell in cells)
        return list(dict.fromkeys([*self._drawing, *sent]))

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Send a draw; a cell goes with others when the host waits."""
        cell = _Cell(name, task, limits)
        if not isinstance(task, DrawTask):
            self._unsent.append(cell)
            return
        self._data = {place: data for place, data in self._data.items() if place.parent.exists()}  # as it is wanted
        self._drawing[name] = drawn = self._submit("draw", pickle.dumps((self._run, cell.remote())), priority=1)
        self._await([cell], self._submit("summary", drawn, priority=1))

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
        outcomes = [self._drawn_here(outcome) for outcome in self._local.wait()] if self._local.in_flight else []
        with contextlib.suppress(Empty):
            ended = self._ended.get(timeout=0.05)
            while True:
                outcomes += self._outcomes(ended)
                ended = self._ended.get_nowait()
        return outcomes

    def close(self) -> None:
        """End all that is under way, here and in the Dask workers."""
        self._local.close()
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

    def _submit(self, what: str, *args: Any, **options: Any) -> Any:
        """Have a Dask worker call a function of `spcabench.run.executors.dask_worker`."""
        return self._client.submit(self._carry, what, *args, pure=False, **options)

    def _send_waiting(self) -> None:
        """Send the cells that wait, those of the same data together, as many as are to take about a second."""
        together: dict[Path, list[_Cell]] = {}
        for cell in self._unsent:
            assert not isinstance(cell.task, DrawTask)
            together.setdefault(cell.task.draw, []).append(cell)
        self._unsent = []
        for place, cells in together.items():
            batch, seconds = list[_Cell](), 0.0
            for cell in cells:
                expected = self._seconds.get(cell.estimator, BATCH)
                if batch and (seconds + expected > BATCH or len(batch) == MOST):
                    self._send(batch, self._data[place])
                    batch, seconds = [], 0.0
                batch.append(cell)
                seconds += expected
            self._send(batch, self._data[place])

    def _send(self, cells: list[_Cell], data: _Data) -> None:
        order = pickle.dumps((self._run, [cell.remote(data.fingerprint) for cell in cells]))
        self._await(cells, self._submit("work", order, data.future))

    def _await(self, cells: list[_Cell], future: Any) -> None:
        self._sent[future] = cells
        future.add_done_callback(self._ended.put)

    def _gone(self) -> InputError:
        message = "the scheduler is gone; what was finished is kept, and running again resumes"
        return InputError(Fault(message, self._where))

    def _see_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _outcomes(self, future: Any) -> list[Outcome]:
        """Bring home what came of a Dask task; nothing if it is awaited again, sent again, or done here."""
        cells = self._sent.pop(future, [])
        done = self._done(future, cells) if cells else []
        if not cells or not done:
            return []
        (name, task, limits), *_ = ((cell.name, cell.task, cell.limits) for cell in cells)
        if not isinstance(task, DrawTask):
            for cell, one in zip(cells, done, strict=True):
                self._seconds[cell.estimator] = one.seconds or BATCH
            return [self._outcome(cell.name, one) for cell, one in zip(cells, done, strict=True)]
        if done[0].result.status in ("unavailable", "error"):  # its files may be here
            self._local.submit(name, task, limits)
            return []
        return [self._with_data(self._outcome(name, done[0]), self._drawing.pop(name))]

    def _done(self, future: Any, cells: list[_Cell]) -> list[RemoteOutcome]:
        """Return what came of each cell of a Dask task; nothing if they are awaited again, or sent again."""
        from distributed import KilledWorker

        try:
            done = future.result(timeout=ANSWER)
        except KilledWorker as error:
            if len(cells) > 1:  # any of them may have done it
                for cell in cells:
                    assert not isinstance(cell.task, DrawTask)
                    self._send([cell], self._data[cell.task.draw])
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
            return [RemoteOutcome(Result(status="unavailable", reason=reason), worker=address)] * len(cells)
        return [RemoteOutcome(done)] * len(cells) if isinstance(done, Result) else list(done)

    def _drawn_here(self, outcome: Outcome) -> Outcome:
        del self._drawing[outcome.name]
        drawn = pickle.dumps(RemoteOutcome(outcome.result, files=files_of(outcome)))
        return self._with_data(outcome, self._client.submit(bytes, drawn, pure=False))

    def _with_data(self, outcome: Outcome, future: Any) -> Outcome:
        if outcome.result.data is not None:
            self._data[outcome.folder / DATA] = _Data(future, outcome.result.data.fingerprint)
        return outcome

    def _outcome(self, name: str, done: RemoteOutcome) -> Outcome:
        """Return an outcome with its files, and of a fit which Dask worker did it and how that differs from here."""
        folder = new_folder(self._scratch)
        for file, content in done.files.items():
            write_bytes(folder / file, content)
        differs = {what: value for what, value in done.environment.items() if value != self._environment.get(what)}
        facts = replace(done.result.facts, worker=done.worker, environment=differs)
        return Outcome(name, replace(done.result, facts=facts), folder, done.output)
