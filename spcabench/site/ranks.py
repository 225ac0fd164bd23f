"""The mean rank of each method over data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spcabench.analysis.best import midranks
from spcabench.analysis.intervals import Interval, mean_interval
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
        Student's, over the data sets, from 1 up.
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
    values = np.array([math.nan if label in task.failed else task.values[label] for label in labels])
    close = max(task.metric.margin, tie(task.metric, values)) if len(labels) else 0.0
    return dict(zip(labels, map(float, midranks(values, close)), strict=True)) if labels else {}


def ranks(tasks: Sequence[Task]) -> dict[str, Rank]:
    """Return the mean rank of each method; seconds do not count, and tracks of one data set are averaged first."""
    by_dataset: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    for task in tasks:
        if task.column.unit != "s":
            by_dataset.setdefault((task.run, task.dataset), []).append(ranked(task))
    found: dict[str, list[float]] = {}
    for several in by_dataset.values():
        for label in dict.fromkeys(label for one in several for label in one):
            found.setdefault(label, []).append(float(np.mean([one[label] for one in several if label in one])))
    return {label: _rank(values, len(by_dataset)) for label, values in found.items()}


def _rank(values: Sequence[float], of: int) -> Rank:
    interval = mean_interval(values)
    return Rank(float(np.mean(values)), Interval(max(1.0, interval.low), interval.high), len(values), of)
