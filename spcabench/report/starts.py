"""The same methods from several starts: what each reaches from each, and whether the start or the method decides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import wilson
from spcabench.report.document import (
    COMPONENTS,
    DATASET,
    LEVEL,
    METHOD,
    Columns,
    Entry,
    Field,
    Note,
    Row,
    Table,
    tabled,
)
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.store.frame import Level
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

SHARES = (
    "Share of the draws with exact supports in %, in brackets their number and Wilson's 95 % interval; a draw "
    "that failed counts as missed"
)

Ends = Mapping[str, Group]
"""What a method reached at a target, by where it started."""


def _ends(results: Results) -> list[Ends]:
    """Return what each method reached that ran from more than one start, for each data set and target."""
    found: dict[tuple[str, int, Level, str], dict[str, Group]] = {}
    for group in results.from_all_starts:
        found.setdefault((group.dataset, group.n_components, group.level, group.method), {})[group.start] = group
    return [ends for ends in found.values() if len(ends) > 1]


def _any(ends: Ends) -> Group:
    return next(iter(ends.values()))


def _column(results: Results, metric: str) -> Column | None:
    """Return the column of a metric on the training samples, the last of a series; None if there are no values."""
    series = results.series(metric)
    known = series[-1] if series else results.column(metric)
    return known if known in results.values else None


def _own_start(ends: Ends) -> str:
    """Return where a method starts if the suite does not say."""
    return next((str(group.first("own_start")) for start, group in ends.items() if start in MAIN), "")


def starts_table(results: Results, metric: str) -> Table | None:
    """Set beside each other what each method reached from each start, by one metric; None if that says nothing."""
    column = _column(results, metric)
    if column is None:
        return None

    def enter(ends: Ends, start: str) -> Entry:
        group = ends.get(start)
        if group is None or not group.n_finished:
            return Entry(None, note=group.status if group else "")
        return _share(group, column) if metric == EXACT else Entry.of(group.spread(column), column.unit)

    fields = [Field(start, start, numeric=True, with_sd=metric != EXACT) for start in results.suite.starts]
    columns: Columns[Ends] = (
        (DATASET, lambda ends: _any(ends).dataset),
        (COMPONENTS, lambda ends: _any(ends).n_components),
        (LEVEL, lambda ends: _any(ends).level),
        (METHOD, lambda ends: _any(ends).method),
        (Field("own_start", "own start"), _own_start),
        *((field, partial(enter, start=field.name)) for field in fields),
    )
    mean = f"{column.heading}, mean ± standard deviation over the seeds that reached the target, or all if none did"
    what = SHARES if metric == EXACT else mean
    caption = f"{what}; by where a method starts. Own start: where it starts if the suite does not say."
    return tabled(f"starts_{metric}", caption, columns, _ends(results), lambda ends, e: Row(e, _any(ends).method))


def _share(group: Group, column: Column) -> Entry:
    """Return the share of the draws of a group with exact supports."""
    hits, n = group.finished(column.name).count(1), group.planned
    interval = wilson(hits, n)
    return Entry(100 * hits / n, note=f"{hits} of {n}, {100 * interval.low:.0f} to {100 * interval.high:.0f}")


def notes(results: Results) -> Iterator[Note]:
    """Say of each data set and target what methods reach from the starts, and whether start or method decides."""
    column = next((found for metric in QUALITIES if (found := _column(results, metric))), None)
    if column is None:
        return
    said = [(place, text) for place, ends in _alike(results) if (text := _sentences(results, ends, column))]
    yield from (Note(f"On {place}, {text}") for place, text in said[:MOST_NOTES])
    if len(said) > MOST_NOTES:
        yield Note(f"And {len(said) - MOST_NOTES} more, in the tables.")


def _alike(results: Results) -> Iterator[tuple[str, list[Ends]]]:
    """Return the methods at equal sparsity, with the data set and the target; without a target if none has one."""
    cases: dict[str, dict[Level, list[Ends]]] = {}
    for ends in _ends(results):
        cases.setdefault(_any(ends).dataset, {}).setdefault(_any(ends).level, []).append(ends)
    for dataset, levels in cases.items():
        targets = {level: methods for level, methods in levels.items() if level}
        for level, methods in (targets or levels).items():
            nonzeros = f" at {level} {'nonzero' if level == Level(1) else 'nonzeros'}" if level else ""
            yield f"{dataset}{nonzeros}", methods


def _sentences(results: Results, methods: list[Ends], column: Column) -> str:
    """Describe what methods reached from the starts that they have in common; empty if there are none."""
    starts = [start for start in results.suite.starts if start not in MAIN]
    whole = [ends for ends in methods if all(start in ends and ends[start].n_finished for start in starts)]
    values = np.array([[_value(ends[start], column) for start in starts] for ends in whole])
    if not values.size or not np.isfinite(values).all():
        return ""
    n = len(whole)
    if column.metric == EXACT:
        reached = [f"{count} of {n}" for count in (values == 1).sum(axis=0)]
        draws = max(ends[start].planned for ends in whole for start in starts)
        what, text = "the shares", f"methods that find the true supports in all of {draws} draws"
    else:
        reached = [f"{mean:.4g}" for mean in values.mean(axis=0)]
        what, text = "the means", f"{column.name} of {n} methods, in the mean"
    said = ", ".join(f"{how} from {START_WORDS[start]}" for how, start in zip(reached, starts, strict=True))
    return f"{text}: {said}. {_decides(values, what)}" if min(values.shape) > 1 else f"{text}: {said}."


def _value(group: Group, column: Column) -> float:
    if column.metric == EXACT:
        return group.finished(column.name).count(1) / group.planned
    return group.spread(column).mean


def split(table: NDArray[np.float64]) -> tuple[float, float]:
    """Return the shares of the variation of a table that its rows and its columns explain; nan where nothing varies.

    With ``e_ij = v_ij - mean``, the share of the rows is ``m sum_i (mean_j e_ij)^2 / sum_ij e_ij^2`` for m columns,
    and that of the columns alike: the two-way analysis of variance with one value in each place.

    Parameters
    ----------
    table : ndarray of shape (n, m)
        Finite values.

    Examples
    --------
    >>> split(np.array([[0.0, 1.0], [0.0, 1.0]]))
    (0.0, 1.0)
    """
    if np.ptp(table) == 0:
        return math.nan, math.nan
    deviations = table - table.mean()
    means = (deviations.mean(axis=1), deviations.mean(axis=0))
    total = float((deviations**2).sum())
    rows, columns = (float((of**2).sum()) * table.size / len(of) / total for of in means)
    return rows, columns


def _decides(values: NDArray[np.float64], what: str) -> str:
    """Say whether the start, which is the column, or the method decides."""
    by_method, by_start = split(values)
    if math.isnan(by_method):
        return "Neither the start nor the method makes a difference."
    start, method = f"{100 * by_start:.0f} %", f"{100 * by_method:.0f} %"
    if by_start > 0.5:
        return f"The start decides: it explains {start} of the variance of {what}, the method {method}."
    if by_method > 0.5:
        return f"The method decides: it explains {method} of the variance of {what}, the start {start}."
    return f"Neither decides alone: the start explains {start} of the variance of {what}, the method {method}."
