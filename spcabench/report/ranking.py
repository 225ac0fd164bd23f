"""Who is best, track by track, every seed counted; and the sentence that says it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np
import pandas as pd

from spcabench.analysis.best import may_be_best
from spcabench.report.groups import WAITING, Group, Spread, Track, by_reason, rivals
from spcabench.report.model import Results, tie
from spcabench.report.render.text import measured
from spcabench.specs import MetricSpec
from spcabench.suite.columns import Column
from spcabench.suite.values import MAIN

MOST_NAMED = 3
"""Methods that are named one by one."""


@dataclass(frozen=True)
class Win:
    """The best of a comparison.

    Parameters
    ----------
    column : Column
        What is compared.
    track : Track
        Among which methods.
    groups : tuple of Group
        Those that may be the best; the first has the best mean.
    n_methods : int
        How many methods were compared.
    words : str
        What readers call the column; empty if that is not known.
    """

    column: Column
    track: Track
    groups: tuple[Group, ...]
    n_methods: int
    words: str

    @property
    def criterion(self) -> str:
        """The column as readers know it, with its name."""
        return f"{self.words} ({self.column.name})" if self.words else self.column.name

    @property
    def methods(self) -> tuple[str, ...]:
        """The labels of those that may be the best."""
        return tuple(group.method for group in self.groups)

    @property
    def spread(self) -> Spread:
        """What the first of them reached."""
        return self.groups[0].spread(self.column)


@lru_cache(maxsize=128)
def wins(results: Results, column: Column) -> tuple[Win, ...]:
    """Return who may be the best of each track by a column; tables, figures and sentences ask for the same.

    Nonzeros and times are not ranked here.  A track with one method alone has no best, and none has one while a cell
    of it may yet be filled: means over other seeds are no comparison.
    """
    frame, at = results.frame, ["dataset", "n_components", "n_nonzero"]
    waiting = frame.loc[frame["status"].isin(WAITING) & frame["start"].isin(MAIN), at].astype(str)
    waits, found = set(map(tuple, waiting.to_numpy())), []
    for track, groups in rivals(results.groups).items() if results.ranks(column) else ():
        known = [group for group in groups if group.value_of(column)]
        if tuple(str(groups[0].cells[0][name]) for name in at) in waits or len(known) < 2:
            continue
        if chosen := _chosen(known, column, results.metrics[column.metric]):
            found.append(Win(column, track, tuple(chosen), len(known), results.words(column)))
    return tuple(found)


def best(results: Results, column: Column) -> frozenset[Group]:
    """Return the groups that may be the best of their track by a column."""
    return frozenset(group for win in wins(results, column) for group in win.groups)


def _chosen(groups: list[Group], column: Column, spec: MetricSpec) -> list[Group]:
    """Return those that may be the best: those of the most seeds that count first, then the best mean.

    A seed that failed or missed is nan, which is the worst.
    """
    seeds = sorted({cell["seed"] for group in groups for cell in group.cells})
    known = pd.DataFrame([group.value_of(column) for group in groups], columns=seeds, dtype=float)
    values = known.where(np.isfinite(known)).to_numpy().T
    sign = 1.0 if column.better == "higher" else -1.0
    may_be = may_be_best(sign * values, spec.margin, tie(spec, values))
    chosen = [group for group, kept in zip(groups, may_be, strict=True) if kept]
    return sorted(chosen, key=lambda group: (-len(group.reached), -sign * group.spread(column).mean))


def own_clocks(groups: Iterable[Group]) -> str:
    """Return which methods have times by their own clocks; empty if none has."""
    cells = (cell for group in groups for cell in group.finished)
    programs = [(cell["method"], cell["own_clock"]) for cell in cells if cell["own_clock"]]
    if not programs:
        return ""
    return (
        "The times of these fits are by the programs' own clocks, which leave out starting them and passing data: "
        f"{by_reason(programs)}."
    )


def leads(results: Results) -> list[Win]:
    """Return who leads each comparison by the first column of the main table that has a best; empty if none has."""
    return next(_by_criterion(results), [])


def _by_criterion(results: Results) -> Iterator[list[Win]]:
    """Yield, for each column of the main table that has a best, who leads each comparison by it.

    Comparisons at an equal number of nonzeros in each component come first: only where there are none, those at an
    equal total are taken, or those of methods without a target.
    """
    for column in results.ranked:
        every = wins(results, column)
        alike = ([win for win in every if win.track.kind == kind] for kind in ("each", "total", "reached"))
        yield from islice(filter(None, alike), 1)


def sentence(results: Results) -> str:
    """Say who leads by the first criterion, and by the second if it is another; empty if nothing was compared."""
    found = list(islice(_by_criterion(results), 2))
    if not found:
        return ""
    first, second = found[0], found[-1]
    said = _margin(first[0], results) if len(first) == 1 else _tally(first, results)
    leader, (other, most) = _counted(first)[0][0], _counted(second)[0]
    if dict(_counted(second)).get(leader) == most:
        return said
    return f"{said}  By {second[0].criterion}, {results.called(other)} leads."


def _counted(leads: Sequence[Win]) -> list[tuple[str, int]]:
    """Return how often each method is not ruled out as the best, the most often first."""
    return Counter(method for win in leads for method in win.methods).most_common()


def _tally(leads: Sequence[Win], results: Results) -> str:
    """Say how often each method is not ruled out as the best."""
    counts = _counted(leads)
    leader, most = counts[0]
    then = "".join(f"; {results.called(method)} in {count}" for method, count in counts[1:MOST_NAMED])
    return (
        f"By {leads[0].criterion}, {results.called(leader)} is best, or not ruled out as the best, in {most} of "
        f"{len(leads)} comparisons at equal sparsity{then}."
    )


def _margin(win: Win, results: Results) -> str:
    """Say who leads the one comparison, and who else may be the best."""
    leader, *alike = map(results.called, win.methods)
    direction = "highest" if win.column.better == "higher" else "lowest"
    says = (
        f"{leader} has the {direction} {win.criterion} of {win.n_methods} methods on {win.track.dataset} with "
        f"{win.track.sparsity}: {measured(win.spread.mean, math.nan, win.column.unit)}"
    )
    if not alike:
        return f"{says}."
    others = " and ".join(alike) if len(alike) <= MOST_NAMED else f"{len(alike)} others"
    return f"{says}; {others} {'is' if len(alike) == 1 else 'are'} not ruled out as the best."
