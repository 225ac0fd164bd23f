"""The mean rank of each method over data sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.contest import ROUNDING, Contest
from spcabench.analysis.intervals import Interval, bootstrap_interval
from spcabench.analysis.over_datasets import differences
from spcabench.report.model import tie
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


def ranked(task: Task) -> dict[str, float]:
    """Return the rank of each method on a data set, 1 the best; those without a target are left out.

    It is the rank of the mean of the ranks at its targets.  Values within the margin of the metric, or that are ties,
    share a rank; who failed comes last.
    """
    labels = task.rivals
    if not labels:
        return {}
    found = np.mean([midranks(row, _close(task, row)) for row in task.numbers(labels)], axis=0)
    return dict(zip(labels, map(float, midranks(-found, ROUNDING)), strict=True))


def _close(task: Task, values: NDArray[np.float64]) -> float:
    return max(task.metric.margin, tie(task.metric, values))


def quality(tasks: Sequence[Task]) -> list[Task]:
    """Return the data sets that methods are ranked on: seconds do not count."""
    return [task for task in tasks if task.column.unit != "s"]


def ranks(tasks: Sequence[Task], panel: Sequence[str]) -> dict[str, Rank]:
    """Return the mean rank of each method against a panel, which no other method moves.

    On a data set it is the mean of the ranks at the targets of its tracks, of which seconds do not count.
    """
    by_dataset: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    families = {}
    for task in quality(tasks):
        by_dataset.setdefault((task.run, task.dataset), []).extend(against(task, panel))
        families[task.run, task.dataset] = (task.run, task.family)
    found: dict[str, dict[tuple[str, str], float]] = {}
    for dataset, several in by_dataset.items():
        for label in dict.fromkeys(label for one in several for label in one):
            mean = float(np.mean([one[label] for one in several if label in one]))
            found.setdefault(label, {})[dataset] = mean
    return {
        label: Rank(
            float(np.mean(list(mine.values()))),
            bootstrap_interval(list(mine.values()), [families[dataset] for dataset in mine]),
            len(mine),
            len(by_dataset),
        )
        for label, mine in found.items()
    }


def against(task: Task, panel: Sequence[str]) -> Iterator[dict[str, float]]:
    """Yield the ranks of methods against a panel, at each target: 1 + how many of it are better + half of the ties.

    A method of the panel ties with itself, so that a copy of it has its rank.
    """
    rivals = list(task.rivals)
    others = [label for label in panel if label in rivals]
    for target in task.targets:
        values = np.array([target.middle(label) for label in rivals])
        beside = np.array([target.middle(label) for label in others])
        off = differences(beside[None, :], values[:, None])
        close = _close(task, beside)
        better, tied = (off > close).sum(axis=1), (np.abs(off) <= close).sum(axis=1)
        yield dict(zip(rivals, map(float, 1 + better + tied / 2), strict=True))


@dataclass(frozen=True, eq=False)
class Scaled:
    """What methods with a target reached on each data set, on one scale.

    Parameters
    ----------
    methods : tuple of str, length m
        All that enter any data set.
    rows : tuple of Task
        The data set of each target of each track.
    values : ndarray of shape (n_rows, m)
        Larger is better; nan is a failure, or a data set that the method does not enter.
    close : ndarray of shape (n_rows,)
        Values that differ by no more tie.
    inside : ndarray of bool, shape (n_rows, m)
        Whether the method enters.
    """

    methods: tuple[str, ...]
    rows: tuple[Task, ...]
    values: NDArray[np.float64]
    close: NDArray[np.float64]
    inside: NDArray[np.bool_]

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data set of each row."""
        return tuple(f"{row.run}: {row.dataset}" for row in self.rows)

    def among(self, places: NDArray[np.intp]) -> Contest:
        """Return the contest among some of the methods, all of which enter each data set."""
        families = tuple(f"{row.run}: {row.family}" for row in self.rows)
        methods = tuple(self.methods[place] for place in places)
        return Contest(methods, self.values[:, places], self.close, self.datasets, families)

    @cached_property
    def whole(self) -> Contest:
        """All methods; those that do not enter a data set have nan there."""
        return self.among(np.arange(len(self.methods)))

    @property
    def means(self) -> NDArray[np.float64]:
        """The mean over the tracks of each data set, shape (n_datasets, m)."""
        return self.whole.means

    @property
    def margins(self) -> NDArray[np.float64]:
        """Means that differ by no more tie, shape (n_datasets,)."""
        return self.whole.margins

    @cached_property
    def entered(self) -> NDArray[np.bool_]:
        """Whether the method enters each track of a data set, shape (n_datasets, m)."""
        labels = np.array(self.datasets)
        return np.array([self.inside[labels == name].all(axis=0) for name in self.whole.names])


def on_one_scale(tasks: Sequence[Task]) -> Scaled:
    """Return what methods reached where seconds do not count.

    A column without a finite range has no scale that data sets share: there it is the share of methods below.
    """
    several = quality(tasks)
    labels = list(dict.fromkeys(label for task in several for label in task.rivals))
    rows = [task for task in several for _ in task.targets]
    inside = np.array([[label in task.rivals for label in labels] for task in rows]).reshape(len(rows), len(labels))
    values = np.full(inside.shape, math.nan)
    close = np.zeros(len(rows))
    numbers = [here for task in several for here in task.numbers(task.rivals)]
    for place, (task, here) in enumerate(zip(rows, numbers, strict=True)):
        near = _close(task, here)
        if not all(map(math.isfinite, task.metric.range)):
            here, near = np.where(np.isnan(here), here, (len(here) - midranks(here, near)) / len(here)), 0.0
        columns = [labels.index(label) for label in task.rivals]
        values[place, columns], close[place] = here, near
    return Scaled(tuple(labels), tuple(rows), values, close, inside)


def contest(tasks: Sequence[Task]) -> Contest | None:
    """Set the methods that enter each data set against each other, the best mean rank first; None if fewer than two."""
    found = on_one_scale(tasks)
    places = np.flatnonzero(found.inside.all(axis=0)) if found.rows else np.array([], dtype=np.intp)
    return found.among(places).by_rank() if len(places) > 1 else None
