"""What wins where, by how much, and how certain that is: sentences made from a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from spcabench.analysis.contest import Contest
from spcabench.analysis.over_datasets import friedman, iman_davenport, least_datasets
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


def conclusions(board: Board) -> Iterator[str]:
    """Yield sentences that say what the numbers allow to conclude, and what they do not."""
    met = board.contest
    if met is None:
        yield "Fewer than two methods enter each data set: compare methods on the pages of the data sets."
        return
    n, m, families = len(met.names), len(met.methods), len(set(met.families))
    yield (
        f"{m} methods enter each of the {n} data sets, which come from {families} families: variants of one design "
        "are no independent data sets, and intervals resample whole families."
    )
    rivals = met.among([method for method in met.methods if method != board.controls.simple])
    if len(rivals.methods) > 1:
        p = iman_davenport(rivals.ranks)
        verdict = "they are not all alike" if p <= SURE else "they may all be alike"
        yield (
            f"Without {board.controls.simple}, {verdict}: Friedman's statistic is {friedman(rivals.ranks):.1f} with "
            f"{len(rivals.methods) - 1} degrees of freedom, p = {p:.2g} (in the form of Iman and Davenport 1980).  "
            "That says nothing of any pair."
        )
    pairs = math.comb(m, 2)
    apart = int((met.p[np.triu_indices(m, 1)] <= SURE).sum())
    if n < least_datasets(pairs):
        yield (
            f"No pair of {m} methods can be told apart on {n} data sets, whatever the values: that takes "
            f"{least_datasets(pairs)}.  Read the counts of wins, and tests of fewer pairs."
        )
    else:
        yield (
            f"One of two methods is called better where the signed-rank test says so at 5 %, adjusted for all {pairs} "
            f"pairs (Wilcoxon 1945, Holm 1979): so {apart} pairs are told apart, and {pairs - apart} are not.  Not "
            "told apart does not mean equal."
        )
    yield (
        "A mean rank depends on who else is there, so a claim about two methods is made from their values on the same "
        "data sets alone.  The best of many is partly lucky: quote the worse end of its interval."
    )
    yield (
        "The data sets are a choice and no sample of all data; subsamples of one table differ less than two tables do. "
        " So nothing here says how a method does on data of another kind."
    )


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
