"""Who is best, and who is the quickest: track by track, every seed counted; and the sentence that says it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import may_be_best
from spcabench.analysis.paired import compare
from spcabench.analysis.times import LEAST_REPEATS, Clocked, faster
from spcabench.report.eligibility import Track, by_reason, rivals, waits
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results, tie
from spcabench.report.render.text import measured
from spcabench.specs import MetricSpec
from spcabench.suite.columns import Column

FIT_TIME = Column("fit_time")

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
    others : tuple of Group
        Those that are ruled out, the best one first.
    words : str
        What readers call the column; empty if that is not known.
    """

    column: Column
    track: Track
    groups: tuple[Group, ...]
    others: tuple[Group, ...]
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

    Nonzeros are not ranked, and times are ranked only where the difference may be claimed.  A track with one method
    alone has no best, and none has one while a cell of it may yet be filled: means over other seeds are no comparison.
    """
    found = []
    for track, groups in results.rivals.items() if column in results.ranks else ():
        known = [group for group in groups if group.value_of(column)]
        if waits(groups) or len(known) < 2:
            continue
        if chosen := _chosen(known, column, results.metrics[column.metric]):
            others = sorted((group for group in known if group not in chosen), key=lambda group: _rank(group, column))
            found.append(Win(column, track, tuple(chosen), tuple(others), results.words(column)))
    return tuple(found)


def best(results: Results, column: Column) -> frozenset[Group]:
    """Return the groups that may be the best of their track by a column."""
    return frozenset(group for win in wins(results, column) for group in win.groups)


def _sign(column: Column) -> float:
    """Return what makes more of a column better."""
    return 1.0 if column.better == "higher" else -1.0


def _values(group: Group, column: Column, seeds: Iterable[int]) -> NDArray[np.float64]:
    """Return the value of each seed; nan, which is the worst, where it failed or missed."""
    of = group.value_of(column)
    values = np.array([of.get(seed, math.nan) for seed in seeds])
    return np.where(np.isfinite(values), values, math.nan)


def _chosen(groups: list[Group], column: Column, spec: MetricSpec) -> list[Group]:
    if column.unit == "s":
        return quickest(groups) if column == FIT_TIME else []
    seeds = sorted({seed for group in groups for seed in group.seeds})
    values = np.array([_values(group, column, seeds) for group in groups]).T
    may_be = may_be_best(_sign(column) * values, spec.margin, tie(spec, values))
    chosen = [group for group, kept in zip(groups, may_be, strict=True) if kept]
    return sorted(chosen, key=lambda group: _rank(group, column))


def _rank(group: Group, column: Column) -> tuple[int, float]:
    """Order groups: those of the most seeds that count first, then the best mean."""
    return -len(group.counted), -_sign(column) * group.spread(column).mean


def quickest(groups: list[Group]) -> list[Group]:
    """Return the groups than which no other is faster for sure; none if that may not be claimed of any.

    A method is faster for sure if it is on every seed.  A method that failed or missed its target on a seed does not
    compete.

    Parameters
    ----------
    groups : list of Group
        Of one track.
    """
    racing = [group for group in groups if len(group.counted) == group.planned]
    times = [group.clocks for group in racing]
    if doubts(racing) or not all(times):
        return []
    beaten = [any(_beats(other, own) for other in times) for own in times]
    leading = [group for group, lost in zip(racing, beaten, strict=True) if not lost]
    return sorted(leading, key=lambda group: group.spread(FIT_TIME).mean) if any(beaten) else []


def _beats(one: Mapping[int, Clocked], other: Mapping[int, Clocked]) -> bool:
    return one.keys() == other.keys() and all(faster(one[seed], other[seed]) == "first" for seed in one)


def doubts(groups: Iterable[Group]) -> list[str]:
    """Return why times of some groups may not be compared; nothing if they may."""
    groups = list(groups)
    times = [time for group in groups for time in group.clocks.values()]
    few = any(time.n < LEAST_REPEATS for time in times)
    disturbed = any(time.contended for time in times) or any(group.contended for group in groups)
    reasons = {f"some have fewer than {LEAST_REPEATS} repeats": few, "some were measured beside other work": disturbed}
    return [reason for reason, holds in reasons.items() if holds]


def own_clocks(groups: Iterable[Group]) -> str:
    """Return which methods have times by their own clocks; empty if none has."""
    programs = [(group.method, str(own)) for group in groups for own in group.finished("own_clock") if own]
    if not programs:
        return ""
    return (
        " The times of these fits are by the programs' own clocks, which leave out starting them and passing data: "
        f"{by_reason(programs)}."
    )


def bold_times(groups: Iterable[Group]) -> str:
    """Return what bold means of times, or why none is bold."""
    tracks = rivals(groups).values()
    if any(quickest(racing) for racing in tracks):
        return "A time is bold if no other at equal sparsity is shorter for sure (processor time, every seed)."
    reasons = [reason for racing in tracks if len(racing) > 1 for reason in doubts(racing)]
    why = " and ".join(dict.fromkeys(reasons)) or "none is shorter for sure than the others at equal sparsity"
    return f"No time is bold: {why}."


def leads(results: Results) -> list[list[Win]]:
    """Return who leads each comparison, by each column of the main table that has a best.

    Comparisons at an equal number of nonzeros in each component come first: only where there are none, those at an
    equal total are returned, or those of methods without a target.
    """
    found = []
    for column in results.ranked:
        every = wins(results, column)
        kinds = ([win for win in every if win.track.kind == kind] for kind in ("each", "total", "reached"))
        if alike := next(filter(None, kinds), ()):
            found.append(alike)
    return found


def sentence(results: Results) -> str:
    """Say who leads by the first criterion, and by the second if that is another; empty if nothing was compared."""
    every = leads(results)
    if not every:
        return ""
    first = every[0]
    said = _margin(first[0], results) if len(first) == 1 else _tally(first, results)
    metric, counts = first[0].column.metric, _counts(first)
    second = next((some for some in every if some[0].column.metric != metric), None)
    if second is None:
        return said
    others = _counts(second)
    leader, most = others.most_common(1)[0]
    if others[counts.most_common(1)[0][0]] == most:
        return said
    often = f", in {most} of {len(second)} comparisons" if len(second) > 1 else ""
    return f"{said}  By {second[0].criterion} it is {results.called(leader)}{often}."


def _counts(leads: Sequence[Win]) -> Counter[str]:
    """Count how often each method is not ruled out as the best."""
    return Counter(method for win in leads for method in win.methods)


def _tally(leads: Sequence[Win], results: Results) -> str:
    """Say how often each method is not ruled out as the best."""
    counts = _counts(leads).most_common()
    leader, most = counts[0]
    rest = [f"{results.called(method)} in {count}" for method, count in counts[1:MOST_NAMED]]
    if more := len(counts[MOST_NAMED:]):
        rest.append(f"{more} other {'method' if more == 1 else 'methods'} in at most {counts[MOST_NAMED][1]}")
    then = "".join(f"; {one}" for one in rest)
    return (
        f"By {leads[0].criterion}, {results.called(leader)} is best, or not ruled out as the best, in {most} of "
        f"{len(leads)} comparisons at equal sparsity{then}."
    )


def _margin(win: Win, results: Results) -> str:
    """Say who leads the one comparison, and by how much."""
    leader, *alike = map(results.called, win.methods)
    direction = "highest" if win.column.better == "higher" else "lowest"
    says = (
        f"{leader} has the {direction} {win.criterion} of {len(win.groups) + len(win.others)} methods on "
        f"{win.track.dataset} with {win.track.sparsity}: {measured(win.spread.mean, math.nan, win.column.unit)}"
    )
    if alike:
        are = "is" if len(alike) == 1 else "are"
        others = " and ".join(alike) if len(alike) <= MOST_NAMED else f"{len(alike)} others"
        says += f"; {others} {are} not ruled out as the best"
    return f"{says}{_ahead(win, results)}."


def _ahead(win: Win, results: Results) -> str:
    """Say how far the best of those that are ruled out is behind the first of the best, on the same draws."""
    if not win.others:
        return ""
    column, metric, pair = win.column, results.metrics[win.column.metric], (win.groups[0], win.others[0])
    seeds = sorted({seed for group in pair for seed in group.seeds})
    ours, theirs = (_sign(column) * _values(group, column, seeds) for group in pair)
    off = compare(ours, theirs, metric.margin, tie(metric, np.array([*ours, *theirs])))
    if not math.isfinite(off.middle):
        return ""
    middle, low, high = (
        measured(number, math.nan, column.unit) for number in (off.middle, off.interval.low, off.interval.high)
    )
    behind = f"; {results.called(win.others[0].method)} is next, {middle} behind"
    if not (math.isfinite(off.interval.low) and math.isfinite(off.interval.high)):
        return f"{behind} ({off.n} {'draw' if off.n == 1 else 'draws'}, no interval)"
    more = f"; {off.deciding:,} would decide" if off.deciding else ""
    return f"{behind} (95 % interval {low} to {high}, {off.n} draws{more})"
