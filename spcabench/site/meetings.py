"""How each pair of methods did against each other, on the data sets that both enter."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from spcabench.analysis.over_datasets import differences, holm, signed_rank
from spcabench.report.document import METHOD, Columns, Entry, Field, Row, Table, tabled
from spcabench.report.standings import SURE
from spcabench.site.ranks import on_one_scale
from spcabench.site.tasks import Task


@dataclass(frozen=True)
class Meeting:
    """A method against another.

    Parameters
    ----------
    other : str
        The other one.
    won, tied, lost : int
        Data sets on which it is above the other by more than the margin, within the margin, and below.
    p : float
        That both are alike (signed-rank test), adjusted for all others that the method meets.
    """

    other: str
    won: int
    tied: int
    lost: int
    p: float

    @property
    def verdict(self) -> str:
        """Which of the two is surely better."""
        if self.p > SURE or self.won == self.lost:
            return "not told apart"
        return "surely better" if self.won > self.lost else "surely worse"


def meetings(tasks: Sequence[Task]) -> dict[str, list[Meeting]]:
    """Return how each method with a target did against each other one; the most wins first."""
    found = on_one_scale(tasks)
    met: dict[str, list[Meeting]] = {label: [] for label in found.methods}
    for a, b in itertools.combinations(range(len(found.methods)), 2):
        both = found.entered[:, a] & found.entered[:, b]
        if not both.any():
            continue
        ours, theirs, margin = found.means[both, a], found.means[both, b], found.margins[both]
        off = differences(ours, theirs)
        won, lost, p = int((off > margin).sum()), int((off < -margin).sum()), signed_rank(ours, theirs)
        tied = len(off) - won - lost
        met[found.methods[a]].append(Meeting(found.methods[b], won, tied, lost, p))
        met[found.methods[b]].append(Meeting(found.methods[a], lost, tied, won, p))
    return {label: _adjusted(several) for label, several in met.items()}


def _adjusted(several: Sequence[Meeting]) -> list[Meeting]:
    adjusted = holm(np.array([one.p for one in several]))
    found = [replace(one, p=float(p)) for one, p in zip(several, adjusted, strict=True)]
    return sorted(found, key=lambda one: one.lost - one.won)


COLUMNS: Columns[Meeting] = (
    (METHOD, lambda one: Entry(one.other)),
    (Field("won", "wins", numeric=True), lambda one: Entry(one.won)),
    (Field("tied", "ties", numeric=True), lambda one: Entry(one.tied)),
    (Field("lost", "losses", numeric=True), lambda one: Entry(one.lost)),
    (Field("p", "p", numeric=True), lambda one: Entry(one.p if math.isfinite(one.p) else None)),
    (Field("verdict", "this one is"), lambda one: Entry(one.verdict)),
)


def table(several: Sequence[Meeting]) -> Table | None:
    """Return the table of a method against each other one."""
    caption = (
        "On the data sets that both enter; seconds do not count.  Values within the margin of the metric tie, and a "
        "failure loses to any result.  p is that of the signed-rank test (Wilcoxon 1945), adjusted for the rows of "
        "this table (Holm 1979)."
    )
    return tabled("", caption, COLUMNS, several, lambda one, entries: Row(entries, one.other))
