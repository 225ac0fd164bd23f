"""The cells that differ in their seed alone, and what they reached.

The numbers of a group are those of the seeds that reached the target; of all that finished, if none did.  Seeds that
reached it and seeds that missed it are thus never in one mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd

from spcabench.analysis.times import Clocked, clocked
from spcabench.store.frame import ABOUT_SPARSITY, Level
from spcabench.store.status import FAILED, FINISHED, PENDING
from spcabench.suite.columns import Column

KEYS = ["dataset", "n_components", "n_nonzero", "method", "start"]
"""What the cells of a group have in common."""

NONZEROS = Column(ABOUT_SPARSITY[0], unit="count")
"""Nonzeros of a component: from the record, whatever the metrics."""

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
class Fit:
    """What a cell that finished reached.

    Parameters
    ----------
    seed : int
        Its seed.
    missed : bool
        Whether any component missed its target.
    nnz : tuple of int
        The nonzeros of each component.
    knob : str
        How its sparsity is set, as of `spcabench.specs.Knob`.
    """

    seed: int
    missed: bool
    nnz: tuple[int, ...]
    knob: str


class Columns:
    """The columns of a frame as lists, each made once: a frame of pandas is slow to ask for a few cells at a time."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._lists: dict[str, list[Any]] = {}

    def of(self, name: str, places: Sequence[int]) -> list[Any]:
        """Return a column at some places, counted from 0."""
        if name not in self._lists:
            self._lists[name] = self.frame[name].tolist()
        column = self._lists[name]
        return [column[place] for place in places]


@dataclass(frozen=True)
class Group:
    """The cells of one data set, sparsity, method and start, which differ in their seed alone.

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
    start : str
        Where it starts, as of `spcabench.suite.values`.
    stand_in : bool
        Whether another data set stood in.
    columns : Columns
        Those of the cells of all groups.
    places : tuple of int
        Where the cells of the group are among them, one for each seed.
    statuses : Counter of str
        How often each status came up among the cells, in the order in which they first did.
    contended : bool
        Whether other work shared the machine while one of the cells that finished was fitted.
    spreads : mapping of str to Spread
        Every number on record, summed up over the cells that count; see `measured`.
    """

    dataset: str
    suite_dataset: str
    n_components: int
    level: Level
    method: str
    start: str
    stand_in: bool
    columns: Columns
    places: tuple[int, ...]
    statuses: Counter[str]
    contended: bool
    spreads: Mapping[str, Spread]

    def cells(self, name: str) -> list[Any]:
        """Return a column of the cells, one entry for each seed."""
        return self.columns.of(name, self.places)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The cells, one for each seed."""
        return self.columns.frame.iloc[list(self.places)]

    @cached_property
    def finished(self) -> pd.DataFrame:
        """The cells with metrics."""
        return self.rows[self.rows["status"].isin(FINISHED)]

    @cached_property
    def measured(self) -> pd.DataFrame:
        """The cells whose numbers count: those that reached the target, or all that finished if none did."""
        return self.rows[[seed in self.measured_seeds for seed in self.seeds]]

    def spread(self, column: Column) -> Spread:
        """Summarise a column over the cells that count; see `measured`."""
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
        """The mean number of nonzeros of a component over the cells that count; nan if there is none."""
        return self.spread(NONZEROS).mean

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """The cells that finished, in the order of their seeds."""
        columns = (self.cells(name) for name in ("seed", "status", "missed_components", "nnz", "knob"))
        return tuple(
            Fit(int(seed), missed > 0, nnz, knob)
            for seed, status, missed, nnz, knob in zip(*columns, strict=True)
            if status in FINISHED
        )

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were planned."""
        return tuple(map(int, self.cells("seed")))

    @property
    def knob(self) -> str:
        """How its sparsity is set, as of `spcabench.specs.Knob`."""
        return str(self.columns.of("knob", self.places[:1])[0])

    @property
    def random_data(self) -> bool:
        """Whether the data depend on the seed."""
        return bool(self.columns.of("random_data", self.places[:1])[0])

    @property
    def n_missed(self) -> int:
        """The number of cells that finished and missed their target."""
        return sum(fit.missed for fit in self.fits)

    @cached_property
    def counted(self) -> frozenset[int]:
        """The seeds that finished and did not miss their target."""
        return frozenset(fit.seed for fit in self.fits if not fit.missed)

    @property
    def measured_seeds(self) -> frozenset[int]:
        """The seeds whose numbers count: those that reached the target, or all that finished if none did."""
        return self.counted or frozenset(fit.seed for fit in self.fits)

    @cached_property
    def clocks(self) -> Mapping[int, Clocked]:
        """The times of each seed that counts."""
        columns = (self.cells(name) for name in ("seed", "cpu_times", "wall_times", "threads"))
        return {
            int(seed): clocked(cpu, wall, int(threads))
            for seed, cpu, wall, threads in zip(*columns, strict=True)
            if seed in self.counted and cpu
        }

    @property
    def programs(self) -> Iterator[str]:
        """The programs that timed the cells that finished by clocks of their own, cell by cell."""
        cells = zip(self.cells("status"), self.cells("own_clock"), strict=True)
        return (str(program) for status, program in cells if status in FINISHED and program)

    def value_of(self, column: Column) -> Mapping[int, float]:
        """Return a column's value of each seed that counts; nothing of a column that no cell of the run has."""
        if column.name not in self.columns.frame:
            return {}
        values = zip(self.seeds, self.cells(column.name), strict=True)
        counted = self.counted
        return {seed: float(value) for seed, value in values if seed in counted}


def grouped(frame: pd.DataFrame) -> list[Group]:
    """Group the cells that differ in their seed alone, in the order in which labels first appear.

    There is no group of cells none of which was begun.
    """
    ranks = [{value: rank for rank, value in enumerate(frame[key].unique())} for key in KEYS]
    begun = (frame["status"] != PENDING).groupby([frame[key] for key in KEYS], sort=False, dropna=False)
    frame = frame[begun.transform("any")]
    if frame.empty:
        return []
    numbers = frame.groupby(KEYS, sort=False, dropna=False).ngroup()
    columns = Columns(frame)
    places: list[list[int]] = [[] for _ in range(int(numbers.max()) + 1)]
    for place, number in enumerate(numbers):
        places[number].append(place)
    firsts = frame.drop_duplicates(KEYS)[[*KEYS, "suite_dataset", "stand_in"]].itertuples(index=False, name=None)
    parts = zip(places, firsts, _statuses(frame, numbers), _summaries(frame, numbers), strict=True)
    found = [
        Group(
            str(dataset),
            str(suite_dataset),
            int(n),
            level,
            str(method),
            str(start),
            bool(stand_in),
            columns,
            tuple(own),
            *about,
            spreads,
        )
        for own, (dataset, n, level, method, start, suite_dataset, stand_in), about, spreads in parts
    ]

    def order(group: Group) -> list[int]:
        keys = (group.dataset, group.n_components, group.level, group.method, group.start)
        return [rank[key] for rank, key in zip(ranks, keys, strict=True)]

    return sorted(found, key=order)


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
    values = frame.select_dtypes("number").where(_measured(frame, numbers)).groupby(numbers)
    mean, sd, count = (table.to_numpy() for table in (values.mean(), values.std(ddof=1), values.count()))
    columns = [str(column) for column in values.obj.columns]
    for means, sds, counts in zip(mean, sd, count, strict=True):
        summary = zip(columns, means, sds, counts, strict=True)
        yield {column: Spread(float(mean), float(sd), int(n)) for column, mean, sd, n in summary if n}


def _measured(frame: pd.DataFrame, numbers: pd.Series[int]) -> pd.Series[bool]:
    """Return which cells count: those that reached the target, or all that finished in a group where none did."""
    finished = frame["status"].isin(FINISHED)
    reached = finished & ~(frame["missed_components"] > 0)
    return reached | (finished & ~reached.groupby(numbers).transform("any"))
