"""Cells that differ in their seed alone, and what they have in common."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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


NONE = Spread(math.nan, math.nan, 0)


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
    statuses : Counter of str
        How often each status came up among the cells, in the order in which they first did.
    contended : bool
        Whether other work shared the machine while one of the cells that finished was fitted.
    spreads : mapping of str to Spread
        Every number on record, summed up over the cells that finished.
    """

    dataset: str
    n_components: int
    n_nonzero: str
    method: str
    rows: pd.DataFrame
    statuses: Counter[str]
    contended: bool
    spreads: Mapping[str, Spread]

    @cached_property
    def finished(self) -> pd.DataFrame:
        """The cells with metrics."""
        return self.rows[self.rows["status"].isin(FINISHED)]

    def spread(self, column: str) -> Spread:
        """Summarise a column over the seeds that finished."""
        return self.spreads.get(column, NONE)

    @property
    def n_finished(self) -> int:
        """The number of cells with metrics."""
        return sum(self.statuses[status] for status in FINISHED)

    @property
    def status(self) -> str:
        """The statuses that came up, without repetition."""
        return ", ".join(self.statuses)

    @property
    def seeds(self) -> str:
        """How many seeds finished, and how well."""
        planned, finished, loose = self.statuses.total(), self.n_finished, self.statuses["not_converged"]
        text = str(finished) if finished == planned else f"{finished} of {planned}"
        return f"{text} ({loose} not converged)" if loose else text


def group(frame: pd.DataFrame) -> list[Group]:
    """Group the cells that differ in their seed alone, in the order in which labels first appear."""
    ranks = [{value: rank for rank, value in enumerate(frame[key].unique())} for key in KEYS]
    together = frame.groupby(KEYS, sort=False, dropna=False)
    numbers = together.ngroup()
    parts = zip(together, _statuses(frame, numbers), _summaries(frame, numbers), strict=True)
    found = [
        Group(str(keys[0]), int(str(keys[1])), str(keys[2]), str(keys[3]), rows, *about, spreads)
        for (keys, rows), about, spreads in parts
    ]

    def place(group: Group) -> list[int]:
        keys = (group.dataset, group.n_components, group.n_nonzero, group.method)
        return [rank[key] for rank, key in zip(ranks, keys, strict=True)]

    return sorted(found, key=place)


def _statuses(frame: pd.DataFrame, numbers: pd.Series[int]) -> list[tuple[Counter[str], bool]]:
    """Count the statuses of each group, all groups at once, and tell whether its times are contended."""
    counts = [Counter[str]() for _ in range(int(numbers.max()) + 1)]
    contended = [False] * len(counts)
    for place, status, shared in zip(numbers, map(str, frame["status"]), frame["contended"], strict=True):
        counts[place][status] += 1
        contended[place] |= shared is True and status in FINISHED
    return list(zip(counts, contended, strict=True))


def _summaries(frame: pd.DataFrame, numbers: pd.Series[int]) -> Iterator[dict[str, Spread]]:
    """Sum up the numeric columns of each group, all groups at once: one at a time takes minutes where they are many."""
    finished = frame["status"].isin(FINISHED)
    values = frame.select_dtypes("number").where(finished).groupby(numbers)
    mean, sd, count = (table.to_numpy() for table in (values.mean(), values.std(ddof=1), values.count()))
    columns = [str(column) for column in values.obj.columns]
    for means, sds, counts in zip(mean, sd, count, strict=True):
        summary = zip(columns, means, sds, counts, strict=True)
        yield {column: Spread(float(mean), float(sd), int(n)) for column, mean, sd, n in summary if n}
