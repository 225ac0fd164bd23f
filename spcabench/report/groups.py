"""Cells that differ in their seed alone, and what they have in common."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from spcabench.store.record import FINISHED

KEYS = ["dataset", "n_components", "n_nonzero", "method"]


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of some values; nan where there are too few."""

    mean: float
    sd: float
    n: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Summarise the values that are defined."""
        every = np.fromiter(values, dtype=float)
        known = every[~np.isnan(every)]
        mean = float(known.mean()) if known.size else math.nan
        sd = float(known.std(ddof=1)) if known.size > 1 else math.nan
        return cls(mean, sd, known.size)


@dataclass(frozen=True)
class Group:
    """The cells of one data set, sparsity and method.

    Parameters
    ----------
    dataset, method, n_nonzero : str
        Labels.
    n_components : int
        The number of components.
    rows : DataFrame
        The cells, one for each seed.
    """

    dataset: str
    n_components: int
    n_nonzero: str
    method: str
    rows: pd.DataFrame

    @cached_property
    def finished(self) -> pd.DataFrame:
        """The cells with metrics."""
        return self.rows[self.rows["status"].isin(FINISHED)]

    def spread(self, column: str) -> Spread:
        """Summarise a column over the seeds that finished."""
        return self._spreads.get(column, Spread(math.nan, math.nan, 0))

    @cached_property
    def _spreads(self) -> dict[str, Spread]:
        numbers = self.finished.select_dtypes("number")
        summary = zip(numbers.columns, numbers.mean(), numbers.std(ddof=1), numbers.count(), strict=True)
        return {str(column): Spread(float(mean), float(sd), int(n)) for column, mean, sd, n in summary}

    @property
    def status(self) -> str:
        """The statuses that came up, without repetition."""
        return ", ".join(dict.fromkeys(map(str, self.rows["status"])))

    @property
    def seeds(self) -> str:
        """How many seeds finished, and how well."""
        planned, finished = len(self.rows), len(self.finished)
        loose = int((self.rows["status"] == "not_converged").sum())
        text = str(finished) if finished == planned else f"{finished} of {planned}"
        return f"{text} ({loose} not converged)" if loose else text


def group(frame: pd.DataFrame) -> list[Group]:
    """Group the cells that differ in their seed alone, in the order in which labels first appear."""
    ranks = [{value: rank for rank, value in enumerate(frame[key].unique())} for key in KEYS]
    found = [
        Group(str(keys[0]), int(str(keys[1])), str(keys[2]), str(keys[3]), rows)
        for keys, rows in frame.groupby(KEYS, sort=False, dropna=False)
    ]

    def place(group: Group) -> list[int]:
        keys = (group.dataset, group.n_components, group.n_nonzero, group.method)
        return [rank[key] for rank, key in zip(ranks, keys, strict=True)]

    return sorted(found, key=place)
