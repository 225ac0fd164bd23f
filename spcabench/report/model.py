"""What a report is made from: a suite as run, one row per planned cell, and the groups of cells that it compares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal

import numpy as np
import pandas as pd

from spcabench.specs import MetricSpec
from spcabench.store.folder import RunFolder
from spcabench.store.frame import ABOUT_CELL, ABOUT_COST, ABOUT_SPARSITY, Level
from spcabench.store.status import FAILED, FINISHED, PENDING
from spcabench.suite.columns import Column, column_of
from spcabench.suite.models import Suite

KEYS = ["dataset", "n_components", "n_nonzero", "method"]
"""What the cells of a group have in common."""

COSTS: Mapping[str, Column] = {
    name: Column(name, unit=unit)
    for name, unit in zip(ABOUT_COST, ("s", "s", "", "count", "share", "s", "count", "s", "MiB"), strict=True)
}
"""What a cell cost, as columns."""

NONZEROS, MISSED = (Column(name, unit="count") for name in ABOUT_SPARSITY)
"""Nonzeros of a component, and components that miss their target: from the record, whatever the metrics."""

TOLERANCE = 1e-6
"""Relative difference up to which two numbers of nonzeros are one."""

State = Literal["finished", "failed", "not fitted"]


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
    """The cells of one data set, sparsity and method, which differ in their seed alone.

    Parameters
    ----------
    dataset, suite_dataset : str
        The data set's label, with its stand-in if there is one; and without.
    n_components : int
        The number of components.
    level : Level
        How many nonzeros were asked for.
    method : str
        The method's label.
    stand_in : bool
        Whether another data set stood in.
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
    suite_dataset: str
    n_components: int
    level: Level
    method: str
    stand_in: bool
    rows: pd.DataFrame
    statuses: Counter[str]
    contended: bool
    spreads: Mapping[str, Spread]

    @cached_property
    def finished(self) -> pd.DataFrame:
        """The cells with metrics."""
        return self.rows[self.rows["status"].isin(FINISHED)]

    def spread(self, column: Column) -> Spread:
        """Summarise a column over the seeds that finished."""
        return self.spreads.get(column.name, NONE)

    @property
    def planned(self) -> int:
        """The number of cells."""
        return self.statuses.total()

    @property
    def n_finished(self) -> int:
        """The number of cells with metrics."""
        return sum(self.statuses[status] for status in FINISHED)

    @property
    def status(self) -> str:
        """The statuses that came up, without repetition."""
        return ", ".join(self.statuses)

    @property
    def state(self) -> State:
        """What became of the cells as a whole."""
        if self.n_finished:
            return "finished"
        return "failed" if self.statuses.keys() & set(FAILED) else "not fitted"

    @property
    def nonzeros(self) -> float:
        """The mean number of nonzeros of a component; nan if none was fitted."""
        return self.spread(NONZEROS).mean

    @property
    def missed(self) -> bool:
        """Whether any component of any seed missed its target."""
        return self.spread(MISSED).mean > 0

    @property
    def too_dense(self) -> bool:
        """Whether there are more nonzeros than asked for, so that a comparison with others would be unfair."""
        return self.missed and self.nonzeros > self.level.mean * (1 + TOLERANCE)


@dataclass(frozen=True)
class Results:
    """Everything a report needs, and nothing that must be fitted.

    Parameters
    ----------
    suite : Suite
        The suite as run.
    folder : RunFolder
        Where the records are, and where the report goes.
    frame : DataFrame
        One row per planned cell, whatever happened to it, as of `spcabench.store.frame.results_frame`.
    metrics : mapping of str to MetricSpec
        The metrics by name.
    command : str
        The command that reproduces the run.
    about : mapping of str to Any
        The environment: what it is, and which.
    form : str
        The scale of the suite, and what was set in it; empty where the run's folder does not say it.
    """

    suite: Suite
    folder: RunFolder
    frame: pd.DataFrame
    metrics: Mapping[str, MetricSpec]
    command: str
    about: Mapping[str, Any]
    form: str = ""

    def column(self, name: str) -> Column:
        """Return the column of a name that the suite or a record writes."""
        column = column_of(name, self.metrics)
        return column if column.metric in self.metrics else COSTS.get(name, column)

    @cached_property
    def values(self) -> list[Column]:
        """The columns that hold metric values."""
        about = {*ABOUT_CELL, *ABOUT_COST, *ABOUT_SPARSITY}
        return [self.column(name) for name in map(str, self.frame.columns) if name not in about]

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of the main table: those the suite asks for, or all with the last of every series."""
        if not self.suite.report.columns:
            return [c for c in self.values if not isinstance(c.index, int) or c == self.series(c.stem)[-1]]
        wanted = map(self.column, self.suite.report.columns)
        return list(dict.fromkeys(self._last(column) for column in wanted))

    @property
    def ranked(self) -> list[Column]:
        """The columns of the main table that have a good direction."""
        return [column for column in self.columns if column.better != "neither"]

    def _last(self, column: Column) -> Column:
        """Return the last of the series of a column that says none of its own; else the column as it is."""
        series = self.series(column.stem)
        return series[-1] if series and column.index is None and column not in self.values else column

    def series(self, stem: str) -> list[Column]:
        """Return the columns of a series: of ``err`` the columns ``err@1``, ``err@10``, ... by rising number."""
        return self._series.get(stem, [])

    @cached_property
    def _series(self) -> dict[str, list[Column]]:
        found: dict[str, list[tuple[int, Column]]] = {}
        for column in self.values:
            if isinstance(column.index, int):
                found.setdefault(column.stem, []).append((column.index, column))
        return {stem: [column for _, column in sorted(members, key=itemgetter(0))] for stem, members in found.items()}

    @property
    def used(self) -> list[MetricSpec]:
        """The metrics that there are values of."""
        return list({c.metric: self.metrics[c.metric] for c in self.values if c.metric in self.metrics}.values())

    @cached_property
    def groups(self) -> list[Group]:
        """The cells that differ in their seed alone, in the order of the suite; none of which all are to be run yet."""
        return [group for group in grouped(self.frame) if group.status != PENDING]

    def of_dataset(self, dataset: str) -> list[Group]:
        """Return the groups of a data set."""
        return self._by_dataset.get(dataset, [])

    @cached_property
    def _by_dataset(self) -> dict[str, list[Group]]:
        found: dict[str, list[Group]] = {}
        for group in self.groups:
            found.setdefault(group.dataset, []).append(group)
        return found

    @cached_property
    def datasets(self) -> list[str]:
        """The labels of the data sets, in the order of the suite."""
        return [str(name) for name in self.frame["dataset"].unique()]

    @cached_property
    def methods(self) -> list[str]:
        """The labels of the methods, in the order of the suite."""
        return [str(name) for name in self.frame["method"].unique()]

    @cached_property
    def stand_ins(self) -> list[str]:
        """The labels of data sets for which another stood in."""
        return [str(name) for name in self.frame.loc[self.frame["stand_in"], "dataset"].unique()]

    def draws(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return every data set's label with what is known of its first draw."""
        for name, draw_ids in self.frame.groupby("dataset", sort=False)["draw_id"].unique().items():
            known = (self.folder.draw(str(draw_id)) for draw_id in draw_ids)
            yield str(name), next((draw for draw in known if draw), {})


def grouped(frame: pd.DataFrame) -> list[Group]:
    """Group the cells that differ in their seed alone, in the order in which labels first appear."""
    ranks = [{value: rank for rank, value in enumerate(frame[key].unique())} for key in KEYS]
    together = frame.groupby(KEYS, sort=False, dropna=False)
    numbers = together.ngroup()
    firsts = frame.drop_duplicates(KEYS)[[*KEYS, "suite_dataset", "stand_in"]].itertuples(index=False, name=None)
    parts = zip(together, firsts, _statuses(frame, numbers), _summaries(frame, numbers), strict=True)
    found = [
        Group(str(dataset), str(suite_dataset), int(n), level, str(method), bool(stand_in), rows, *about, spreads)
        for (_, rows), (dataset, n, level, method, suite_dataset, stand_in), about, spreads in parts
    ]

    def place(group: Group) -> list[int]:
        keys = (group.dataset, group.n_components, group.level, group.method)
        return [rank[key] for rank, key in zip(ranks, keys, strict=True)]

    return sorted(found, key=place)


def _statuses(frame: pd.DataFrame, numbers: pd.Series[int]) -> list[tuple[Counter[str], bool]]:
    """Count the statuses of each group, all groups at once, and whether its times are contended."""
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
