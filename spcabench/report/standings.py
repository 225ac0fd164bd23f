"""Where methods stand over all data sets: mean ranks with intervals, tiers, and what can be said of pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spcabench.analysis.best import midranks
from spcabench.analysis.contest import Contest
from spcabench.analysis.over_datasets import friedman, iman_davenport, least_datasets
from spcabench.report.document import METHOD, Columns, Entry, Field, Row, Table, tabled
from spcabench.report.eligibility import by_reason
from spcabench.report.model import Results
from spcabench.report.tasks import Task, over, tasks
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackName

LEAST = 3
"""Data sets, and methods, that make standings."""

PANEL = 10
"""The most methods that mean ranks of a site are against."""

SURE = 0.05


def contest(found: Sequence[Task]) -> Contest | None:
    """Set the methods that enter each of some data sets against each other, the best mean rank first.

    None if fewer than two enter.  A column without a finite range has no scale that data sets share: there a value is
    the share of methods below; of seconds it is minus the logarithm.
    """
    labels = dict.fromkeys(label for task in found for label in task.rivals)
    chosen = [label for label in labels if all(label in task.rivals for task in found)]
    if len(chosen) < 2:
        return None
    rows, close, whose = [], [], []
    for task in found:
        for every in task.numbers[list(task.rivals)].to_numpy():
            here, near = every, task.close(every)
            if not task.seconds and not all(map(math.isfinite, task.metric.range)):
                here, near = np.where(np.isnan(here), here, (len(here) - midranks(here, near)) / len(here)), 0.0
            rows.append(here[[task.rivals.index(label) for label in chosen]])
            close.append(near)
            whose.append(task)
    datasets, families = (f"{task.run}: {task.dataset}" for task in whose), (task.family for task in whose)
    return Contest(tuple(chosen), np.array(rows), np.array(close), tuple(datasets), tuple(families)).by_rank()


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
    return None if column is None else _over(column, list(over(results, None, column, entries)))


def of_track(results: Results, name: TrackName) -> Standings | None:
    """Return where the methods stand in a track, or None where data sets or methods are too few; as `standings`."""
    found = [task for task in tasks(results) if task.track == name]
    return _over(found[0].column, found) if found else None


def _over(column: Column, found: Sequence[Task]) -> Standings | None:
    """Rank methods by a column over some data sets."""
    closed = [task for task in found if not task.open]
    met = contest(closed)
    enough = met is not None and min(len(met.methods), len(closed), len({task.family for task in found})) >= LEAST
    if met is None or not enough:
        return None
    lost = dict.fromkeys(met.methods, (0, 0))
    for reached in (target.reached for task in closed for target in task.targets):
        for label, (failed, planned) in lost.items():
            lost[label] = failed + int(reached[label].isna().sum()), planned + len(reached)
    dense = {label for task in closed for label in task.dense}
    away: dict[str, str] = {}
    for label, reason in (one for task in closed for one in task.outside.items() if one[0] not in dense):
        away.setdefault(label, reason)
    return Standings(column, met, lost, away)


def standings_table(results: Results) -> Table | None:
    """Make the table of standings."""
    return _tabled("standings", standings(results), "")


def track_table(results: Results, name: TrackName) -> Table | None:
    """Make the table of standings of a track; None if the suite does not have it."""
    return _tabled(f"track_{name}", of_track(results, name), f"{name.capitalize()}: {TRACKS[name]}.")


def _tabled(name: str, found: Standings | None, about: str) -> Table | None:
    """Make a table with a row for each method: the best mean rank first, against the leader."""
    if found is None:
        return None
    met, lost = found.contest, [found.lost[method] for method in found.contest.methods]
    above, below = met.wins[:, met.leader], met.wins[met.leader]
    n = len(met.names)

    def rank(at: int) -> Entry:
        mean, low, high = met.mean_ranks[at], max(1.0, met.intervals[at].low), met.intervals[at].high
        return Entry(float(mean), text=f"{mean:.1f} ({low:.1f} to {high:.1f})")

    columns: Columns[int] = (
        (METHOD, lambda at: met.methods[at]),
        (Field("tier", "tier", numeric=True), lambda at: met.tiers[at]),
        (Field("rank", "mean rank", numeric=True), rank),
        (Field("rank_low", "", numeric=True), lambda at: max(1.0, met.intervals[at].low)),
        (Field("rank_high", "", numeric=True), lambda at: met.intervals[at].high),
        (Field("better", "above the leader", numeric=True, rank=1), lambda at: int(above[at])),
        (Field("alike", "alike", numeric=True, rank=1), lambda at: int(n - above[at] - below[at])),
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
        "within the margin of the metric are ties, and the targets of a data set count as one. In brackets is the 95 % "
        "interval of the mean rank (bootstrap over the entries). Tier 1 are those that may be the best over the data "
        "sets, tier 2 those that may be of the rest, and so on."
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
