"""In a worker: do one task and leave its result in a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from spcabench import wording
from spcabench.errors import Unwritable
from spcabench.plugins import import_file
from spcabench.run.messages import (
    RESULT,
    RESULTS,
    DrawTask,
    Failure,
    FitResult,
    FitTask,
    Order,
    Result,
    ScoreResult,
    Task,
)
from spcabench.run.worker.data_files import load
from spcabench.run.worker.draw import draw
from spcabench.run.worker.fit import Finished, fit
from spcabench.run.worker.score import score
from spcabench.run.worker.threads import Threads
from spcabench.store.files import writing
from spcabench.store.record import Facts


def do(order: Order) -> None:
    """Do what is ordered, and write the file `RESULT` into its folder."""
    try:
        for file in order.plugins:
            import_file(file)
        threads = Threads(order.threads)
    except ImportError as error:
        result: Result = Failure(status="unavailable", reason=wording.of_error(error))
    except Exception as error:
        result = _failure(error)
    else:
        result = perform(order.task, order.folder, threads)
    with writing(order.folder / RESULT):  # cut short, it counts as none
        (order.folder / RESULT).write_bytes(RESULTS.dumps(result))


def perform(task: Task, folder: Path, threads: Threads) -> Result:
    """Do a task in this process, its pools held to `threads`, and return its result.

    Raises
    ------
    Unwritable
        If the result cannot be kept, which is not the method's failure; nothing else is raised.
    """
    try:
        held = threads.hold()
        result = _performed(task, folder)
    except Unwritable:
        raise
    except (Exception, SystemExit) as error:
        return _failure(error)
    if not isinstance(result, FitResult | Failure):
        return result
    facts = replace(result.facts, threads=held)
    if threads.counts != held:
        changed = f"it changed its threads, held to {held}: {threads.counts}"
        facts = replace(facts, warnings=(*facts.warnings, changed))
    return replace(result, facts=facts)


def _performed(task: Task, folder: Path) -> Result:
    if isinstance(task, DrawTask):
        return draw(task, folder)
    dataset = load(task.draw)
    if isinstance(task, FitTask):
        done = fit(task, dataset, folder)
        if not isinstance(done, Finished):
            return done
        if not task.metrics:
            return done.result
        return replace(
            done.result, scores=score(task.metrics, dataset, done.loadings, done.result.facts, done.result.timing)
        )
    with np.load(task.loadings, allow_pickle=False) as arrays:
        loadings = {name: arrays[name] for name in arrays.files}
    return ScoreResult(scores=score(task.metrics, dataset, loadings, task.facts, task.timing))


def _failure(error: BaseException) -> Failure:
    facts = Facts(traceback=tuple(wording.of_traceback(error)))
    return Failure(status="error", reason=wording.of_error(error), facts=facts)
