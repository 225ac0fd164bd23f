"""What a worker left -> the record of a cell."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime
from statistics import median
from typing import Any

from spcabench.run.environment import versions
from spcabench.run.executor import Outcome
from spcabench.store.record import FINISHED, Record
from spcabench.suite.models import Repeats
from spcabench.suite.plan import Cell
from spcabench.suite.repeats import spread, wants_more
from spcabench.wording import in_a_line

FAILED_REPEAT = "failed_repeat"
"""Under which the facts of a fit that finished say how a later repeat of it went wrong."""


def unfitted_record(
    cell: Cell, key: str, status: str, reason: str, known: Mapping[str, Any], origins: Mapping[str, str]
) -> Record:
    """Return the record of a cell that was not fitted; `known` is what is known of its draw."""
    drawn = {name: known.get(name, "") for name in ("stand_in", "fingerprint")}
    about = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "plugin": origins.get(cell.method.spec.name, ""),
        **versions("spcabench", "numpy", "scipy", "scikit-learn"),
    }
    return Record(key=key, cell={**cell.identity, **drawn}, status=status, reason=reason, about=about)


def fitted_record(blank: Record, outcome: Outcome, stamps: Mapping[str, str], contended: bool) -> Record:
    """Return the record of a first fit."""
    result = outcome.result
    fit = {**result.get("fit", {}), "contended": contended}
    if outcome.output:
        fit["output"] = outcome.output
    record = dataclasses.replace(
        blank,
        status=result["status"],
        reason=result.get("reason", ""),
        timing={name: [float(v) for v in values] for name, values in result.get("timing", {}).items()},
        fit=fit,
    )
    return scored_record(record, outcome, stamps) if record.finished else record


def scored_record(before: Record, outcome: Outcome, stamps: Mapping[str, str]) -> Record:
    """Return a record with the metrics that were computed from its loadings."""
    result = outcome.result
    if result["status"] not in FINISHED:
        where = {name: value for name, value in result.get("fit", {}).items() if name == "worker"}
        fit = {**before.fit, **where}
        return dataclasses.replace(before, status=result["status"], reason=result.get("reason", ""), fit=fit)
    return dataclasses.replace(
        before,
        metrics={name: float(value) for name, value in result.get("metrics", {}).items()},
        scored=dict(stamps),
        fit={**before.fit, "metric_errors": result.get("metric_errors", {})},
    )


def timed_record(before: Record, outcome: Outcome, contended: bool) -> Record:
    """Return a record with the times of one more repeat; the loadings stay those of the first.

    A repeat that fails adds no time and ends the repeats of the cell: it is noted as `FAILED_REPEAT`.
    """
    result = outcome.result
    if result["status"] not in FINISHED:
        failed = f"{result['status']}: {result.get('reason', '')}"
        return dataclasses.replace(before, fit={**before.fit, FAILED_REPEAT: failed})
    timing = {**before.timing}
    for name in ("fit_time", "cpu_time"):
        timing[name] = [*timing[name], *map(float, result["timing"][name])]
    fit = {**before.fit, "contended": before.fit.get("contended", False) or contended}
    return dataclasses.replace(before, timing=timing, fit=fit)


def wants_time(record: Record, rule: Repeats) -> bool:
    """Return whether a finished fit is to be timed once more."""
    return FAILED_REPEAT not in record.fit and wants_more(rule, record.timing["fit_time"])


def told(cell: Cell, record: Record) -> str:
    """Describe a record in a line."""
    if not record.finished:
        return f"{cell.title}: {record.status}: {in_a_line(record.reason)}"
    search = record.timing["search_time"][0]
    text = f"{cell.title}: {_seconds(median(record.timing['fit_time']))}"
    times = record.timing["fit_time"]
    text += f" ± {100 * spread(times):.0f} % of {len(times)}" if len(times) > 1 else ""
    text += f" after a search of {_seconds(search)}" if search else ""
    missed = len(record.fit.get("target_missed", []))
    text += f"; {missed} of {cell.n_components} components missed their cardinality" if missed else ""
    text += f"; a repeat failed ({in_a_line(record.fit[FAILED_REPEAT])})" if FAILED_REPEAT in record.fit else ""
    return text if record.status == "ok" else f"{text} ({record.status}: {record.reason})"


def _seconds(value: float) -> str:
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
