"""Costs of methods, problem by problem, for performance profiles: a problem is a draw at a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.report.model import Results
from spcabench.site.tasks import Task
from spcabench.store.status import FINISHED
from spcabench.suite.values import MAIN

PROBLEM = ["dataset", "n_components", "n_nonzero", "seed"]


@dataclass(frozen=True, eq=False)
class Problems:
    """What methods paid on the same problems.

    Parameters
    ----------
    methods : tuple of str, length m
        Those that enter each of the data sets.
    costs : ndarray of shape (n_problems, m)
        Smaller is better; infinite where a cell failed or missed its target.
    n_datasets : int
        The data sets that the problems are drawn from.
    """

    methods: tuple[str, ...]
    costs: NDArray[np.float64]
    n_datasets: int


def problems(runs: Sequence[Results], tasks: Sequence[Task], column: str) -> Problems | None:
    """Return the costs on each draw and target of some data sets; None if fewer than two methods enter each.

    Parameters
    ----------
    runs : sequence of Results
        The runs.
    tasks : sequence of Task
        The data sets.
    column : str
        The name of the column that has the costs.
    """
    labels = [label for label in (tasks[0].rivals if tasks else ()) if all(label in task.rivals for task in tasks)]
    if len(labels) < 2:
        return None
    wide = [_costs(run, {task.dataset for task in tasks if task.run == run.folder.path.name}, column) for run in runs]
    found = pd.concat([one.reindex(columns=labels) for one in wide if one is not None]).to_numpy(dtype=float)
    found = found[np.isfinite(found).any(axis=1) | ~np.isnan(found).any(axis=1)]
    if not len(found):
        return None
    costs = np.where(np.isnan(found), np.inf, found)
    return Problems(tuple(labels), costs, len({(task.run, task.dataset) for task in tasks}))


def _costs(run: Results, datasets: set[str], column: str) -> pd.DataFrame | None:
    """Return a row for each problem and a column for each method; nan where nothing was measured."""
    frame = run.frame
    rows = frame["dataset"].isin(datasets) & (frame["knob"] != "none") & frame["start"].isin(MAIN)
    if column not in frame or not rows.any():
        return None
    some = frame.loc[rows, [*PROBLEM, "method", "status", "missed_components", column]]
    failed = ~some["status"].isin(FINISHED) | (some["missed_components"] > 0)
    some = some.assign(cost=some[column].astype(float).mask(failed, np.inf))
    return some.groupby([*PROBLEM, "method"], sort=False)["cost"].first().unstack("method")
