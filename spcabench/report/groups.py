"""The cells that differ in their seed alone, and what they reached.

The numbers of a group are those of the seeds that reached the target; of all that finished, if none did.  Seeds that
reached it and seeds that missed it are thus never in one mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from spcabench.store.frame import Level
from spcabench.store.status import FINISHED, PENDING
from spcabench.suite.columns import Column

Cell = dict[str, Any]
"""A row of the frame."""

ALIKE = ("dataset", "n_components", "n_nonzero", "method", "start")
"""What the cells of a group have in common."""


def records(frame: pd.DataFrame) -> list[Cell]:
    """Return the rows of a frame."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


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
    cells : sequence of Cell
        One for each seed.
    """

    dataset: str
    n_components: int
    level: Level
    method: str
    start: str
    cells: Sequence[Cell]

    @cached_property
    def finished(self) -> list[Cell]:
        """The cells with metrics."""
        return [cell for cell in self.cells if cell["status"] in FINISHED]

    @cached_property
    def reached(self) -> list[Cell]:
        """The cells that finished and did not miss their target."""
        return [cell for cell in self.finished if not cell["missed_components"] > 0]

    @property
    def measured(self) -> list[Cell]:
        """The cells whose numbers count: those that reached the target, or all that finished if none did."""
        return self.reached or self.finished

    def first(self, name: str) -> Any:
        """Return what all cells have in a column, or all that were fitted."""
        return next((cell[name] for cell in self.cells if cell[name]), self.cells[0][name])

    def spread(self, column: Column) -> Spread:
        """Summarise a column over the cells that count; see `measured`."""
        return Spread.of(self.known(column).values())

    def known(self, column: Column) -> dict[int, float]:
        """Return the values of a column, by seed, of the cells that count (see `measured`) and have one."""
        values = ((cell["seed"], float(cell.get(column.name, math.nan))) for cell in self.measured)
        return {seed: value for seed, value in values if not math.isnan(value)}

    def value_of(self, column: Column) -> dict[int, float]:
        """Return a column's value of each seed that reached the target; none if no cell of the run has the column."""
        return {cell["seed"]: float(cell[column.name]) for cell in self.reached if column.name in cell}

    @cached_property
    def statuses(self) -> Counter[str]:
        """How often each status came up, in the order in which they first did."""
        return Counter(str(cell["status"]) for cell in self.cells)

    @property
    def contended(self) -> bool:
        """Whether other work shared the machine while one of the cells that finished was fitted."""
        return any(cell["contended"] is True for cell in self.finished)

    @property
    def planned(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def status(self) -> str:
        """The statuses that came up, without repetition."""
        return ", ".join(self.statuses)

    @property
    def n_missed(self) -> int:
        """The number of cells that finished and missed their target."""
        return len(self.finished) - len(self.reached)


def grouped(frame: pd.DataFrame) -> list[Group]:
    """Group the cells that differ in their seed alone, in the order in which labels first appear.

    There is no group of cells none of which was begun.
    """
    cells = records(frame)
    places = {name: {label: place for place, label in enumerate(frame[name].unique())} for name in ALIKE}
    cells.sort(key=lambda cell: [places[name][cell[name]] for name in ALIKE])
    groups = (Group(*[*key, list(of)]) for key, of in groupby(cells, itemgetter(*ALIKE)))
    return [group for group in groups if group.statuses.keys() != {PENDING}]
