"""The same methods from several starts: what each reaches from each, and whether the start or the method decides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from spcabench.analysis.intervals import wilson
from spcabench.analysis.two_way import Split, split
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.report.parts import COMPONENTS, DATASET, LEVEL, METHOD, Entry, Field, Note, Row, Table
from spcabench.store.frame import Level
from spcabench.store.status import FINISHED
from spcabench.suite.columns import Column
from spcabench.suite.values import MAIN

EXACT = "exact_support"
"""The metric that is 1 where the true supports are found, and 0 elsewhere."""

QUALITIES = (EXACT, "err", "cpev")
"""Metrics that compare methods; the sentences are about the first of them that a suite has."""

TABLED = (*QUALITIES, "objective")
"""The metrics that have a table."""

START_WORDS: Mapping[str, str] = {
    "ones": "equal entries",
    "pca": "the leading eigenvector",
    "max_variance": "the feature of largest variance",
    "random": "random entries",
}

MOST_NOTES = 10
"""Data sets, at each target, that have a sentence."""

MOST_ROWS = 1000
"""Rows of a table for readers."""

Place = tuple[str, int, Level, str]
"""A row of a table: the data set, the number of components, the target, the method."""

Ends = Mapping[str, Group]
"""What a method reached, by where it started."""


def _ends(results: Results) -> dict[Place, Ends]:
    """Return what the methods reached that ran from more than one start."""
    found: dict[Place, dict[str, Group]] = {}
    if len({group.start for group in results.from_all_starts}) < 2:
        return {}
    for group in results.from_all_starts:
        found.setdefault((group.dataset, group.n_components, group.level, group.method), {})[group.start] = group
    return {place: ends for place, ends in found.items() if len(ends) > 1}


def _column(results: Results, metric: str) -> Column | None:
    """Return the column of a metric on the training samples, the last of a series; None if there are no values."""
    series = results.series(metric)
    known = series[-1] if series else results.column(metric)
    return known if known in results.values else None


def table(results: Results, metric: str) -> Table | None:
    """Set beside each other what each method reached from each start, by one metric; None if that says nothing."""
    column, rows = _column(results, metric), _ends(results)
    if column is None or not rows:
        return None
    starts = results.suite.starts
    own = dict(zip(results.frame["method"], results.frame["own_start"], strict=True))
    fields = (
        *(DATASET, COMPONENTS, LEVEL, METHOD, Field("own_start", "own start")),
        *(Field(start, start, numeric=True, with_sd=metric != EXACT) for start in starts),
    )
    enter = _share if metric == EXACT else _mean
    entries = (
        Row(
            (
                *(Entry(value) for value in place),
                Entry(str(own[place[-1]])),
                *(enter(ends[start], column) if start in ends else Entry(None) for start in starts),
            ),
            place[-1],
        )
        for place, ends in rows.items()
    )
    what = (
        "Share of the draws with exact supports in %, in brackets their number and Wilson's 95 % interval; a draw "
        "that failed counts as missed"
        if metric == EXACT
        else f"{column.heading}, mean ± standard deviation over the seeds that reached the target, or all if none did"
    )
    caption = f"{what}; by where a method starts. Own start: where it starts if the suite does not say."
    return Table(f"starts_{metric}", caption, fields, tuple(entries), min(len(rows), MOST_ROWS))


def _hits(group: Group, column: Column) -> int:
    """Count the draws of a group with exact supports."""
    return sum(
        value == 1 and status in FINISHED
        for value, status in zip(group.cells(column.name), group.cells("status"), strict=True)
    )


def _share(group: Group, column: Column) -> Entry:
    hits, n = _hits(group, column), group.planned
    if not group.n_finished:
        return Entry(None, note=group.status)
    interval = wilson(hits, n)
    note = f"{hits} of {n}, {100 * interval.low:.0f} to {100 * interval.high:.0f}"
    return Entry(100 * hits / n, note=note)


def _mean(group: Group, column: Column) -> Entry:
    if not group.n_finished:
        return Entry(None, note=group.status)
    return Entry.of(group.spread(column), column.unit)


def notes(results: Results) -> Iterator[Note]:
    """Say of each data set and target what methods reach from the starts, and whether start or method decides."""
    column = next((found for metric in QUALITIES if (found := _column(results, metric))), None)
    if column is None:
        return
    alike = _alike(_ends(results))
    said = [(place, text) for place, methods in alike if (text := _sentences(results, methods, column))]
    yield from (Note(f"On {place}, {text}") for place, text in said[:MOST_NOTES])
    if len(said) > MOST_NOTES:
        yield Note(f"And {len(said) - MOST_NOTES} more, in the tables.")


def _alike(rows: Mapping[Place, Ends]) -> Iterator[tuple[str, list[Ends]]]:
    """Return the methods at equal sparsity, with the data set and the target; without a target if none has one."""
    cases: dict[str, dict[Level, list[Ends]]] = {}
    for (dataset, _, level, _), ends in rows.items():
        cases.setdefault(dataset, {}).setdefault(level, []).append(ends)
    for dataset, levels in cases.items():
        targets = {level: methods for level, methods in levels.items() if level}
        for level, methods in (targets or levels).items():
            yield (
                f"{dataset} at {level} {'nonzero' if level == Level(1) else 'nonzeros'}" if level else dataset,
                methods,
            )


def _sentences(results: Results, methods: list[Ends], column: Column) -> str:
    """Describe what methods reached from the starts that they have in common; empty if there are none."""
    starts = [start for start in results.suite.starts if start not in MAIN]
    whole = [ends for ends in methods if all(start in ends and ends[start].n_finished for start in starts)]
    if not starts or not whole:
        return ""
    values = np.array([[_value(ends[start], column) for start in starts] for ends in whole])
    if not np.isfinite(values).all():
        return ""
    words = [START_WORDS[start] for start in starts]
    n = len(whole)
    if column.metric == EXACT:
        reached = [f"{count} of {n} from {word}" for count, word in zip((values == 1).sum(axis=0), words, strict=True)]
        draws = max(ends[start].planned for ends in whole for start in starts)
        what, text = "the shares", f"methods that find the true supports in all of {draws} draws: {', '.join(reached)}."
    else:
        reached = [f"{mean:.4g} from {word}" for mean, word in zip(values.mean(axis=0), words, strict=True)]
        what, text = "the means", f"{column.name} of {n} methods, in the mean: {', '.join(reached)}."
    return f"{text} {_decides(split(values), what)}" if min(values.shape) > 1 else text


def _value(group: Group, column: Column) -> float:
    return _hits(group, column) / group.planned if column.metric == EXACT else group.spread(column).mean


def _decides(shares: Split, what: str) -> str:
    """Say whether the start or the method decides."""
    if math.isnan(shares.rows):
        return "Neither the start nor the method makes a difference."
    start, method = f"{100 * shares.columns:.0f} %", f"{100 * shares.rows:.0f} %"
    if shares.columns > 0.5:
        return f"The start decides: it explains {start} of the variance of {what}, the method {method}."
    if shares.rows > 0.5:
        return f"The method decides: it explains {method} of the variance of {what}, the start {start}."
    return f"Neither decides alone: the start explains {start} of the variance of {what}, the method {method}."
