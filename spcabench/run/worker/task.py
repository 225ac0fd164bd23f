"""In a worker: do one task and leave its result in a file, a line for each part as soon as it is known."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from spcabench import wording
from spcabench.plugins import import_file
from spcabench.program import TASK_FOLDER
from spcabench.run.messages import (
    RESULT,
    RESULTS,
    SCORED,
    DrawTask,
    Failure,
    FitResult,
    FitTask,
    Order,
    Result,
    Scored,
    ScoreResult,
    Task,
)
from spcabench.run.worker.clock import Enter
from spcabench.run.worker.data_files import load
from spcabench.run.worker.draw import draw
from spcabench.run.worker.fit import Finished, fit
from spcabench.run.worker.interrupt import by_user
from spcabench.run.worker.score import names, score
from spcabench.run.worker.threads import Threads
from spcabench.store.files import writing
from spcabench.store.record import Facts
from spcabench.wording import Unwritable


def do(order: Order, enter: Enter) -> None:
    """Do what is ordered, and write the file `RESULT` into its folder."""
    file = order.folder / RESULT
    os.environ[TASK_FOLDER] = str(order.folder)
    for part in _parts(order, enter):
        text = SCORED.dumps(part) if isinstance(part, Scored) else RESULTS.dumps(part)
        with writing(file), file.open("ab") as lines:  # opened anew: a method may close what is open
            lines.write(text + b"\n")


def _parts(order: Order, enter: Enter) -> Iterator[Result | Scored]:
    try:
        for plugin in order.plugins:
            import_file(plugin)
        threads = Threads(order.threads)
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
