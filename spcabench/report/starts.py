"""The same methods from several starts: what each reaches from each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from spcabench.analysis.intervals import wilson
from spcabench.report.document import COMPONENTS, DATASET, LEVEL, METHOD, Columns, Entry, Field, Table, tabled
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.store.frame import Level
from spcabench.suite.columns import Column
from spcabench.suite.values import MAIN

EXACT = "exact_support"
"""The metric that is 1 where the true supports are found, and 0 elsewhere."""

TABLED = (EXACT, "err", "cpev", "objective")
"""The metrics that have a table."""

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
    series = results.series[metric]
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
    return tabled(f"starts_{metric}", caption, columns, _ends(results))


def _share(group: Group, column: Column) -> Entry:
    """Return the share of the draws of a group with exact supports."""
    hits, n = group.finished(column.name).count(1), group.planned
    interval = wilson(hits, n)
    return Entry(100 * hits / n, note=f"{hits} of {n}, {100 * interval.low:.0f} to {100 * interval.high:.0f}")
