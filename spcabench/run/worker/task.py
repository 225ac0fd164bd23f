"""In a worker: do one task, and leave what comes of it line by line, as soon as it is known."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController

from spcabench import wording
from spcabench.plugins import import_file
from spcabench.program import TASK_FOLDER
from spcabench.run.messages import (
    DrawTask,
    Entered,
    Failure,
    FitResult,
    FitTask,
    Order,
    Phase,
    Result,
    Scored,
    ScoreResult,
    Task,
)
from spcabench.run.worker.clock import Enter
from spcabench.run.worker.data_files import load
from spcabench.run.worker.draw import draw
from spcabench.run.worker.fit import Finished, fit
from spcabench.run.worker.score import by_user, names, score
from spcabench.run.worker_result import add_line
from spcabench.store.record import Facts
from spcabench.wording import Unwritable

_now = time.monotonic
"""By name: a method that replaces those of `time` does not reach it."""


class Threads:
    """The BLAS and OpenMP pools that this process has loaded.

    Parameters
    ----------
    limit : int
        The most threads of each.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pools = ThreadpoolController()

    def hold(self) -> dict[str, int]:
        """Limit every pool, and return what each then says of itself.

        Raises
        ------
        RuntimeError
            If a pool does not obey.
        """
        self._pools.limit(limits=self._limit)
        counts = self.counts
        disobedient = {name: count for name, count in counts.items() if count > self._limit}
        if disobedient:
            raise RuntimeError(f"{self._limit} threads wanted, but {disobedient} runs with more")
        return counts

    @property
    def counts(self) -> dict[str, int]:
        """What each pool says of itself now."""
        return {f"{pool['internal_api']} {pool['version']}": int(pool["num_threads"]) for pool in self._pools.info()}


def do(order: Order, threads: Threads) -> None:
    """Do what is ordered, and leave its lines in its folder."""
    os.environ[TASK_FOLDER] = str(order.folder)

    def enter(phase: Phase) -> None:
        add_line(order.folder, Entered(phase=phase, at=_now()))

    for part in _parts(order, threads, enter):
        add_line(order.folder, part)


def _parts(order: Order, threads: Threads, enter: Enter) -> Iterator[Result | Scored]:
    try:
        for plugin in order.plugins:
            import_file(plugin)
    except ImportError as error:
        is_draw = isinstance(order.task, DrawTask)  # whose data may be there all the same
        reason = f"a worker cannot import the plugin {error}"
        yield Failure(status="error" if is_draw else "unavailable", reason=reason)
    except Exception as error:
        yield _failure(error)
    else:
        yield from perform(order.task, order.folder, threads, enter)


def perform(task: Task, folder: Path, threads: Threads, enter: Enter) -> Iterator[Result | Scored]:
    """Do a task in this process, its pools held to `threads`; yield its result, and then each metric.

    Raises
    ------
    Unwritable
        If the result cannot be kept, which is not the method's failure.
    KeyboardInterrupt
        At the user's Ctrl-C; nothing else is raised, whatever the method, the data set or the metric does.
    """
    try:
        held = threads.hold()
        result, scores = _performed(task, folder, enter)
    except Unwritable:
        raise
    except BaseException as error:
        if by_user(error):
            raise
        yield _failure(error)
        return
    yield _with_threads(result, held, threads) if isinstance(result, FitResult | Failure) else result
    yield from scores


def _with_threads(result: FitResult | Failure, held: dict[str, int], threads: Threads) -> Result:
    facts = replace(result.facts, threads=held)
    if threads.counts != held:
        changed = f"it changed its threads, held to {held}: {threads.counts}"
        facts = replace(facts, warnings=(*facts.warnings, changed))
    return replace(result, facts=facts)


def _performed(task: Task, folder: Path, enter: Enter) -> tuple[Result, Iterator[Scored]]:
    """Return the result of a task but for its metrics, and these to be computed."""
    nothing: Iterator[Scored] = iter(())
    if isinstance(task, DrawTask):
        enter("draw")
        return draw(task, folder), nothing
    dataset = load(task.draw)
    if isinstance(task, FitTask):
        done = fit(task, dataset, folder, enter)
        if not isinstance(done, Finished):
            return done, nothing
        result, loadings, facts, timing = done.result, done.loadings, done.result.facts, done.result.timing
        awaited = names(task.metrics, dataset)
        enter("score")
        return replace(result, awaited=awaited), score(task.metrics, dataset, loadings, facts, timing)
    enter("score")
    with np.load(task.loadings, allow_pickle=False) as arrays:
        loadings = {name: arrays[name] for name in arrays.files}
    awaited = names(task.metrics, dataset)
    return ScoreResult(awaited=awaited), score(task.metrics, dataset, loadings, task.facts, task.timing)


def _failure(error: BaseException) -> Failure:
    facts = Facts(traceback=tuple(wording.of_traceback(error)))
    return Failure(status="error", reason=wording.of_error(error), facts=facts)
