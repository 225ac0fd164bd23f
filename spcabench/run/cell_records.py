"""What a worker left -> the record of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench.run.dataset_store import UNREADABLE, FailedDraw, KnownDraw
from spcabench.run.environment import versions
from spcabench.run.executors.contract import Outcome
from spcabench.run.messages import LOADINGS, Result
from spcabench.run.worker.data_files import arrays_in
from spcabench.store.record import Record, clock_of
from spcabench.suite.plan import Cell
from spcabench.suite.repeats import spread
from spcabench.wording import in_a_line

SAME = 1e-6
"""How far entries of loadings may be apart that are the same."""


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
    stand_in = "" if draw is None else draw.record.stand_in if isinstance(draw, KnownDraw) else draw.stand_in
    fingerprint = draw.record.fingerprint if isinstance(draw, KnownDraw) else ""
    identity = {**cell.identity, "stand_in": stand_in, "fingerprint": fingerprint}
    return Record(key=key, cell=identity, status="", about=about)


def fitted_record(
    blank: Record, outcome: Outcome, stamps: Mapping[str, str], contended: bool
) -> tuple[Record, dict[str, NDArray[Any]] | None]:
    """Return the record of a first fit, and its loadings; one that left none that can be read has crashed."""
    result = outcome.result
    facts = replace(result.facts, contended=contended, output=outcome.output)
    record = replace(blank, status=result.status, reason=result.reason, timing=result.timing, fit=facts)
    if not result.finished:
        return record, None
    try:
        arrays = arrays_in(outcome.folder / LOADINGS)
        reason = "" if {"components", "mean"} <= arrays.keys() else "they are not there"
    except UNREADABLE as error:
        reason = str(error)
    if reason:
        return replace(record, status="crashed", reason=f"its loadings cannot be read: {reason}"), None
    return replace(record, metrics=dict(result.metrics), scored=dict(stamps)), arrays


def scored_record(before: Record, result: Result, stamps: Mapping[str, str]) -> Record:
    """Return a record with the metrics that were computed from its loadings."""
    if not result.finished:
        facts = replace(before.fit, worker=result.facts.worker or before.fit.worker)
        return replace(before, status=result.status, reason=result.reason, fit=facts)
    facts = replace(before.fit, metric_errors=result.facts.metric_errors)
    return replace(before, metrics=dict(result.metrics), scored=dict(stamps), fit=facts)


def timed_record(before: Record, outcome: Outcome, components: NDArray[Any] | None, contended: bool) -> Record:
    """Return a record with the times of one more repeat; the loadings stay those of the first, `components`.

    A repeat that fails adds no time and ends the repeats of the cell: the record notes how it failed.  One that finds
    other loadings with the same seed is noted too.
    """
    result = outcome.result
    if not result.finished:
        return replace(before, fit=replace(before.fit, failed_repeat=f"{result.status}: {result.reason}"))
    facts = replace(
        before.fit,
        contended=before.fit.contended or contended,
        load=max(before.fit.load, result.facts.load),
        varies=before.fit.varies or _differ(components, outcome.folder / LOADINGS),
    )
    return replace(before, timing=before.timing.again(result.timing), fit=facts)


def _differ(components: NDArray[Any] | None, file: Path) -> bool:
    """Return whether a repeat left other loadings, beyond what other processors round differently."""
    try:
        again = arrays_in(file)["components"]
    except (*UNREADABLE, KeyError):
        return False
    return components is not None and not np.allclose(components, again, rtol=0.0, atol=SAME)


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
    text += "; other loadings in a repeat with the same seed" if record.fit.varies else ""
    failed = record.fit.failed_repeat
    text += f"; a repeat failed ({in_a_line(failed)})" if failed else ""
    return text if record.status == "ok" else f"{text} ({record.status}: {record.reason})"


def _seconds(value: float) -> str:
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
