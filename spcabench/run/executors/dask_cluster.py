"""Do tasks on a Dask cluster that the user has: the same cells, limits and records, on other machines."""

from __future__ import annotations

import contextlib
import pickle
import uuid
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from spcabench import wording
from spcabench.run.code_hash import all_module_hashes
from spcabench.run.environment import describe
from spcabench.run.executors.contract import Limits, Outcome
from spcabench.run.executors.dask_connect import ANSWER, PATIENCE, connect
from spcabench.run.executors.dask_fleet import Fleet, Sent
from spcabench.run.executors.dask_worker import DRAWS_KEPT, RemoteOrder, RemoteOutcome, Run, pack, targets_of
from spcabench.run.executors.local import LocalWorkers
from spcabench.run.messages import LOADINGS, DrawTask, Failure, FitResult, Result, ScoreTask, Task
from spcabench.store.files import new_folder, write_bytes
from spcabench.wording import Fault, InputError

LEAST_QUEUE = 16
"""Tasks sent at once, however few the Dask workers, so that a cluster that adapts sees what there is to do."""


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
    them; Dask gives up a task that loses several workers (``distributed.scheduler.allowed-failures``).  A worker that
    is stopped is not lost to Dask: its cells have a deadline here (`spcabench.run.executors.dask_fleet`), after which
    they go elsewhere once, and what the worker brings later is ignored.
    """

    def __init__(
        self, where: str, scratch: Path, threads: int, preload: Sequence[str] = (), plugins: Sequence[Path] = ()
    ) -> None:
        self._scratch = scratch
        self._local = LocalWorkers(scratch, threads, preload=preload, plugins=plugins)
        sources = {file.name: file.read_bytes() for file in plugins}
        self._run = Run(id=uuid.uuid4().hex, threads=threads, preload=tuple(preload), plugins=sources)
        self._sent: dict[Any, Sent] = {}
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._draws: OrderedDict[tuple[str, ...], Any] = OrderedDict()
        self._carry, self._leave = _carriers()
        self._where = where
        self._cluster, self._client = connect(where)
        self._fleet = Fleet(self._client)
        self._environment = describe()

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
        return [*self._local.in_flight, *(sent.name for sent in self._sent.values())]

    def submit(self, name: str, task: Task, limits: Limits) -> None:
        """Send a task; data is drawn here."""
        if isinstance(task, DrawTask):
            self._local.submit(name, task, limits)
            return
        heard = self._fleet.heard
        self._send(Sent(name, task, limits, self._fleet.now), heard if len(heard) < len(self._workers) else [])

    def _send(self, sent: Sent, among: Sequence[str]) -> None:
        """Send a cell to one of some Dask workers, or to any if none is named."""
        task = sent.task
        order = RemoteOrder(
            run=self._run,
            task=task,
            code=all_module_hashes(targets_of(task)),
            limits=sent.limits,
            loadings=task.loadings.read_bytes() if isinstance(task, ScoreTask) else b"",
        )
        draw = self._packed(task.draw.parent, among)
        future = self._client.submit(self._carry, pickle.dumps(order), draw, pure=False, workers=among or None)
        self._sent[future] = sent
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
                outcomes += self._outcomes(ended)
                ended = self._ended.get_nowait()
        return [*outcomes, *self._overdue()]

    def close(self) -> None:
        """End all that is under way, here and in the Dask workers."""
        self._local.close()
        with contextlib.suppress(Exception):
            if self._client.status == "running":
                self._client.cancel(list(self._sent), force=True)
                self._leave_all()
        with contextlib.suppress(Exception):
            self._client.close(timeout=PATIENCE)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close()

    def _leave_all(self) -> None:
        """End all in the Dask workers; one that is stopped does so when it goes on."""
        from distributed import fire_and_forget

        heard = self._fleet.heard
        for address in self._fleet.threads.keys() - set(heard):
            later = self._client.submit(self._leave, self._run.id, pure=False, workers=[address])
            fire_and_forget(later)  # type: ignore[no-untyped-call]
        self._client.run(self._leave, self._run.id, on_error="ignore", workers=heard)

    @property
    def _workers(self) -> Mapping[str, int]:
        """The threads of each Dask worker, as of a moment ago."""
        self._look()
        return self._fleet.threads

    def _look(self) -> None:
        self._see_scheduler()
        try:
            self._fleet.look()
        except Exception:
            raise self._gone() from None

    def _packed(self, draw: Path, among: Sequence[str]) -> Any:
        """Return a draw as a future: Dask keeps the bytes, and brings them to each worker that needs them once.

        For other Dask workers than before they are sent anew: those who had them may be stopped.
        """
        name = (draw.name, *among)
        if name not in self._draws:
            self._draws[name] = self._client.submit(bytes, pack(draw), pure=False, workers=among or None)
        self._draws.move_to_end(name)
        while len(self._draws) > DRAWS_KEPT:
            self._draws.popitem(last=False)
        return self._draws[name]

    def _gone(self) -> InputError:
        message = "the scheduler is gone; what was finished is kept, and running again resumes"
        return InputError(Fault(message, self._where))

    def _see_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _outcomes(self, future: Any) -> list[Outcome]:
        """Bring home what a task left; nothing if it went elsewhere meanwhile, or is to go now."""
        sent = self._sent.pop(future, None)
        if sent is None:
            return []
        done = self._result(future)
        if done is None:
            return self._elsewhere(sent)
        self._fleet.delivered(done.worker)
        return [self._outcome(sent.name, done)]

    def _outcome(self, name: str, done: RemoteOutcome) -> Outcome:
        folder = new_folder(self._scratch)
        if done.loadings:
            write_bytes(folder / LOADINGS, done.loadings)
        return Outcome(name, self._placed(done), folder, done.output)

    def _overdue(self) -> list[Outcome]:
        """Send the cells elsewhere whose Dask workers have had their time, and give up those that cannot be."""
        self._look()
        late = {future: sent for future, sent in self._sent.items() if self._fleet.is_late(future.key, sent)}
        if not late:
            return []
        for future in late:
            del self._sent[future]
        self._client.cancel(list(late), force=True)
        return [outcome for sent in late.values() for outcome in self._elsewhere(sent)]

    def _elsewhere(self, sent: Sent) -> list[Outcome]:
        """Send a cell to another Dask worker, or once more to the only one; give up what was sent twice."""
        heard = self._fleet.heard
        among = [address for address in heard if address != sent.holder] or heard
        if among and not sent.again:
            self._send(replace(sent, since=self._fleet.now, holder="", again=True), among)
            return []
        who = f"the Dask worker {sent.holder} did not end it" if sent.holder else "no Dask worker ended it"
        why = "sent twice" if sent.again else "and the scheduler hears of no other"
        reason = f"{who} in {sent.seconds:g} s, {why}; running again tries again"
        return [self._outcome(sent.name, RemoteOutcome(Failure(status="interrupted", reason=reason)))]

    def _result(self, future: Any) -> RemoteOutcome | None:
        """Return what a task left; None if its Dask worker does not hand it over."""
        from distributed import CancelledError, KilledWorker

        try:
            done = future.result(timeout=ANSWER)
        except CancelledError:
            raise self._gone() from None
        except KilledWorker as error:
            reason = f"{error.allowed_failures + 1} Dask workers were lost at it"
            return RemoteOutcome(Failure(status="crashed", reason=reason))
        except Exception as error:
            if future.status == "error":
                return RemoteOutcome(Failure(status="crashed", reason=f"in Dask: {wording.of_error(error)}"))
            if isinstance(error, TimeoutError):
                return None
            raise self._gone() from None
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
