"""Performance profiles of the site, of gaps to a bound and of seconds: a problem is a draw at a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from spcabench.analysis.over_datasets import ratios_to_best
from spcabench.report.document import METHOD, Entry, Table
from spcabench.report.model import COSTS, Results
from spcabench.site.board import Board
from spcabench.site.pages import right, table
from spcabench.site.plots import Axis, Curves, curves, within
from spcabench.site.tasks import Task
from spcabench.store.status import FINISHED
from spcabench.suite.values import MAIN

PROBLEM = ["dataset", "n_components", "n_nonzero", "seed"]

NO_GAP, TICK = 1e-6, 1e-3
"""Smaller gaps, and shorter times in seconds, count as these."""

FACTORS = (1.0, 2.0, 10.0)
MOST_GAPS, MOST_SECONDS = 1e5, 1e4
"""Up to these factors profiles are drawn."""


def problems(runs: Sequence[Results], tasks: Sequence[Task], column: str) -> pd.DataFrame | None:
    """Return the costs on each draw and target of some data sets, in a column for each method that enters all of them.

    Smaller is better; a cell that failed or missed its target is infinite.  None if fewer than two methods enter each.

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
    found = []
    for run in runs:
        frame, datasets = run.frame, {task.dataset for task in tasks if task.run == run.folder.path.name}
        rows = frame["dataset"].isin(datasets) & (frame["knob"] != "none") & frame["start"].isin(MAIN)
        if column in frame and rows.any():
            some = frame.loc[rows, [*PROBLEM, "method", "status", "missed_components", column]]
            failed = ~some["status"].isin(FINISHED) | (some["missed_components"] > 0)
            some = some.assign(cost=some[column].astype(float).mask(failed, np.inf))
            wide = some.groupby([*PROBLEM, "method"], sort=False)["cost"].first().unstack("method")
            found.append(wide.reindex(columns=labels))
    if len(labels) < 2 or not found:
        return None
    costs = pd.concat(found, ignore_index=True)
    costs = costs[costs.lt(np.inf).any(axis=1) | costs.notna().all(axis=1)]  # nan is what was not measured
    return costs.fillna(np.inf) if len(costs) else None


def gaps(board: Board, runs: Sequence[Results], named: Sequence[str]) -> Iterator[Curves | Table]:
    """Yield profiles of the gaps of the track optimisation; some methods are drawn in colour."""
    tasks = [one for one in board.tasks if one.track == "optimisation"]
    tasks = [one for one in tasks if one.column.better == "lower" and one.column.unit != "s"]
    found = problems(runs, tasks, tasks[0].column.name) if tasks else None
    if found is None:
        return
    name, on = tasks[0].column.name, _problems(found, tasks)
    said = (
        f"On {on}: the share on which the {name} is at most so large.  It is a distance to a bound that no method "
        f"moves, so any two curves may be compared.  Values below {NO_GAP:g} count as that; failures and misses are in "
        "no share."
    )
    axis = Axis(name, NO_GAP, 1.0, log=True)
    raised = {str(label): costs.clip(lower=NO_GAP) for label, costs in found.items()}
    yield curves(f"Share of problems by {name}", said, axis, raised, named)
    yield from _profile(found, on, NO_GAP, f"the least {name}", MOST_GAPS, named)


def times(board: Board, runs: Sequence[Results], named: Sequence[str]) -> Iterator[Curves | Table]:
    """Yield the profile of the seconds of fit and search, over all data sets."""
    found = problems(runs, board.tasks, COSTS["total_time"].name)
    if found is not None:
        least = "the shortest seconds of fit and search"
        yield from _profile(found, _problems(found, board.tasks), TICK, least, MOST_SECONDS, named)


def _problems(found: pd.DataFrame, tasks: Sequence[Task]) -> str:
    n = len({task.place for task in tasks})
    return f"{len(found)} problems (draws and targets) of {n} data sets, of {found.shape[1]} methods that enter each"


def _profile(
    found: pd.DataFrame, on: str, floor: float, least: str, most: float, named: Sequence[str]
) -> Iterator[Curves | Table]:
    """Yield Dolan and More's profile, and the table of its numbers."""
    ratios = dict(zip(map(str, found), ratios_to_best(found.to_numpy(), floor).T, strict=True))
    said = (
        f"On {on}: the share on which a method is within this factor of {least} of any method (Dolan and More 2002).  "
        f"It reads against the best only, never to name a second.  Values below {floor:g} count as that; failures and "
        "misses are in no share."
    )
    yield curves("Performance profile", said, Axis(f"factor of {least}", 1.0, most, log=True), ratios, named)
    order = sorted(ratios, key=lambda method: [-share for share in _near(ratios[method])])
    reached = {method: (float(np.isfinite(ratios[method]).mean()), *_near(ratios[method])) for method in order}
    headings = ("the best" if factor == 1 else f"within {factor:g} times" for factor in FACTORS)
    yield from table(
        "Shares of the problems.  Reached: neither failed nor missed the target.",
        [METHOD, right("reached", "reached"), *(right("", heading) for heading in headings)],
        [(method, *(Entry(share, unit="%") for share in shares)) for method, shares in reached.items()],
    )


def _near(ratios: ArrayLike) -> list[float]:
    """Return the shares of the problems on which a method is within each of the `FACTORS` of the best."""
    return [within(ratios, factor) for factor in FACTORS]
