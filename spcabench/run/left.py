"""What a worker left, as a result.  A worker has run code from strangers: what it leaves is data to be checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from spcabench.run.messages import (
    RESULT,
    RESULTS,
    SCORED,
    DrawResult,
    DrawTask,
    Failure,
    FitResult,
    FitTask,
    Result,
    Scored,
    ScoreResult,
    Scores,
    Task,
)
from spcabench.store.inside import Damaged, Inside
from spcabench.store.record import Facts, Timing
from spcabench.store.typed_json import CutShort
from spcabench.wording import bounded

MOST_BYTES = 2**24
"""Bytes that a result may have; the largest honest one, of metrics with thousands of keys, has a few hundred KiB."""
MOST_TEXTS = 40
"""Warnings and lines of a traceback that are kept."""
_OF_WORKERS = ("unavailable", "invalid", "error")
"""How a worker may say that it failed; that it took too long, or was ended, the host sees."""
_HOSTS = ("contended", "load", "output", "time_limit", "failed_repeat", "metric_errors", "worker", "environment")
_BLANK = Facts()
_KINDS = {DrawTask: DrawResult, FitTask: FitResult}


def left_in(folder: Path, task: Task, end: str) -> Result | None:
    """Return the result that a worker left in its folder; None if there is none.

    Parameters
    ----------
    folder : Path
        The worker's.
    task : Task
        What it was to do.
    end : str
        How it ended: why the metric that it was at has no value.
    """
    try:
        first, *others = Inside(folder).read(RESULT, MOST_BYTES).split(b"\n")
        result = RESULTS.loads(first)
        parts = [SCORED.loads(line) for line in others[:-1]]  # after the last line break is nothing, or a part
    except FileNotFoundError:
        return None
    except CutShort:
        return _no_result("it is cut short, or no JSON")
    except (Damaged, ValueError) as error:
        return _no_result(str(error))
    return sound(gathered(result, parts, end), task)


def gathered(result: Result, parts: Iterable[Scored], end: str = "") -> Result:
    """Return a result with the metrics that followed it; of those that did not, the first is to blame for the others.

    Parameters
    ----------
    result : Result
        With the names of the metrics that are awaited.
    parts : iterable of Scored
        Those that came.
    end : str
        How the worker ended.
    """
    if not isinstance(result, FitResult | ScoreResult):
        return result
    values, errors, awaited = dict(result.scores.values), dict(result.scores.errors), dict.fromkeys(result.awaited, "")
    for part in parts:
        if part.name in awaited:
            del awaited[part.name]
            values.update(part.values)
            errors.update({part.name: part.error} if part.error else {})
    for number, name in enumerate(awaited):
        errors[name] = f"not computed, since {next(iter(awaited))} ended its process" if number else end
    return replace(result, scores=Scores(values=values, errors=errors), awaited=())


def sound(result: Result, task: Task) -> Result:
    """Return a result if it can be that of a task, its texts bounded; else a failure that says what is wrong."""
    if isinstance(result, Failure):
        if result.status not in _OF_WORKERS:
            return _no_result(f"a failure of status {result.status}")
        timing = Timing() if _wrong_time(result.timing) else result.timing
        return replace(result, reason=bounded(result.reason), facts=_of_worker(result.facts), timing=timing)
    if not isinstance(result, _KINDS.get(type(task), ScoreResult)):
        return _no_result(f"the result of a {result.kind}")
    if isinstance(result, DrawResult):
        return result
    errors = {bounded(name): bounded(error) for name, error in result.scores.errors.items()}
    result = replace(result, scores=replace(result.scores, errors=errors))
    if isinstance(result, ScoreResult):
        return result
    wrong = _wrong_time(result.timing) or _lacking(result.timing)
    if wrong:
        return Failure(status="invalid", reason=f"its clock cannot be right: {wrong}")
    return replace(result, reason=bounded(result.reason), facts=_of_worker(result.facts))


def _of_worker(facts: Facts) -> Facts:
    """Return facts without those that are the host's to know, the texts bounded."""
    return replace(
        facts,
        program=bounded(facts.program),
        warnings=_texts(facts.warnings),
        traceback=_texts(facts.traceback),
        **{name: getattr(_BLANK, name) for name in _HOSTS},
    )


def _wrong_time(timing: Timing) -> str:
    """Name the first time, or count of fits, that is negative or not finite."""
    for name, samples in vars(timing).items():
        for value in samples:
            if not 0.0 <= value < math.inf:
                return f"{name} is {value:g}"
    return ""


def _lacking(timing: Timing) -> str:
    """Name the first field that has not the one sample of one fit; the memory of a program may not be known."""
    counts = {name: len(samples) for name, samples in vars(timing).items()}
    known = counts if counts["peak_memory"] else {name: n for name, n in counts.items() if name != "peak_memory"}
    return next((f"{name} has {n} values" for name, n in known.items() if n != 1), "")


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(bounded, texts[:MOST_TEXTS]))


def _no_result(reason: str) -> Failure:
    return Failure(status="crashed", reason=f"the worker left what is no result: {bounded(reason)}")
