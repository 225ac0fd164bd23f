"""In a worker: do one task, and leave what comes of it as soon as it is known."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from threadpoolctl import ThreadpoolController

from spcabench import wording
from spcabench.importing import resolve
from spcabench.plugins import import_file
from spcabench.program import TASK_FOLDER
from spcabench.run.messages import CallTask, DrawTask, Entered, FitTask, Order, Phase, Result, Task, add_line
from spcabench.run.worker.clock import Enter, FitClock
from spcabench.run.worker.draw import draw, load
from spcabench.run.worker.fit import fit
from spcabench.run.worker.score import by_user, names, score
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
    if isinstance(order.task, FitTask):  # from where no path leads to the run's folder
        os.chdir(order.folder)
        os.environ["PWD"] = str(order.folder)

    def enter(phase: Phase) -> None:
        add_line(order.folder, Entered(phase=phase, at=_now()))

    for part in _parts(order, threads, enter):
        add_line(order.folder, part)
    enter("end")


def _parts(order: Order, threads: Threads, enter: Enter) -> Iterator[Result]:
    try:
        for plugin in order.plugins:
            import_file(plugin)
    except Exception as error:
        yield _failed(error)
    else:
        yield from perform(order.task, order.folder, threads, enter)


def perform(task: Task | CallTask, folder: Path, threads: Threads, enter: Enter) -> Iterator[Result]:
    """Do a task in this process, its pools held to `threads`; yield its result, and then that with its metrics.

    Raises
    ------
    Unwritable
        If the result cannot be kept, which is not the method's failure.
    KeyboardInterrupt
        At the user's Ctrl-C; nothing else is raised, whatever the method, the data set or the metric does.
    """
    try:
        held = threads.hold()
        result, scored = _performed(task, folder, enter)
    except Unwritable:
        raise
    except BaseException as error:
        if by_user(error):
            raise
        yield _failed(error)
        return
    facts = replace(result.facts, threads=held)
    if threads.counts != held:
        changed = f"it changed its threads, held to {held}: {threads.counts}"
        facts = replace(facts, warnings=(*facts.warnings, changed))
    yield replace(result, facts=facts)
    if scored is not None:
        metrics, errors = scored()
        yield replace(result, metrics=metrics, facts=replace(facts, metric_errors=errors))


Scored = Callable[[], tuple[Mapping[str, float], Mapping[str, str]]]
"""Computes metrics: their values, and why others have none."""


def _performed(task: Task | CallTask, folder: Path, enter: Enter) -> tuple[Result, Scored | None]:
    """Return the result of a task but for its metrics, and what computes these."""
    if isinstance(task, DrawTask):
        enter("draw")
        return draw(task, folder), None
    if isinstance(task, CallTask):
        with FitClock(enter) as clock:
            clock.begin("fit")
            return Result(status="ok", value=resolve(task.function)(**task.params)), None
    dataset = load(task.draw)
    if isinstance(task, FitTask):
        result, loadings = fit(task, dataset, folder, enter)
        if not result.finished:
            return result, None
    else:
        result, loadings = Result(status="ok", facts=task.facts, timing=task.timing), task.loadings
    enter("scoring")
    awaited = dict.fromkeys(names(task.metrics, dataset), "")
    scored = partial(score, task.metrics, dataset, loadings, result.facts, result.timing)
    return replace(result, facts=replace(result.facts, metric_errors=awaited)), scored


def _failed(error: BaseException) -> Result:
    facts = Facts(traceback=tuple(wording.of_traceback(error)))
    return Result(status="error", reason=wording.of_error(error), facts=facts)
