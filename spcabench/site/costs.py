"""What methods cost and how often they fail, over the data sets of runs."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from spcabench.report.groups import Group
from spcabench.report.model import COSTS, Results
from spcabench.store.status import FINISHED

TOTAL = COSTS["total_time"]


@dataclass(frozen=True)
class Fits:
    """What the search of a method's penalty spent.

    Parameters
    ----------
    mean, most : float
        Fits of a cell that finished, on average and at most; 0 of a method that takes its number of nonzeros.
    share : float
        Of its seconds of fit and search, those of the search, from 0 to 1.
    """

    mean: float
    most: float
    share: float


def fits(runs: Sequence[Results], datasets: Container[tuple[str, str]]) -> dict[str, Fits]:
    """Return what each method spent on finding its penalties, over the cells with a target that finished."""
    spent: dict[str, list[tuple[float, float, float]]] = {}
    for results in runs:
        there = [(results.folder.path.name, str(name)) in datasets for name in results.frame["dataset"]]
        rows = results.frame[np.array(there, dtype=bool) & results.frame["status"].isin(FINISHED)]
        columns = (rows[name] for name in ("method", "n_fits", "search_time", TOTAL.name))
        for method, *cost in zip(*columns, strict=True):
            if not any(map(math.isnan, cost)):
                spent.setdefault(str(method), []).append((cost[0], cost[1], cost[2]))
    return {label: _fits(np.array(cells)) for label, cells in spent.items()}


def _fits(cells: NDArray[np.float64]) -> Fits:
    number, search, whole = cells.T
    return Fits(float(number.mean()), float(number.max()), float(search.sum() / whole.sum()) if whole.sum() else 0.0)


def time_ratios(runs: Sequence[Results], dense: str, datasets: Container[tuple[str, str]]) -> dict[str, float]:
    """Return the seconds of fit and search of each method, as a ratio to those of the dense control.

    The geometric mean, over data sets, of the geometric means over targets of cells that finished.

    Parameters
    ----------
    runs : sequence of Results
        The runs.
    dense : str
        The label of the dense control.
    datasets : container of (str, str)
        The runs' names and the labels of the data sets that count.
    """
    logs: dict[str, dict[tuple[str, str], list[float]]] = {}
    for results in runs:
        run = results.folder.path.name
        reference = {
            (group.dataset, group.n_components): _seconds(group) for group in results.groups if group.method == dense
        }
        for group in results.groups:
            there = reference.get((group.dataset, group.n_components), math.nan)
            ratio = _seconds(group) / there if there > 0 else math.nan
            if (run, group.dataset) in datasets and ratio > 0:
                logs.setdefault(group.method, {}).setdefault((run, group.dataset), []).append(math.log(ratio))
    return {label: math.exp(fmean(map(fmean, by_dataset.values()))) for label, by_dataset in logs.items()}


def _seconds(group: Group) -> float:
    return group.spread(TOTAL).mean


def failures(runs: Sequence[Results], datasets: Container[tuple[str, str]]) -> Mapping[str, tuple[int, int]]:
    """Return how many cells of each method failed or missed their target, of how many it could enter."""
    found: dict[str, tuple[int, int]] = {}
    for results in runs:
        for group in results.groups:
            if (results.folder.path.name, group.dataset) in datasets and group.state != "not fitted":
                lost, planned = found.get(group.method, (0, 0))
                found[group.method] = lost + group.planned - len(group.counted), planned + group.planned
    return found
