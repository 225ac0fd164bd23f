"""The mean rank of each method over data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.contest import Contest
from spcabench.analysis.intervals import Interval, bootstrap_interval
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

    Values within the margin of the metric, or that are ties, share a rank; who has no result comes last.
    """
    labels = [label for label in task.values if label not in task.dense]
    values = _values(task, labels)
    return dict(zip(labels, map(float, midranks(values, _close(task, values))), strict=True)) if labels else {}


def _values(task: Task, labels: Sequence[str]) -> NDArray[np.float64]:
    """Return what methods reached; nan, the worst, of those that failed."""
    return np.array([math.nan if label in task.failed else task.values[label] for label in labels])


def _close(task: Task, values: NDArray[np.float64]) -> float:
    return max(task.metric.margin, tie(task.metric, values))


def quality(tasks: Sequence[Task]) -> list[Task]:
    """Return the data sets that methods are ranked on: seconds do not count."""
    return [task for task in tasks if task.column.unit != "s"]


def ranks(tasks: Sequence[Task]) -> dict[str, Rank]:
    """Return the mean rank of each method; seconds do not count, and tracks of one data set are averaged first."""
    by_dataset: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    families = {}
    for task in quality(tasks):
        by_dataset.setdefault((task.run, task.dataset), []).append(ranked(task))
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


@dataclass(frozen=True, eq=False)
class Scaled:
    """What methods with a target reached on each data set, on one scale.

    Parameters
    ----------
    methods : tuple of str, length m
        All that enter any data set.
    rows : tuple of Task
        The data sets of each track.
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
    rows = quality(tasks)
    dense = {label for row in rows for label in row.dense}
    labels = list(dict.fromkeys(label for row in rows for label in row.values if label not in dense))
    inside = np.array([[label in row.values for label in labels] for row in rows]).reshape(len(rows), len(labels))
    values = np.full(inside.shape, math.nan)
    close = np.zeros(len(rows))
    for place, row in enumerate(rows):
        here = _values(row, [label for label in labels if label in row.values])
        close[place] = _close(row, here)
        if not all(map(math.isfinite, row.metric.range)):
            here, close[place] = (len(here) - midranks(here, close[place])) / len(here), 0.0
        values[place, inside[place]] = here
    return Scaled(tuple(labels), tuple(rows), values, close, inside)


def contest(tasks: Sequence[Task]) -> Contest | None:
    """Set the methods that enter each data set against each other, the best mean rank first; None if fewer than two."""
    found = on_one_scale(tasks)
    places = np.flatnonzero(found.inside.all(axis=0)) if found.rows else np.array([], dtype=np.intp)
    return found.among(places).by_rank() if len(places) > 1 else None
