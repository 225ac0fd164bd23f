"""What wins where, by how much, and how certain that is: sentences made from a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterator

from spcabench.analysis.contest import Contest
from spcabench.analysis.over_datasets import least_datasets
from spcabench.report.standings import SURE
from spcabench.site.board import Board
from spcabench.site.scores import LEAST, bootstrap, gains, scored, times_as_fast
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
    ranks = {row.method: row.rank for row in board.rows if row.rank is not None and row.rank.whole}
    if not ranks:
        return "No method is ranked on each data set."
    best = next(iter(ranks.values()))
    leaders = [label for label, rank in ranks.items() if rank.mean - best.mean < SAME]
    where = f"Over {datasets(best.of)} in {_tracks(board)}"
    verb = "share" if len(leaders) > 1 else "has"
    among = f"of the {len(ranks)} methods that enter each"
    between = best.interval
    said = f" (95 % interval {between.low:.1f} to {between.high:.1f})" if math.isfinite(between.high) else ""
    lead = f"{where}, {_listed(leaders)} {verb} the best mean rank {among}: {best.mean:.1f}{said}."
    return "  ".join(filter(None, (lead, certainty(board.contest) if board.contest else "", _leaders(board))))


def certainty(met: Contest) -> str:
    """Return in a sentence how many methods the data sets tell from the one with the best mean rank."""
    leader, n, m = met.methods[met.leader], len(met.names), len(met.methods)
    least = least_datasets(math.comb(m, 2))
    if n < least:
        return (
            f"{datasets(n).capitalize()} cannot tell any two of {m} methods apart, which takes {least} or more: that "
            "lead may be chance."
        )
    worse = int((met.p[met.leader] <= SURE).sum())
    others = [label for label, tier in zip(met.methods, met.tiers, strict=True) if tier == 1 and label != leader]
    beside = f"{_listed(others)} may be the best as well" if others else "no other may be the best"
    return f"{leader} is surely better than {worse} of the other {m - 1}; {beside}."


def _leaders(board: Board) -> str:
    """Return who has the best score in each track, where several methods have one."""
    found = {track: track_scores(board, track) for track in board.scales}
    best = {track: _first(scores) for track, scores in found.items() if len(scores) > 1}
    return f"Best by track: {', '.join(f'{track} {_listed(names)}' for track, names in best.items())}." if best else ""


def _first(found: dict[str, float]) -> list[str]:
    """Return who has the best score, or one that looks like it."""
    return [label for label, value in found.items() if value >= max(found.values()) - CLOSE]


def track_scores(board: Board, track: TrackName) -> dict[str, float]:
    """Return the scores of the methods that enter each data set of a track."""
    return {
        row.method: row.scores[track].value
        for row in board.rows
        if not row.dense and track in row.scores and row.scores[track].whole
    }


def by_track(board: Board) -> Iterator[tuple[TrackName, str]]:
    """Yield, for each track, who has the best score and how far the next one is behind."""
    for track, scale in board.scales.items():
        found = track_scores(board, track)
        if len(found) > 1:
            yield track, f"by {scale.column}, {_leader(board, track, found)}"


def _leader(board: Board, track: TrackName, found: dict[str, float]) -> str:
    top, leaders = max(found.values()), _first(found)
    others = {label: value for label, value in found.items() if label not in leaders}
    verb = "lead" if len(leaders) > 1 else "leads"
    said = f"{_listed(leaders)} {verb} with {top:.1f} points"
    if not others:
        return f"{said}, and so do all"
    second = max(others, key=others.__getitem__)
    return f"{said}, {top - others[second]:.1f} above {second}; {_certainty(board, track, leaders[0], second)}"


def _certainty(board: Board, track: TrackName, first: str, second: str) -> str:
    """Return the interval of the difference between two methods over resampled data sets, in words."""
    tasks, scale = board.of_track(track), board.scales[track]
    ours, theirs = (gains(label, tasks, scale, board.controls) for label in (first, second))
    n = len(set(ours.families)) if ours else 0
    if ours is None or theirs is None or n < LEAST:
        return f"{datasets(n)} {'is' if n == 1 else 'are'} too few to say how certain that is"
    beyond = ours.less(theirs)
    found = bootstrap(beyond)
    if not scale.tops:
        times = times_as_fast(float(scored(beyond.rows.sum(axis=0))))
        low, high = times_as_fast(found.low), times_as_fast(found.high)
        return f"{times:.2f} times as fast (95 % interval {low:.2f} to {high:.2f})"
    doubt = "" if found.low > 0 else ", which holds 0: it is not certain"
    over = datasets(len(ours.rows))
    return f"the 95 % interval of that difference over {over} is {found.low:.1f} to {found.high:.1f}{doubt}"


def datasets(n: int) -> str:
    """Return so many data sets, in words."""
    return f"{n} data {'set' if n == 1 else 'sets'}"


def _tracks(board: Board) -> str:
    n = sum(bool(scale.tops) for scale in board.scales.values())
    return f"{n} {'track' if n == 1 else 'tracks'}"


def _listed(names: list[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"{len(names)} methods"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
