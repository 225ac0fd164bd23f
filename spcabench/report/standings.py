"""Where methods stand over all data sets: mean ranks with intervals, tiers, and what can be said of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spcabench.analysis.contest import Contest, middle
from spcabench.analysis.intervals import Interval
from spcabench.analysis.over_datasets import friedman, iman_davenport, least_datasets
from spcabench.report.entering import ABSENT, WAITING, by_reason, entry_of, is_of, why_outside
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.report.parts import METHOD, Entry, Field, Row, Table
from spcabench.report.tabled import Columns, tabled
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackEntry, TrackName

LEAST = 3
"""Data sets, and methods, that make standings."""

SURE = 0.05

TIME_MARGIN = 0.05
"""Times that differ by no more than this share are ties."""


@dataclass(frozen=True)
class Standing:
    """Where a method stands.

    Parameters
    ----------
    method : str
        Its label.
    tier : int
        1 for those that may be the best over the data sets, 2 for those that may be of the rest, and so on.
    rank : float
        The mean over the data sets of its rank.
    interval : Interval
        Of the mean rank, by bootstrap over the entries of the suite that the data sets come from.
    better, alike, worse : int
        On how many data sets it is above the leader, within the margin of it, and below it.
    p : float
        Of the difference from the leader, adjusted for all pairs of methods.
    n_failed, n_planned : int
        Cells that failed or missed their target, of how many.
    """

    method: str
    tier: int
    rank: float
    interval: Interval
    better: int
    alike: int
    worse: int
    p: float
    n_failed: int
    n_planned: int


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

    @property
    def n_datasets(self) -> int:
        """The data sets."""
        return len(self.contest.names)

    @property
    def n_entries(self) -> int:
        """The entries of the suite that they come from."""
        return len(set(self.contest.families))

    @property
    def least_datasets(self) -> int:
        """With how many data sets a pair of so many methods can be told apart at all."""
        return least_datasets(math.comb(len(self.contest.methods), 2))

    @cached_property
    def rows(self) -> tuple[Standing, ...]:
        """The best mean rank first."""
        return tuple(map(self._row, range(len(self.contest.methods))))

    def _row(self, place: int) -> Standing:
        contest, leader = self.contest, self.contest.leader
        better, worse = int(contest.wins[place, leader]), int(contest.wins[leader, place])
        return Standing(
            contest.methods[place],
            contest.tiers[place],
            float(contest.mean_ranks[place]),
            contest.intervals[place],
            better,
            self.n_datasets - better - worse,
            worse,
            float(contest.p[leader, place]),
            *self.lost[contest.methods[place]],
        )


def standings(results: Results) -> Standings | None:
    """Return where the methods stand, or None where data sets, methods or a comparable column are too few.

    The column is the first ranked one with one scale over data sets.  There must be three methods, and three entries
    of data sets in the suite: the grid of an entry has variants of one data set.

    At each target the methods are ranked, failures and misses last; ranks, and values, are averaged over the targets
    of a data set first, since they are not independent.  A data set with cells that may yet be filled does not count,
    nor does one that could not be had.
    """
    column = next((column for column in results.ranked if _is_comparable(column)), None)
    if column is None:
        return None
    return _over(results, column, results.groups, [entry.label or entry.name for entry in results.suite.datasets])


def of_track(results: Results, track: TrackEntry) -> Standings | None:
    """Return where the methods stand in a track, or None where data sets or methods are too few; as `standings`."""
    return _over(results, results.column(track.metric), results.groups, track.datasets)


def _over(results: Results, column: Column, groups: Iterable[Group], entries: Sequence[str]) -> Standings | None:
    """Rank methods by a column over the data sets of some entries of the suite."""
    asked = [group for group in groups if group.level and group.knob != "none"]
    asked = [group for group in asked if any(is_of(group, entry) for entry in entries)]
    if len({entry_of(group, entries) for group in asked}) < LEAST:
        return None
    open_ = {group.dataset for group in asked if group.statuses.keys() & WAITING}
    there = {group.dataset for group in asked if group.statuses.keys() - ABSENT}
    asked = [group for group in asked if group.dataset in there - open_]
    levels = list(dict.fromkeys((group.dataset, group.n_components, group.level) for group in asked))
    labels = list(dict.fromkeys(group.method for group in asked))
    found = {(group.method, group.dataset, group.n_components, group.level): group for group in asked}
    outside = {label: why_outside(found.get((label, *level)) for level in levels) for label in labels}
    enter = [label for label in labels if not outside[label]]
    if len({dataset for dataset, *_ in levels}) < LEAST or len(enter) < LEAST:
        return None
    board = [[found[label, *level] for label in enter] for level in levels]
    contest = _contest(results, column, board, [entry_of(row[0], entries) for row in board])
    lost = {label: _lost([row[place] for row in board]) for place, label in enumerate(enter)}
    return Standings(column, contest.by_rank(), lost, {label: reason for label, reason in outside.items() if reason})


def _is_comparable(column: Column) -> bool:
    """Return whether differences mean the same on every data set; times are compared where a claim may be made."""
    return column.unit != "s" and all(map(math.isfinite, column.range))


def _contest(results: Results, column: Column, board: list[list[Group]], families: Sequence[str]) -> Contest:
    """Set methods against each other: a row of `board` for each target, with a group for each method."""
    metric = results.metrics[column.metric]
    sign = 1.0 if column.better == "higher" else -1.0
    values = sign * np.array([[_value(group, column, sign) for group in groups] for groups in board])
    margin = metric.margin
    if column.unit == "s":  # ratios of times mean the same on every data set
        values, margin = -np.log(-values), math.log(1.0 + TIME_MARGIN)
    close = max(margin, tie(metric, values.ravel()))
    methods = tuple(group.method for group in board[0])
    datasets = tuple(row[0].dataset for row in board)
    return Contest(methods, values, np.full(len(board), close), datasets, tuple(families))


def _lost(cells: Sequence[Group]) -> tuple[int, int]:
    """Return how many cells of a method failed or missed their target, of how many."""
    planned = sum(one.planned for one in cells)
    return planned - sum(len(one.counted) for one in cells), planned


def _value(group: Group, column: Column, sign: float) -> float:
    """Return the mean over the seeds; where any failed or missed, the median with failures as the worst."""
    values = [value for value in group.value_of(column).values() if math.isfinite(value)]
    return sign * middle([sign * value for value in values], group.planned - len(values))


STANDINGS: Columns[Standing] = (
    (METHOD, lambda one: Entry(one.method)),
    (Field("tier", "tier", numeric=True), lambda one: Entry(one.tier)),
    (Field("rank", "mean rank", numeric=True), lambda one: Entry(one.rank)),
    (Field("rank_low", "from", numeric=True), lambda one: Entry(max(1.0, one.interval.low))),
    (Field("rank_high", "to", numeric=True), lambda one: Entry(one.interval.high)),
    (Field("better", "above the leader", numeric=True), lambda one: Entry(one.better)),
    (Field("alike", "alike", numeric=True), lambda one: Entry(one.alike)),
    (Field("worse", "below", numeric=True), lambda one: Entry(one.worse)),
    (Field("p", "p", numeric=True), lambda one: Entry(one.p)),
    (Field("failed", "failed or missed", numeric=True), lambda one: Entry(one.n_failed, planned=one.n_planned)),
)
"""The columns of the table of standings."""


def table(results: Results) -> Table | None:
    """Make the table of standings."""
    return _tabled("standings", standings(results), "")


def track_table(results: Results, name: TrackName) -> Table | None:
    """Make the table of standings of a track; None if the suite does not have it."""
    track = next((track for track in results.suite.tracks if track.name == name), None)
    if track is None:
        return None
    return _tabled(f"track_{name}", of_track(results, track), f"{name.capitalize()}: {TRACKS[name]}.")


def _tabled(name: str, found: Standings | None, about: str) -> Table | None:
    if found is None:
        return None
    caption = " ".join(filter(None, (about, *_caption(found))))
    return tabled(name, caption, STANDINGS, found.rows, lambda one, e: Row(e, one.method))


def _caption(found: Standings) -> Iterator[str]:
    n, m = found.n_datasets, len(found.rows)
    yield (
        f"Ranks by {found.column.name} over {n} data sets from {found.n_entries} entries of the suite, of {m} methods "
        "with an equal number of nonzeros in each component; failed and missed cells rank last, differences within the "
        "margin of the metric are ties, and the targets of a data set count as one. From, to: 95 % interval of the "
        "mean rank (bootstrap over the entries). Tier 1 are those that may be the best over the data sets, tier 2 "
        "those that may be of the rest, and so on."
    )
    chi, p = friedman(found.contest.ranks), iman_davenport(found.contest.ranks)
    yield f"That all methods are alike: chi = {chi:.1f} (Friedman 1937), p = {p:.2g} (Iman and Davenport 1980)."
    sure = sum(one.p <= SURE for one in found.rows)
    if n < found.least_datasets:
        yield (
            f"{n} data sets cannot tell a pair of {m} methods apart, which takes {found.least_datasets} or more: p is "
            "of the difference from the leader (Wilcoxon 1945), adjusted for all pairs (Holm 1979)."
        )
    else:
        yield (
            "p is of the difference from the leader (Wilcoxon 1945), adjusted for all pairs (Holm 1979): "
            f"{sure} of {m - 1} methods are surely below it."
        )
    if found.elsewhere:
        yield f"Not ranked: {by_reason(found.elsewhere)}."
