"""What a worker left -> the record of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median
from typing import Any

from numpy.typing import NDArray

from spcabench.run.dataset_store import UNREADABLE, FailedDraw, KnownDraw, arrays_in
from spcabench.run.environment import versions
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import LOADINGS, DrawResult, Failure, FitResult, Scores
from spcabench.store.clock import clock_of
from spcabench.store.record import Record
from spcabench.suite.plan import Cell
from spcabench.suite.repeats import spread
from spcabench.wording import in_a_line


def blank_record(cell: Cell, key: str, draw: KnownDraw | FailedDraw | None, origin: str) -> Record:
    """Return the record of a cell that nothing was done for yet; its status is empty.

    Parameters
    ----------
    cell : Cell
        The cell.
    key : str
        Its key.
    draw : KnownDraw or FailedDraw, optional
        What is known of its data; None if nothing was drawn for it.
    origin : str
        The plugin of its method.
    """
    about = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "plugin": origin,
        **versions("spcabench", "numpy", "scipy", "scikit-learn"),
    }
    return Record(key=key, cell={**cell.identity, **_data(draw)}, status="", about=about)


def _data(draw: KnownDraw | FailedDraw | None) -> dict[str, str]:
    """Return what the record says of the data."""
    if draw is None:
        return {"stand_in": "", "fingerprint": ""}
    if isinstance(draw, FailedDraw):
        return {"stand_in": draw.stand_in, "fingerprint": ""}
    return {"stand_in": draw.record.stand_in, "fingerprint": draw.record.fingerprint}


def fitted_record(
    blank: Record, outcome: Outcome, stamps: Mapping[str, str], contended: bool
) -> tuple[Record, dict[str, NDArray[Any]] | None]:
    """Return the record of a first fit, and its loadings; one that left none that can be read has crashed."""
    result = outcome.result
    assert isinstance(result, FitResult | Failure)
    facts = replace(result.facts, contended=contended, output=outcome.output)
    record = replace(blank, status=result.status, reason=result.reason, timing=result.timing, fit=facts)
    if isinstance(result, Failure):
        return record, None
    try:
        arrays = arrays_in(outcome.folder / LOADINGS)
        if {"components", "mean"} <= arrays.keys():
            return _with_scores(record, result.scores, stamps), arrays
        reason = "they are not there"
    except UNREADABLE as error:
        reason = str(error)
    return replace(record, status="crashed", reason=f"its loadings cannot be read: {reason}"), None


def scored_record(before: Record, outcome: Outcome, stamps: Mapping[str, str]) -> Record:
    """Return a record with the metrics that were computed from its loadings."""
    result = outcome.result
    if isinstance(result, Failure):
        facts = replace(before.fit, worker=result.facts.worker or before.fit.worker)
        return replace(before, status=result.status, reason=result.reason, fit=facts)
    assert not isinstance(result, DrawResult)
    return _with_scores(before, result.scores, stamps)


def _with_scores(record: Record, scores: Scores, stamps: Mapping[str, str]) -> Record:
    facts = replace(record.fit, metric_errors=scores.errors)
    return replace(record, metrics=dict(scores.values), scored=dict(stamps), fit=facts)


def timed_record(before: Record, outcome: Outcome, contended: bool) -> Record:
    """Return a record with the times of one more repeat; the loadings stay those of the first.

    A repeat that fails adds no time and ends the repeats of the cell: the record notes how it failed.
    """
    result = outcome.result
    if isinstance(result, Failure):
        return replace(before, fit=replace(before.fit, failed_repeat=f"{result.status}: {result.reason}"))
    assert isinstance(result, FitResult)
    load = max(before.fit.load, result.facts.load)
    facts = replace(before.fit, contended=before.fit.contended or contended, load=load)
    return replace(before, timing=before.timing.again(result.timing), fit=facts)


def described(cell: Cell, record: Record) -> str:
    """Describe a record in a line."""
    if not record.finished:
        return f"{cell.title}: {record.status}: {in_a_line(record.reason)}"
    times, search = record.timing.fit_time, record.timing.search_time[0]
    text = f"{cell.title}: {_seconds(median(times))}"
    text += f" ± {100 * spread(times):.0f} % of {len(times)}" if len(times) > 1 else ""
    text += f" after a search of {_seconds(search)}" if search else ""
    missed = len(record.fit.target_missed or ())
    text += f"; {missed} of {cell.n_components} components missed their cardinality" if missed else ""
    lacking = record.fit.metric_errors
    text += "".join(f"; no {name} ({in_a_line(reason)})" for name, reason in lacking.items())
    clock = clock_of(record.timing, record.fit)
    text += "; contended" if clock and clock.contended else ""
    failed = record.fit.failed_repeat
    text += f"; a repeat failed ({in_a_line(failed)})" if failed else ""
    return text if record.status == "ok" else f"{text} ({record.status}: {record.reason})"


def _seconds(value: float) -> str:
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
