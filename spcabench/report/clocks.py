"""Which method is the quickest, where that may be claimed, and why not where it may not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spcabench.analysis.times import LEAST_REPEATS, Clocked, faster
from spcabench.report.groups import Group
from spcabench.report.tracks import rivals
from spcabench.suite.columns import Column

FIT_TIME = Column("fit_time")


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
    methods: dict[str, list[str]] = {}
    for group in groups:
        for program in group.programs:
            methods.setdefault(program, []).append(group.method)
    listed = "; ".join(f"{', '.join(dict.fromkeys(names))} ({program})" for program, names in methods.items())
    if not listed:
        return ""
    return (
        " The times of these fits are by the programs' own clocks, which leave out starting them and passing data: "
        f"{listed}."
    )


def bold_times(groups: Iterable[Group]) -> str:
    """Return what bold means of times, or why none is bold."""
    tracks = rivals(groups).values()
    if any(quickest(racing) for racing in tracks):
        return "A time is bold if no other at equal sparsity is shorter for sure (processor time, every seed)."
    reasons = [reason for racing in tracks if len(racing) > 1 for reason in doubts(racing)]
    why = " and ".join(dict.fromkeys(reasons)) or "none is shorter for sure than the others at equal sparsity"
    return f"No time is bold: {why}."
