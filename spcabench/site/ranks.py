"""Ranks of methods over data sets: against a panel, among all, and pair by pair."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.contest import ROUNDING, Contest
from spcabench.analysis.intervals import Interval, bootstrap_interval
from spcabench.analysis.over_datasets import holm, signed_rank
from spcabench.analysis.paired import differences
from spcabench.report.model import tie
from spcabench.report.standings import SURE
from spcabench.site.tasks import Task


@dataclass(frozen=True)
class Rank:
    """Where a method stands over data sets.

    Parameters
    ----------
    mean : float
        Of its ranks.
    interval : Interval
        By bootstrap over families of data sets: those that come from one entry of a suite.
    n, of : int
        Data sets that it is ranked on, of how many.
    """

    mean: float
    interval: Interval
    n: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether it is over all data sets."""
        return self.n == self.of


def _close(task: Task, values: NDArray[np.float64]) -> float:
    return max(task.metric.margin, tie(task.metric, values))


def quality(tasks: Sequence[Task]) -> list[Task]:
    """Return the data sets that methods are ranked on: seconds do not count."""
    return [task for task in tasks if task.column.unit != "s"]


def ranked(task: Task) -> dict[str, float]:
    """Return the rank of each method on a data set, 1 the best; those without a target are left out.

    It is the rank of the mean of the ranks at its targets.  Values within the margin of the metric, or that are ties,
    share a rank; who failed comes last.
    """
    if not task.rivals:
        return {}
    rows = task.numbers[list(task.rivals)].to_numpy()
    found = np.mean([midranks(row, _close(task, row)) for row in rows], axis=0)
    return dict(zip(task.rivals, map(float, midranks(-found, ROUNDING)), strict=True))


def ranks(tasks: Sequence[Task], panel: Sequence[str]) -> dict[str, Rank]:
    """Return the mean rank of each method against a panel, which no other method moves.

    At a target it is 1 + how many of the panel are better + half of the ties; a method of the panel ties with itself,
    so that a copy of it has its rank.  On a data set it is the mean of the ranks at the targets of its tracks.
    """
    rows, places, families = [], [], {}
    for task in quality(tasks):
        families[task.place] = task.cluster
        values = task.numbers[list(task.rivals)]
        beside = values[[label for label in panel if label in values]].to_numpy()
        for row, others in zip(values.to_numpy(), beside, strict=True):
            off = differences(others[None, :], row[:, None])
            close = _close(task, others)
            better, tied = (off > close).sum(axis=1), (np.abs(off) <= close).sum(axis=1)
            rows.append(dict(zip(task.rivals, 1 + better + tied / 2, strict=True)))
            places.append(task.place)
    if not rows:
        return {}
    by_dataset = pd.DataFrame(rows).groupby(pd.MultiIndex.from_tuples(places), sort=False).mean()
    found = {str(label): values.dropna() for label, values in by_dataset.items()}
    return {
        label: Rank(
            float(np.mean(mine)),
            bootstrap_interval(mine.to_numpy(), [families[place] for place in mine.index]),
            len(mine),
            len(by_dataset),
        )
        for label, mine in found.items()
    }


def on_one_scale(tasks: Sequence[Task]) -> tuple[Contest, NDArray[np.bool_]]:
    """Return what methods reached on each data set where seconds do not count, and whether they enter each row.

    All that enter any data set are there; those that do not enter one have nan in its rows, as those that failed.  A
    column without a finite range has no scale that data sets share: there it is the share of methods below.
    """
    several = [(task, row) for task in quality(tasks) for row in task.numbers[list(task.rivals)].to_numpy()]
    labels = list(dict.fromkeys(label for task, _ in several for label in task.rivals))
    rows, close = [], []
    for task, found in several:
        here, near = found, _close(task, found)
        if not all(map(math.isfinite, task.metric.range)):
            here, near = np.where(np.isnan(here), here, (len(here) - midranks(here, near)) / len(here)), 0.0
        values = dict(zip(task.rivals, here, strict=True))
        rows.append([values.get(label, math.nan) for label in labels])
        close.append(near)
    inside = [[label in task.rivals for label in labels] for task, _ in several]
    shape = (len(rows), len(labels))
    contest = Contest(
        tuple(labels),
        np.array(rows, dtype=float).reshape(shape),
        np.array(close, dtype=float),
        tuple(f"{task.run}: {task.dataset}" for task, _ in several),
        tuple(task.cluster for task, _ in several),
    )
    return contest, np.array(inside, dtype=bool).reshape(shape)


def contest(tasks: Sequence[Task]) -> Contest | None:
    """Set the methods that enter each data set against each other, the best mean rank first; None if fewer than two."""
    found, inside = on_one_scale(tasks)
    chosen = [method for place, method in enumerate(found.methods) if inside[:, place].all()]
    return found.among(chosen).by_rank() if len(chosen) > 1 else None


@dataclass(frozen=True)
class Meeting:
    """A method against another.

    Parameters
    ----------
    other : str
        The other one.
    won, tied, lost : int
        Data sets on which it is above the other by more than the margin, within the margin, and below.
    p : float
        That both are alike (signed-rank test), adjusted for all others that the method meets.
    """

    other: str
    won: int
    tied: int
    lost: int
    p: float

    @property
    def verdict(self) -> str:
        """Which of the two is surely better."""
        if self.p > SURE or self.won == self.lost:
            return "not told apart"
        return "surely better" if self.won > self.lost else "surely worse"


def meetings(tasks: Sequence[Task]) -> dict[str, list[Meeting]]:
    """Return how each method with a target did against each other one; the most wins first."""
    found, inside = on_one_scale(tasks)
    labels, means, margins = found.methods, found.means, found.margins
    entered = np.array([inside[np.array(found.datasets) == name].all(axis=0) for name in found.names])
    met: dict[str, list[Meeting]] = {label: [] for label in labels}
    for a, b in itertools.combinations(range(len(labels)), 2):
        both = entered[:, a] & entered[:, b]
        if not both.any():
            continue
        off = differences(means[both, a], means[both, b])
        won, lost = int((off > margins[both]).sum()), int((off < -margins[both]).sum())
        tied, p = len(off) - won - lost, signed_rank(means[both, a], means[both, b])
        met[labels[a]].append(Meeting(labels[b], won, tied, lost, p))
        met[labels[b]].append(Meeting(labels[a], lost, tied, won, p))
    return {label: _adjusted(several) for label, several in met.items()}


def _adjusted(several: Sequence[Meeting]) -> list[Meeting]:
    adjusted = holm(np.array([one.p for one in several]))
    found = [replace(one, p=float(p)) for one, p in zip(several, adjusted, strict=True)]
    return sorted(found, key=lambda one: one.lost - one.won)
