"""Performance profiles, of gaps to a bound and of seconds: the share of problems, draws at a target, up to a cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from spcabench.analysis.over_datasets import ratios_to_best
from spcabench.report.document import METHOD, Columns, Entry, Field, Table, tabled
from spcabench.report.model import COSTS, Results
from spcabench.site.board import Board
from spcabench.site.tasks import Task
from spcabench.store.status import FINISHED
from spcabench.suite.values import MAIN

PROBLEM = ["dataset", "n_components", "n_nonzero", "seed"]

NO_GAP, TICK = 1e-6, 1e-3
"""Smaller gaps, and shorter times in seconds, count as these."""

FACTORS = (1.0, 2.0, 10.0)
MOST_SECONDS = 1e4
"""Up to this factor of the shortest seconds the profile is drawn."""

MOST_NAMED = 8
"""Curves that have a colour and a name; the rest is grey, and named where the pointer is."""

POINTS = 120
"""Places at which a curve is read off."""


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


def curves(
    title: str, caption: str, axis: str, ends: tuple[float, float], costs: pd.DataFrame, named: Sequence[str]
) -> Curves:
    """Draw the share of each method's costs up to a value; those that are named come last, above the others."""
    low, high = map(math.log10, ends)
    powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    ticks = tuple(((power - low) / (high - low), f"{10.0**power:g}") for power in powers)
    colours = {method: number for number, method in enumerate(named[:MOST_NAMED], 1)}
    order = sorted(map(str, costs), key=lambda method: -colours.get(method, MOST_NAMED + 1))
    places = np.linspace(0.0, 1.0, POINTS + 1).tolist()
    drawn = []
    for method in order:
        shares = [within(costs[method], 10.0 ** (low + place * (high - low))) for place in places]
        drawn.append(Curve(method, tuple(zip(places, shares, strict=True)), colours.get(method, 0)))
    return Curves(title, caption, axis, ticks, tuple(drawn))


def within(costs: ArrayLike, value: float) -> float:
    """Return the share of costs that are at most so large, but for rounding."""
    return float(np.mean(np.asarray(costs) <= value * (1 + 1e-9)))


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


def _problems(found: pd.DataFrame, tasks: Sequence[Task]) -> str:
    n = len({task.place for task in tasks})
    return f"On {len(found)} problems (draws and targets) of {n} data sets, of {found.shape[1]} methods that enter each"


def gaps(board: Board, runs: Sequence[Results], named: Sequence[str]) -> Curves | None:
    """Draw the gaps of the track optimisation; some methods are named."""
    tasks = [one for one in board.tasks if one.track == "optimisation" and one.column.better == "lower"]
    tasks = [one for one in tasks if not one.seconds]
    found = problems(runs, tasks, tasks[0].column.name) if tasks else None
    if found is None:
        return None
    name = tasks[0].column.name
    said = (
        f"{_problems(found, tasks)}: the share on which the {name} is at most so large.  It is a distance to a bound "
        f"that no method moves, so any two curves may be compared.  Values below {NO_GAP:g} count as that; failures "
        "and misses are in no share."
    )
    return curves(f"Share of problems by {name}", said, name, (NO_GAP, 1.0), found.clip(lower=NO_GAP), named)


def times(board: Board, runs: Sequence[Results], named: Sequence[str]) -> Iterator[Curves | Table | None]:
    """Yield Dolan and More's profile of the seconds of fit and search, and a table of its numbers."""
    found = problems(runs, board.tasks, COSTS["total_time"].name)
    if found is None:
        return
    said = (
        f"{_problems(found, board.tasks)}: the share on which a method is within this factor of the shortest seconds "
        "of fit and search of any method (Dolan and More 2002).  It reads against the best only, never to name a "
        f"second.  Values below {TICK:g} count as that; failures and misses are in no share."
    )
    ratios = pd.DataFrame(ratios_to_best(found.to_numpy(), TICK), columns=found.columns)
    yield curves("Performance profile", said, "factor of the shortest seconds", (1.0, MOST_SECONDS), ratios, named)
    shares: Mapping[str, list[float]] = {
        str(method): [float(np.isfinite(costs).mean()), *(within(costs, factor) for factor in FACTORS)]
        for method, costs in ratios.items()
    }
    headings = ("reached", "the best", *(f"within {factor:g} times" for factor in FACTORS[1:]))
    columns: Columns[str] = (
        (METHOD, str),
        *(
            (Field("", heading, numeric=True), lambda method, place=place: Entry(shares[method][place], unit="%"))
            for place, heading in enumerate(headings)
        ),
    )
    caption = "Shares of the problems.  Reached: neither failed nor missed the target."
    yield tabled("", caption, columns, sorted(shares, key=lambda method: [-share for share in shares[method][1:]]))
