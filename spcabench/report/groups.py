"""The cells that differ in their seed alone, what they reached, and, like with like, which of them may be compared.

The numbers of a group are those of the seeds that reached the target; of all that finished, if none did.  Seeds that
reached it and seeds that missed it are thus never in one mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from spcabench.store.frame import Level
from spcabench.store.status import FINISHED, PENDING
from spcabench.suite.columns import Column

MOST_LISTED = 6
"""The nonzeros of the components are listed up to so many components."""

WAITING = {PENDING, "interrupted"}
"""Statuses of cells that may yet be filled."""

ABSENT = {"skipped", "unavailable"}
"""Statuses of cells that a method cannot enter."""

Kind = Literal["each", "total", "reached"]
"""What is equal: the nonzeros of each component, their total, or those that methods without a target reached."""

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


@dataclass(frozen=True)
class Track:
    """What methods have in common that may be compared.

    Parameters
    ----------
    dataset : str
        The data set.
    n_components : int
        The number of components.
    level : Level
        The target.
    kind : {"each", "total", "reached"}
        What is equal.
    reached : tuple of (int, tuple of int)
        Without a target: each seed, and the nonzeros of each component.
    """

    dataset: str
    n_components: int
    level: Level
    kind: Kind
    reached: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @property
    def sparsity(self) -> str:
        """What is equal, in words."""
        if self.kind == "each":
            return f"{self.level} nonzeros"
        if self.kind == "total":
            return f"{round(self.level.mean * self.n_components)} nonzeros in total"
        return f"no target, {counts([nnz for _, nnz in self.reached])} nonzeros reached"


def track_of(group: Group) -> Track | None:
    """Return the track that a group is ranked in; None if it is a dense reference, or nothing of it counts."""
    place, knob = (group.dataset, group.n_components, group.level), group.first("knob")
    reached = [cell["nnz"] for cell in group.reached]
    if not reached:
        return None
    if group.level:
        return Track(*place, "total" if any(uneven(knob, group.level, nnz) for nnz in reached) else "each")
    if knob == "none" or not all(reached):
        return None
    return Track(*place, "reached", tuple((cell["seed"], cell["nnz"]) for cell in group.finished))


def uneven(knob: str, level: Level, nnz: tuple[int, ...]) -> bool:
    """Return whether one penalty for all components reached the total of a target, but not each number."""
    differs = len(set(nnz)) > 1 if isinstance(level.target, int) else nnz != level.target
    return knob == "penalty" and bool(nnz) and differs


def in_front(group: Group) -> bool:
    """Return whether a figure may emphasise a group: it has the nonzeros that it shows, in each component."""
    track = track_of(group)
    return track is not None and track.kind != "total" and not group.n_missed


def rivals(groups: Iterable[Group]) -> dict[Track, list[Group]]:
    """Return the groups of each track, in their order."""
    found: dict[Track, list[Group]] = {}
    for group in groups:
        if track := track_of(group):
            found.setdefault(track, []).append(group)
    return found


def remark(group: Group) -> str:
    """Return what readers should know of the sparsity of a group: what it got if that is not what was asked for."""
    if group.level:
        return "; ".join(_departures(group))
    if not group.finished:
        return ""
    return "dense" if group.first("knob") == "none" else f"got {counts([cell['nnz'] for cell in group.finished])}"


def _departures(group: Group) -> Iterator[str]:
    if missed := [cell["nnz"] for cell in group.finished if cell["missed_components"] > 0]:
        seeds = f" in {len(missed)} of {len(group.finished)} seeds" if group.reached else ""
        yield f"got {counts(missed)}{seeds}"
    reached = [cell["nnz"] for cell in group.reached]
    if totals := [nnz for nnz in reached if uneven(group.first("knob"), group.level, nnz)]:
        yield f"in total: {counts(totals)}"


def counts(reached: list[tuple[int, ...]]) -> str:
    """Write the nonzeros of the components of some fits.

    Examples
    --------
    >>> counts([(4, 4)]), counts([(6, 2)]), counts([(6, 2), (5, 3)]), counts([(1, 2, 3, 4, 5, 6, 7)])
    ('4', '[6, 2]', '2 to 6', '1 to 7')
    """
    numbers = sorted(number for nnz in reached for number in nnz)
    if not numbers:
        return "an unknown number"
    if numbers[0] == numbers[-1]:
        return str(numbers[0])
    if len(set(reached)) == 1 and len(reached[0]) <= MOST_LISTED:
        return str(list(reached[0]))
    return f"{numbers[0]} to {numbers[-1]}"


def by_reason(outside: Mapping[str, str] | Iterable[tuple[str, str]]) -> str:
    """List methods by the reason that each has, such as why it cannot enter.

    Examples
    --------
    >>> by_reason({"a": "it needs samples", "b": "it is not finished yet", "c": "it needs samples"})
    'a, c (it needs samples); b (it is not finished yet)'
    """
    found: dict[str, dict[str, None]] = {}
    for label, reason in outside.items() if isinstance(outside, Mapping) else outside:
        found.setdefault(reason, {})[label] = None
    return "; ".join(f"{', '.join(labels)} ({reason})" for reason, labels in found.items())
