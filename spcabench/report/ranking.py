"""Who is best, and who is the quickest: track by track, every seed counted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from spcabench.analysis.best import may_be_best
from spcabench.analysis.paired import Difference
from spcabench.analysis.times import LEAST_REPEATS, Clocked, faster
from spcabench.report.eligibility import Track, by_reason, rivals, waits
from spcabench.report.groups import Group, Spread
from spcabench.report.model import Results, tie
from spcabench.specs import MetricSpec
from spcabench.suite.columns import Column

FIT_TIME = Column("fit_time")


@dataclass(frozen=True)
class Win:
    """The best of a comparison.

    Parameters
    ----------
    column : Column
        What is compared.
    track : Track
        Among which methods.
    methods : tuple of str
        Those that may be the best; the first has the best mean.
    spread : Spread
        What the first of them reached.
    """

    column: Column
    track: Track
    methods: tuple[str, ...]
    spread: Spread


@dataclass(frozen=True)
class Lead:
    """The best of a comparison, and the next.

    Parameters
    ----------
    win : Win
        Those that may be the best.
    n_methods : int
        How many methods were compared.
    runner_up : str
        The best of those that are ruled out; empty if there is none.
    difference : Difference or None
        How much better the first of the best is than the next, on the same draws; None if there is no next.
    """

    win: Win
    n_methods: int
    runner_up: str = ""
    difference: Difference | None = None


def best(results: Results, column: Column) -> dict[Track, list[Group]]:
    """Return the groups of each track that may be the best by a column, the best mean first.

    Nonzeros are not ranked, and times are ranked only where the difference may be claimed.  A track with one method
    alone has no best, and none has one while a cell of it may yet be filled: means over other seeds are no comparison.
    """
    kept = _KEPT.setdefault(results, {})
    if column not in kept:
        kept[column] = _best(results, column)
    return kept[column]


_KEPT: WeakKeyDictionary[Results, dict[Column, dict[Track, list[Group]]]] = WeakKeyDictionary()
"""What `best` found: tables, figures and sentences ask for the same."""


def _best(results: Results, column: Column) -> dict[Track, list[Group]]:
    spec = results.metrics.get(column.metric)
    if spec is None or not results.ranks(column):
        return {}
    found: dict[Track, list[Group]] = {}
    for track, groups in results.rivals.items():
        known = [group for group in groups if group.value_of(column)]
        if not waits(groups) and len(known) > 1 and (chosen := _chosen(known, column, spec)):
            found[track] = chosen
    return found


def _chosen(groups: list[Group], column: Column, spec: MetricSpec) -> list[Group]:
    if column.unit == "s":
        return quickest(groups) if column == FIT_TIME else []
    seeds = sorted({seed for group in groups for seed in group.seeds})
    known = [group.value_of(column) for group in groups]
    values = np.array([[of.get(seed, math.nan) for of in known] for seed in seeds])
    values = np.where(np.isfinite(values), values, math.nan)  # nan, which is worst, where a seed failed or missed
    sign = 1.0 if column.better == "higher" else -1.0
    may_be = may_be_best(sign * values, spec.margin, tie(spec, values))
    chosen = [group for group, kept in zip(groups, may_be, strict=True) if kept]
    return sorted(chosen, key=lambda group: (-len(group.counted), -sign * group.spread(column).mean))


def wins(results: Results, column: Column) -> Iterator[Win]:
    """Return the best of each track."""
    for track, groups in best(results, column).items():
        yield Win(column, track, tuple(group.method for group in groups), groups[0].spread(column))


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
