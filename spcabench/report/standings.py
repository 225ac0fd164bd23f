"""Where methods stand over all data sets: mean ranks with intervals, tiers, and what can be said of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.intervals import Interval, mean_interval
from spcabench.analysis.over_datasets import iman_davenport, least_datasets, tiers, wilcoxon_holm
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.report.parts import METHOD, Entry, Field, Row, Table
from spcabench.report.tabled import Columns, tabled
from spcabench.report.tracks import track_of
from spcabench.store.status import PENDING
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackEntry, TrackName

Matrix = NDArray[np.float64]

LEAST = 3
"""Data sets, and methods, that make standings."""

WAITING = {PENDING, "interrupted"}
"""Statuses of cells that may yet be filled."""

ABSENT = {"skipped", "unavailable"}
"""Statuses of cells that a method cannot enter."""

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
        Student's, of the mean rank, over the data sets.
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


@dataclass(frozen=True)
class Standings:
    """Where the methods stand by a column.

    Parameters
    ----------
    column : Column
        What they are ranked by, at an equal number of nonzeros in each component.
    n_datasets, n_entries : int
        The data sets, and the entries of the suite that they come from.
    p : float
        That all methods are alike.
    rows : tuple of Standing
        The best mean rank first.
    elsewhere : tuple of str
        Methods with a target that are not ranked, as they cannot enter some cell or have their target in total alone.
    """

    column: Column
    n_datasets: int
    n_entries: int
    p: float
    rows: tuple[Standing, ...]
    elsewhere: tuple[str, ...]

    @property
    def least_datasets(self) -> int:
        """With how many data sets a pair of so many methods can be told apart at all."""
        return least_datasets(math.comb(len(self.rows), 2))


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
    return _over(results, column, results.groups, len(results.suite.datasets))


def of_track(results: Results, track: TrackEntry) -> Standings | None:
    """Return where the methods stand in a track, or None where data sets or methods are too few; as `standings`."""
    column = results.column(track.metric)
    groups = [group for group in results.groups if any(_is_of(group, label) for label in track.datasets)]
    entries = [entry.label or entry.name for entry in results.suite.datasets]
    return _over(results, column, groups, sum(any(_is_of(group, label) for group in groups) for label in entries))


def _is_of(group: Group, label: str) -> bool:
    """Return whether a group is of a data set, or of a variant of its grid."""
    return group.suite_dataset == label or group.suite_dataset.startswith(f"{label}(")


def _over(results: Results, column: Column, groups: Iterable[Group], n_entries: int) -> Standings | None:
    """Rank methods by a column over the data sets of some groups."""
    if n_entries < LEAST:
        return None
    asked = [group for group in groups if group.level and group.knob != "none"]
    open_ = {group.dataset for group in asked if group.statuses.keys() & WAITING}
    there = {group.dataset for group in asked if group.statuses.keys() - ABSENT}
    asked = [group for group in asked if group.dataset in there - open_]
    levels = list(dict.fromkeys((group.dataset, group.n_components, group.level) for group in asked))
    labels = list(dict.fromkeys(group.method for group in asked))
    found = {(group.method, group.dataset, group.n_components, group.level): group for group in asked}
    enter = [label for label in labels if all(_enters(found.get((label, *level))) for level in levels)]
    datasets = list(dict.fromkeys(dataset for dataset, *_ in levels))
    if len(datasets) < LEAST or len(enter) < LEAST:
        return None
    board = [[found[label, *level] for label in enter] for level in levels]
    return _standings(results, column, board, labels, n_entries)


def _is_comparable(column: Column) -> bool:
    """Return whether differences mean the same on every data set; times are compared where a claim may be made."""
    return column.unit != "s" and all(map(math.isfinite, column.range))


def _enters(group: Group | None) -> bool:
    """Return whether a method has a result or a failure at an equal number of nonzeros in each component."""
    if group is None or group.statuses.keys() & ABSENT:
        return False
    track = track_of(group)
    return track is None or track.kind == "each"


def _standings(
    results: Results, column: Column, board: list[list[Group]], labels: Sequence[str], n_entries: int
) -> Standings:
    """Rank the groups of each target, a row of `board` each, with a group for each method."""
    metric = results.metrics[column.metric]
    sign = 1.0 if column.better == "higher" else -1.0
    values = sign * np.array([[_value(group, column, sign) for group in groups] for groups in board])
    margin = metric.margin
    if column.unit == "s":  # ratios of times mean the same on every data set
        values, margin = -np.log(-values), math.log(1.0 + TIME_MARGIN)
    close = max(margin, tie(metric, values.ravel()))
    rows = np.array([row[0].dataset for row in board])
    datasets = list(dict.fromkeys(rows))

    def averaged(numbers: Matrix) -> Matrix:
        return np.array([numbers[rows == dataset].mean(axis=0) for dataset in datasets])

    means = averaged(values)
    ranked = averaged(np.array([midranks(row, close) for row in values]))
    ranks = np.array([midranks(-row, 1e-9) for row in ranked])
    leader = int(ranks.mean(axis=0).argmin())
    p, places = wilcoxon_holm(means)[leader], tiers(means, margin, close)
    found = []
    for place, group in enumerate(board[0]):
        off = np.nan_to_num(means[:, place], nan=-np.inf), np.nan_to_num(means[:, leader], nan=-np.inf)
        better, worse = (int((a > b + close).sum()) for a, b in (off, off[::-1]))
        cells = [row[place] for row in board]
        planned = sum(one.planned for one in cells)
        failed = planned - sum(len(one.counted) for one in cells)
        rank = ranks[:, place]
        found.append(
            Standing(
                group.method,
                places[place],
                float(rank.mean()),
                mean_interval(rank),
                better,
                len(datasets) - better - worse,
                worse,
                float(p[place]),
                failed,
                planned,
            )
        )
    found.sort(key=lambda one: one.rank)
    ranked_here = {one.method for one in found}
    elsewhere = tuple(label for label in labels if label not in ranked_here)
    return Standings(column, len(datasets), n_entries, iman_davenport(ranks), tuple(found), elsewhere)


def _value(group: Group, column: Column, sign: float) -> float:
    """Return the mean over the seeds; where any failed or missed, the median with failures as the worst."""
    values = [value for value in group.value_of(column).values() if math.isfinite(value)]
    lost = group.planned - len(values)
    if not lost:
        return float(np.mean(values))
    middle = float(np.median([*values, *[-sign * math.inf] * lost]))
    return middle if math.isfinite(middle) else math.nan


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
        "mean rank (Student). Tier 1 are those that may be the best over the data sets, tier 2 those that may be of "
        "the rest, and so on."
    )
    yield f"That all methods are alike: p = {found.p:.2g} (Iman and Davenport 1980)."
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
        yield f"Not ranked, as they skip some cells or reach their target only in total: {', '.join(found.elsewhere)}."
