"""Ranks of methods over data sets: against a panel, and among all."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.contest import Contest
from spcabench.analysis.intervals import bootstrap_interval
from spcabench.analysis.paired import differences
from spcabench.site.scores import Mean
from spcabench.site.tasks import Task


def ranks(tasks: Sequence[Task], panel: Sequence[str]) -> dict[str, Mean]:
    """Return the mean rank of each method against a panel, which no other method moves; seconds do not count.

    At a target it is 1 + how many of the panel are better + half of the ties; a method of the panel ties with itself,
    so that a copy of it has its rank.  On a data set it is the mean of the ranks at the targets of its tracks.  The
    interval is by bootstrap over families of data sets: those that come from one entry of a suite.
    """
    rows, places, families = [], [], {}
    for task in tasks:
        if task.seconds:
            continue
        families[task.place] = task.family
        values = task.numbers[list(task.rivals)]
        beside = values[[label for label in panel if label in values]].to_numpy()
        for row, others in zip(values.to_numpy(), beside, strict=True):
            off = differences(others[None, :], row[:, None])
            close = task.close(others)
            better, tied = (off > close).sum(axis=1), (np.abs(off) <= close).sum(axis=1)
            rows.append(dict(zip(task.rivals, 1 + better + tied / 2, strict=True)))
            places.append(task.place)
    if not rows:
        return {}
    by_dataset = pd.DataFrame(rows).groupby(pd.MultiIndex.from_tuples(places), sort=False).mean()
    found = {str(label): values.dropna() for label, values in by_dataset.items()}
    return {
        label: Mean(
            float(np.mean(mine)),
            bootstrap_interval(mine.to_numpy(), [families[place] for place in mine.index]),
            len(mine),
            len(by_dataset),
        )
        for label, mine in found.items()
    }


def _on_one_scale(tasks: Sequence[Task]) -> tuple[Contest, NDArray[np.bool_]]:
    """Return what methods reached on each data set where seconds do not count, and whether they enter each row.

    All that enter any data set are there; those that do not enter one have nan in its rows, as those that failed.  A
    column without a finite range has no scale that data sets share: there it is the share of methods below.
    """
    several = [(task, row) for task in tasks if not task.seconds for row in task.numbers[list(task.rivals)].to_numpy()]
    labels = list(dict.fromkeys(label for task, _ in several for label in task.rivals))
    rows, close = [], []
    for task, found in several:
        here, near = found, task.close(found)
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
        tuple(task.family for task, _ in several),
    )
    return contest, np.array(inside, dtype=bool).reshape(shape)


def contest(tasks: Sequence[Task]) -> Contest | None:
    """Set the methods that enter each data set against each other, the best mean rank first; None if fewer than two."""
    found, inside = _on_one_scale(tasks)
    chosen = [method for place, method in enumerate(found.methods) if inside[:, place].all()]
    return found.among(chosen).by_rank() if len(chosen) > 1 else None
