"""What wins where, by how much, and how certain that is: sentences made from a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from spcabench.analysis.contest import Contest
from spcabench.analysis.over_datasets import least_datasets
from spcabench.report.standings import SURE
from spcabench.site.board import Board
from spcabench.site.scores import LEAST, Scale, times_as_fast
from spcabench.suite.models import TrackName

CLOSE = 0.05
"""Points up to which two scores look alike."""

MOST_NAMED = 4
SAME = 1e-9
"""Mean ranks that differ by less are equal."""


def headline(board: Board) -> str:
    """Return what wins where, by how much, and how certain that is.

    Ranks over some of the data sets cannot be compared with those over all, and are left out.
    """
    ranks = board.ranked
    if not ranks:
        return "No method is ranked on each data set."
    best = next(iter(ranks.values()))
    leaders = [label for label, rank in ranks.items() if rank.value - best.value < SAME]
    tracks = count(sum(not scale.seconds for scale in board.scales.values()), "track")
    verb = "share" if len(leaders) > 1 else "has"
    between = best.interval
    said = f" (95 % interval {between.low:.1f} to {between.high:.1f})" if math.isfinite(between.high) else ""
    panel = len(board.controls.panel)
    sentences = [
        f"Over {count(best.of, 'data set')} in {tracks}, {_listed(leaders)} {verb} the best mean rank of the "
        f"{len(ranks)} methods that enter each, against the panel of {panel}: {best.value:.1f}{said}."
    ]
    if board.contest:
        sentences.append(certainty(board.contest, leaders[0]))
    return "  ".join(sentences)


def certainty(met: Contest, first: str) -> str:
    """Return in a sentence how many methods the data sets tell from the one with the best mean rank."""
    n, m = len(met.names), len(met.methods)
    least = least_datasets(math.comb(m, 2))
    if n < least:
        return (
            f"{count(n, 'data set').capitalize()} cannot tell any two of {m} methods apart, which takes {least} or "
            "more: that lead may be chance."
        )
    place = met.methods.index(first)
    worse = sum(int(met.wins[place, one] > met.wins[one, place]) for one in np.flatnonzero(met.p[place] <= SURE))
    others = [label for label, tier in zip(met.methods, met.tiers, strict=True) if tier == 1 and label != first]
    beside = f"{_listed(others)} may be the best as well" if others else "no other may be the best"
    return f"{first} is surely better than {worse} of the other {m - 1}; {beside}."


def _first(found: dict[str, float]) -> list[str]:
    """Return who has the best score, or one that looks like it."""
    return [label for label, value in found.items() if value >= max(found.values()) - CLOSE]


def by_track(board: Board) -> Iterator[tuple[TrackName, str]]:
    """Yield, for each track, who has the best score and how far the next one is behind."""
    for track, scale in board.scales.items():
        found = board.whole_scores(track)
        if len(found) > 1:
            yield track, f"by {scale.column}, {_leader(scale, found)}"


def _leader(scale: Scale, found: dict[str, float]) -> str:
    top, leaders = max(found.values()), _first(found)
    others = {label: value for label, value in found.items() if label not in leaders}
    said = f"{_listed(leaders)} {'lead' if len(leaders) > 1 else 'leads'} with {top:.1f} points"
    if not others:
        return f"{said}, and so do all"
    second = max(others, key=others.__getitem__)
    return f"{said}, {top - others[second]:.1f} above {second}; {_certainty(scale, leaders[0], second)}"


def _certainty(scale: Scale, first: str, second: str) -> str:
    """Return the interval of the difference between two methods over resampled data sets, in words."""
    n = scale.points.index.nunique()
    if n < LEAST:
        return f"{n} {'family' if n == 1 else 'families'} of data sets cannot say how certain that is"
    beyond = scale.beyond(first, second)
    found = beyond.interval
    if scale.seconds:
        times, low, high = map(times_as_fast, (beyond.value, found.low, found.high))
        return f"{times:.2f} times as fast (95 % interval {low:.2f} to {high:.2f})"
    doubt = "" if found.low > 0 else ", which holds 0: it is not certain"
    over = count(len(scale.points), "data set")
    return f"the 95 % interval of that difference over {over} is {found.low:.1f} to {found.high:.1f}{doubt}"


def count(n: int, what: str) -> str:
    """Return so many of something, in words."""
    return f"{n} {what}{'s' * (n != 1)}"


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"{len(names)} methods"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
