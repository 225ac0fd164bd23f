"""Profiles of gaps to a bound and of seconds: on what share of the problems, draws at a target, a cost is reached."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from spcabench.analysis.contest import ROUNDING
from spcabench.report.document import METHOD, Columns, Entry, Field, Table, tabled
from spcabench.report.model import COSTS, Results
from spcabench.report.tasks import Task
from spcabench.site.board import Board
from spcabench.store.status import FINISHED
from spcabench.suite.values import MAIN

PROBLEM = ["dataset", "n_components", "n_nonzero", "seed"]

GAPS, SECONDS = (1e-6, 1.0), (1e-3, 1e2)
"""Where the axes of gaps and of seconds begin and end; what is smaller counts as the beginning."""

MOST_NAMED = 8
"""Curves that have a colour and a name; the rest is grey, and named where the pointer is."""

POINTS = 120
"""Steps between the places at which a curve is read off; a multiple of those between the ticks."""


@dataclass(frozen=True)
class Curve:
    """A curve: whose it is, its points as places, and the number of its colour from 1 up, 0 for grey."""

    method: str
    points: tuple[tuple[float, float], ...]
    colour: int


@dataclass(frozen=True)
class Curves:
    """Shares from 0 to 1, a curve for each method, along an axis of which the page shows some ticks.

    Places are from 0 to 1, so that the page stretches them to its width; steps along the axis are factors.
    """

    title: str
    caption: str
    axis: str
    ticks: tuple[tuple[float, str], ...]
    curves: tuple[Curve, ...]


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


def profiles(board: Board, runs: Sequence[Results]) -> Iterator[Curves | Table | None]:
    """Yield the profiles of the gaps of the track optimisation, and of the seconds of fit and search."""
    named = [label for label in board.controls.panel if label in board.ranked]
    bounded = [one for one in board.tasks if one.track == "optimisation" and one.column.better == "lower"]
    if bounded and not bounded[0].seconds:
        yield from _profile(runs, bounded, bounded[0].column.name, bounded[0].column.name, GAPS, named)
    yield from _profile(runs, board.tasks, COSTS["total_time"].name, "seconds of fit and search", SECONDS, named)


def _profile(
    runs: Sequence[Results],
    tasks: Sequence[Task],
    column: str,
    what: str,
    ends: tuple[float, float],
    named: Sequence[str],
) -> Iterator[Curves | Table | None]:
    """Yield the share of problems on which each method costs at most so much, as curves and as a table."""
    found = problems(runs, tasks, column)
    if found is None:
        return
    low, high = map(math.log10, ends)
    places = np.linspace(0.0, 1.0, POINTS + 1)
    limits = (1 + ROUNDING) * 10.0 ** (low + places * (high - low))
    costs = np.maximum(found.to_numpy(), ends[0])
    shares = {str(method): (own[:, None] <= limits).mean(axis=0) for method, own in zip(found, costs.T, strict=True)}
    colours = {method: number for number, method in enumerate(named[:MOST_NAMED], 1)}
    drawn = [
        Curve(method, tuple(zip(places.tolist(), shares[method].tolist(), strict=True)), colours.get(method, 0))
        for method in sorted(shares, key=lambda method: -colours.get(method, MOST_NAMED + 1))  # the first is on top
    ]
    n = len({task.place for task in tasks})
    said = (
        f"On {len(found)} problems (draws and targets) of {n} data sets, of {len(shares)} methods that enter each: the "
        f"share on which the {what} is at most so large.  No method moves the curve of another, so any two may be "
        f"compared.  Values below {ends[0]:g} count as that; failures and misses are in no share."
    )
    powers = range(round(low), round(high) + 1)
    ticks = tuple(((power - low) / (high - low), f"{10.0**power:g}") for power in powers)
    yield Curves(f"Share of problems by {what}", said, what, ticks, tuple(drawn))

    def share(method: str, place: float) -> Entry:
        return Entry(float(shares[method][round(place * POINTS)]), unit="%")

    columns: Columns[str] = (
        (METHOD, str),
        *((Field("", f"up to {text}", numeric=True), partial(share, place=place)) for place, text in ticks),
    )
    order = sorted(shares, key=lambda method: -float(shares[method].sum()))
    yield tabled("", "Shares of the problems, the largest area below the curve first.", columns, order)
