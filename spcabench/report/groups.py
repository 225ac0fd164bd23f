"""The cells that differ in their seed alone, and what they reached.

The numbers of a group are those of the seeds that reached the target; of all that finished, if none did.  Seeds that
reached it and seeds that missed it are thus never in one mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from spcabench.store.frame import ABOUT_SPARSITY, Level
from spcabench.store.status import FINISHED, PENDING
from spcabench.suite.columns import Column

KEYS = ["dataset", "n_components", "n_nonzero", "method", "start"]
"""What the cells of a group have in common, in the order in which groups are sorted."""

NONZEROS = Column(ABOUT_SPARSITY[0], unit="count")
"""Nonzeros of a component: from the record, whatever the metrics."""


class Spread(NamedTuple):
    """Mean and standard deviation of some values; nan where there are too few."""

    mean: float = math.nan
    sd: float = math.nan
    n: int = 0

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Summarise the values that are defined."""
        every = np.fromiter(values, dtype=float)
        known = every[~np.isnan(every)]
        mean = float(known.mean()) if known.size else math.nan
        with np.errstate(invalid="ignore"):  # infinite values have no spread
            sd = float(known.std(ddof=1)) if known.size > 1 else math.nan
        return cls(mean, sd, known.size)


class Fit(NamedTuple):
    """What a cell that finished reached.

    Parameters
    ----------
    seed : int
        Its seed.
    missed : bool
        Whether any component missed its target.
    nnz : tuple of int
        The nonzeros of each component.
    """

    seed: int
    missed: bool
    nnz: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Group:
    """The cells of one data set, sparsity, method and start, which differ in their seed alone.

    Parameters
    ----------
    dataset : str
        The data set's label, with its stand-in if there is one.
    n_components : int
        The number of components.
    level : Level
        How many nonzeros were asked for.
    method : str
        The method's label.
    start : str
        Where it starts, as of `spcabench.suite.values`.
    columns : mapping of str to list
        Those of the cells of all groups.
    places : tuple of int
        Where the cells of the group are among them, one for each seed.
    """

    dataset: str
    n_components: int
    level: Level
    method: str
    start: str
    columns: Mapping[str, list[Any]]
    places: Sequence[int]

    def cells(self, name: str) -> list[Any]:
        """Return a column of the cells, one entry for each seed."""
        column = self.columns[name]
        return [column[place] for place in self.places]

    def finished(self, name: str) -> list[Any]:
        """Return a column of the cells with metrics."""
        cells = zip(self.cells(name), self.cells("status"), strict=True)
        return [cell for cell, status in cells if status in FINISHED]

    def measured(self, name: str) -> list[Any]:
        """Return a column of the cells whose numbers count: those that reached the target, or all that finished."""
        return [cell for cell, seed in zip(self.cells(name), self.seeds, strict=True) if seed in self.measured_seeds]

    def first(self, name: str) -> Any:
        """Return what all cells have in a column, or all that were fitted."""
        values = self.columns[name]
        return next((values[place] for place in self.places if values[place]), values[self.places[0]])

    def spread(self, column: Column) -> Spread:
        """Summarise a column over the cells that count; see `measured`."""
        if column.name not in self._spreads:
            self._spreads[column.name] = Spread.of(self.known(column).values())
        return self._spreads[column.name]

    @cached_property
    def _spreads(self) -> dict[str, Spread]:
        """The spreads that were asked for; tables, figures and sentences ask for the same."""
        return {}

    def known(self, column: Column) -> dict[int, float]:
        """Return the values of a column, by seed, of the cells that count (see `measured`) and have one."""
        if column.name not in self.columns:
            return {}
        values = zip(self.measured("seed"), self.measured(column.name), strict=True)
        return {int(seed): float(value) for seed, value in values if not math.isnan(value)}

    def value_of(self, column: Column) -> dict[int, float]:
        """Return a column's value of each seed that reached the target; none if no cell of the run has the column."""
        if column.name not in self.columns:
            return {}
        values = zip(self.seeds, self.cells(column.name), strict=True)
        return {seed: float(value) for seed, value in values if seed in self.counted}

    @property
    def suite_dataset(self) -> str:
        """The label of the data set without a stand-in."""
        return str(self.first("suite_dataset"))

    @property
    def stand_in(self) -> bool:
        """Whether another data set stood in."""
        return bool(self.first("stand_in"))

    @property
    def knob(self) -> str:
        """How its sparsity is set, as of `spcabench.specs.Knob`."""
        return str(self.first("knob"))

    @property
    def random_data(self) -> bool:
        """Whether the data depend on the seed."""
        return bool(self.first("random_data"))

    @cached_property
    def statuses(self) -> Counter[str]:
        """How often each status came up, in the order in which they first did."""
        return Counter(map(str, self.cells("status")))

    @cached_property
    def contended(self) -> bool:
        """Whether other work shared the machine while one of the cells that finished was fitted."""
        return any(shared is True for shared in self.finished("contended"))

    @property
    def planned(self) -> int:
        """The number of cells."""
        return len(self.places)

    @cached_property
    def n_finished(self) -> int:
        """The number of cells with metrics."""
        return sum(self.statuses[status] for status in FINISHED)

    @property
    def status(self) -> str:
        """The statuses that came up, without repetition."""
        return ", ".join(self.statuses)

    @property
    def nonzeros(self) -> float:
        """The mean number of nonzeros of a component over the cells that count; nan if there is none."""
        return self.spread(NONZEROS).mean

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """The cells that finished, in the order of their seeds."""
        columns = (self.finished(name) for name in ("seed", "missed_components", "nnz"))
        return tuple(Fit(int(seed), missed > 0, nnz) for seed, missed, nnz in zip(*columns, strict=True))

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were planned."""
        return tuple(map(int, self.cells("seed")))

    @property
    def n_missed(self) -> int:
        """The number of cells that finished and missed their target."""
        return sum(fit.missed for fit in self.fits)

    @cached_property
    def counted(self) -> frozenset[int]:
        """The seeds that finished and did not miss their target."""
        return frozenset(fit.seed for fit in self.fits if not fit.missed)

    @cached_property
    def measured_seeds(self) -> frozenset[int]:
        """The seeds whose numbers count: those that reached the target, or all that finished if none did."""
        return self.counted or frozenset(fit.seed for fit in self.fits)


def grouped(frame: pd.DataFrame) -> list[Group]:
    """Group the cells that differ in their seed alone, in the order in which labels first appear.

    There is no group of cells none of which was begun.
    """
    columns: dict[str, list[Any]] = {str(name): frame[name].tolist() for name in frame}
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, key in enumerate(zip(*(columns[name] for name in KEYS), strict=True)):
        places.setdefault(key, []).append(place)
    groups = [
        Group(str(dataset), int(n), level, str(method), str(start), columns, own)
        for (dataset, n, level, method, start), own in places.items()
        if any(columns["status"][place] != PENDING for place in own)
    ]
    ranks = [{value: rank for rank, value in enumerate(dict.fromkeys(columns[name]))} for name in KEYS]

    def order(group: Group) -> list[int]:
        return [rank[group.first(name)] for rank, name in zip(ranks, KEYS, strict=True)]

    return sorted(groups, key=order)
