"""Where methods stand over all data sets: mean ranks with intervals, tiers, and what can be said of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from spcabench.analysis.contest import Contest, Matrix, middle
from spcabench.analysis.over_datasets import friedman, iman_davenport, least_datasets
from spcabench.report.document import METHOD, Columns, Entry, Field, Row, Table, tabled
from spcabench.report.eligibility import ABSENT, WAITING, by_reason, entry_of, is_of, why_outside
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.store.frame import Level
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackEntry, TrackName

LEAST = 3
"""Data sets, and methods, that make standings; methods that make a table of wins."""

PANEL = 10
"""The most methods that a table of wins has."""

SURE = 0.05

TIME_MARGIN = 0.05
"""Times that differ by no more than this share are ties."""


@dataclass(frozen=True, eq=False)
class Standings:
    """Where the methods stand by a column.

    Parameters
    ----------
    column : Column
        What they are ranked by, at an equal number of nonzeros in each component.
    contest : Contest
        Their values at each target, the best mean rank first; families are entries of the suite.
    lost : mapping of str to (int, int)
        By method: cells that failed or missed their target, of how many.
    elsewhere : mapping of str to str
        Methods with a target that are not ranked, as they cannot enter some cell, each with the reason.
    """

    column: Column
    contest: Contest
    lost: Mapping[str, tuple[int, int]]
    elsewhere: Mapping[str, str]


def standings(results: Results) -> Standings | None:
    """Return where the methods stand, or None where data sets, methods or a comparable column are too few.

    The column is the first ranked one with one scale over data sets.  There must be three methods, and three entries
    of data sets in the suite: the grid of an entry has variants of one data set.

    At each target the methods are ranked, failures and misses last; ranks, and values, are averaged over the targets
    of a data set first, since they are not independent.  A data set with cells that may yet be filled does not count,
    nor does one that could not be had.
    """
    scaled = (column for column in results.ranked if column.unit != "s" and all(map(math.isfinite, column.range)))
    column = next(scaled, None)
    entries = [entry.label or entry.name for entry in results.suite.datasets]
    return None if column is None else _over(results, column, entries)


def of_track(results: Results, track: TrackEntry) -> Standings | None:
    """Return where the methods stand in a track, or None where data sets or methods are too few; as `standings`."""
    return _over(results, results.column(track.metric), track.datasets)


def _over(results: Results, column: Column, entries: Sequence[str]) -> Standings | None:
    """Rank methods by a column over the data sets of some entries of the suite."""
    asked = [group for group in results.groups if group.level and group.knob != "none"]
    asked = [group for group in asked if any(is_of(group, entry) for entry in entries)]
    if len({entry_of(group, entries) for group in asked}) < LEAST:
        return None
    open_ = {group.dataset for group in asked if group.statuses.keys() & WAITING}
    there = {group.dataset for group in asked if group.statuses.keys() - ABSENT}
    board: dict[tuple[str, int, Level], dict[str, Group]] = {}
    for group in asked:
        if group.dataset in there - open_:
            board.setdefault((group.dataset, group.n_components, group.level), {})[group.method] = group
    labels = list(dict.fromkeys(label for row in board.values() for label in row))
    outside = {label: why_outside(row.get(label) for row in board.values()) for label in labels}
    enter = [label for label in labels if not outside[label]]
    if len({dataset for dataset, *_ in board}) < LEAST or len(enter) < LEAST:
        return None
    rows = [[row[label] for label in enter] for row in board.values()]
    families = tuple(entry_of(row[0], entries) for row in rows)
    contest = Contest(tuple(enter), *_values(results, column, rows), tuple(dataset for dataset, *_ in board), families)
    lost = {label: _lost([row[label] for row in board.values()]) for label in enter}
    return Standings(column, contest.by_rank(), lost, {label: reason for label, reason in outside.items() if reason})


def _lost(groups: Sequence[Group]) -> tuple[int, int]:
    """Return how many cells of a method failed or missed their target, of how many."""
    planned = sum(group.planned for group in groups)
    return planned - sum(len(group.counted) for group in groups), planned


def _values(results: Results, column: Column, rows: list[list[Group]]) -> tuple[Matrix, Matrix]:
    """Return the value of each method at each target, larger is better, and up to what values are ties there."""
    metric = results.metrics[column.metric]
    sign = 1.0 if column.better == "higher" else -1.0
    values = np.array([[_value(group, column, sign) for group in groups] for groups in rows])
    margin = metric.margin
    if column.unit == "s":  # ratios of times mean the same on every data set
        values, margin = -np.log(-values), math.log(1.0 + TIME_MARGIN)
    return values, np.full(len(rows), max(margin, tie(metric, values.ravel())))


def _value(group: Group, column: Column, sign: float) -> float:
    """Return the mean over the seeds; where any failed or missed, the median with failures as the worst."""
    values = [sign * value for value in group.value_of(column).values() if math.isfinite(value)]
    return middle(values, group.planned - len(values))


def standings_table(results: Results) -> Table | None:
    """Make the table of standings."""
    return _tabled("standings", standings(results), "")


def track_table(results: Results, name: TrackName) -> Table | None:
    """Make the table of standings of a track; None if the suite does not have it."""
    found = next((of_track(results, track) for track in results.suite.tracks if track.name == name), None)
    return _tabled(f"track_{name}", found, f"{name.capitalize()}: {TRACKS[name]}.")


def _tabled(name: str, found: Standings | None, about: str) -> Table | None:
    """Make a table with a row for each method: the best mean rank first, against the leader."""
    if found is None:
        return None
    met, lost = found.contest, [found.lost[method] for method in found.contest.methods]
    above, below = met.wins[:, met.leader], met.wins[met.leader]
    n = len(met.names)
    columns: Columns[int] = (
        (METHOD, lambda at: met.methods[at]),
        (Field("tier", "tier", numeric=True), lambda at: met.tiers[at]),
        (Field("rank", "mean rank", numeric=True), lambda at: float(met.mean_ranks[at])),
        (Field("rank_low", "from", numeric=True), lambda at: max(1.0, met.intervals[at].low)),
        (Field("rank_high", "to", numeric=True), lambda at: met.intervals[at].high),
        (Field("better", "above the leader", numeric=True), lambda at: int(above[at])),
        (Field("alike", "alike", numeric=True), lambda at: int(n - above[at] - below[at])),
        (Field("worse", "below", numeric=True), lambda at: int(below[at])),
        (Field("p", "p", numeric=True), lambda at: float(met.p[met.leader, at])),
        (Field("failed", "failed or missed", numeric=True), lambda at: Entry(lost[at][0], planned=lost[at][1])),
    )
    caption = " ".join(filter(None, (about, *_caption(found))))
    return tabled(name, caption, columns, range(len(met.methods)), lambda at, entries: Row(entries, met.methods[at]))


def _caption(found: Standings) -> Iterator[str]:
    met = found.contest
    n, m = len(met.names), len(met.methods)
    yield (
        f"Ranks by {found.column.name} over {n} data sets from {len(set(met.families))} entries of the suite, of {m} "
        "methods with an equal number of nonzeros in each component; failed and missed cells rank last, differences "
        "within the margin of the metric are ties, and the targets of a data set count as one. From, to: 95 % interval "
        "of the mean rank (bootstrap over the entries). Tier 1 are those that may be the best over the data sets, tier "
        "2 those that may be of the rest, and so on."
    )
    chi, p = friedman(met.ranks), iman_davenport(met.ranks)
    yield f"That all methods are alike: chi = {chi:.1f} (Friedman 1937), p = {p:.2g} (Iman and Davenport 1980)."
    least = least_datasets(math.comb(m, 2))
    adjusted = "of the difference from the leader (Wilcoxon 1945), adjusted for all pairs (Holm 1979)"
    if n < least:
        yield f"{n} data sets cannot tell a pair of {m} methods apart, which takes {least} or more: p is {adjusted}."
    else:
        sure = sum(met.p[met.leader, at] <= SURE for at in range(m))
        yield f"p is {adjusted}: {sure} of {m - 1} methods are surely below it."
    if found.elsewhere:
        yield f"Not ranked: {by_reason(found.elsewhere)}."


def panel(met: Contest, runs: Iterable[Results]) -> Contest | None:
    """Return the contest among methods that were chosen before any was fitted, the best mean rank first.

    They are those that the suites emphasise, else the first that they name; None if too few of them enter.
    """
    runs = list(runs)
    for labels in ([run.suite.report.emphasis for run in runs], [run.methods for run in runs]):
        named = dict.fromkeys(str(label) for some in labels for label in some)
        chosen = [label for label in named if label in met.methods][:PANEL]
        if len(chosen) >= LEAST:
            return met.among(chosen).by_rank()
    return None


def wins(results: Results) -> Table | None:
    """Make the table of wins, ties and losses of a run; None where it has no standings."""
    found = standings(results)
    chosen = panel(found.contest, [results]) if found else None
    return wins_table("wins", chosen) if chosen else None


def wins_table(name: str, met: Contest) -> Table | None:
    """Make the table of wins, ties and losses of a contest: rows against columns."""
    n = len(met.names)

    def record(row: int, column: int) -> Entry:
        if row == column:
            return Entry(None)
        won, lost = int(met.wins[row, column]), int(met.wins[column, row])
        return Entry(f"{won} / {n - won - lost} / {lost}", best=bool(met.p[row, column] <= SURE) and won > lost)

    columns: Columns[int] = (
        (METHOD, lambda row: met.methods[row]),
        *((Field(label, label), partial(record, column=at)) for at, label in enumerate(met.methods)),
    )
    caption = (
        f"Wins / ties / losses of the row against the column over {n} data sets; values within the margin of the "
        "metric tie, and a failure loses to any result. Bold: surely better (Wilcoxon 1945, adjusted for the pairs of "
        "this table, Holm 1979). The methods were chosen before any was fitted: those that the suite emphasises, or "
        "else names first."
    )
    return tabled(name, caption, columns, range(len(met.methods)), lambda row, entries: Row(entries, met.methods[row]))
