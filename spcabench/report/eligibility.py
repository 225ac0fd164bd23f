"""Like with like: which methods may be compared, by the nonzeros asked for and reached, and why the others may not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from spcabench.report.groups import Group
from spcabench.store.frame import Level
from spcabench.store.status import PENDING

MOST_LISTED = 6
"""The nonzeros of the components are listed up to so many components."""

WAITING = {PENDING, "interrupted"}
"""Statuses of cells that may yet be filled."""

ABSENT = {"skipped", "unavailable"}
"""Statuses of cells that a method cannot enter."""

Kind = Literal["each", "total", "reached"]
"""What is equal: the nonzeros of each component, their total, or those that methods without a target reached."""


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
