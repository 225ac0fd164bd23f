"""What wins where, by how much, and how certain that is: sentences made from a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterator

from spcabench.analysis.intervals import Interval
from spcabench.site.board import Board
from spcabench.site.scores import LEAST, bootstrap, points, scored
from spcabench.suite.models import TrackName

CLOSE = 0.05
"""Points up to which two scores look alike."""

MOST_NAMED = 4
SAME = 1e-9
"""Mean ranks that differ by less are equal."""


def headline(board: Board) -> str:
    """Return who has the best mean rank, and whom the data sets do not tell from it.

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
    lead = f"{where}, {_listed(leaders)} {verb} the best mean rank {among}: {best.mean:.1f}"
    if math.isinf(best.interval.high):
        return f"{lead}, with too few data sets to say how certain that is."
    beside = [
        label for label, rank in ranks.items() if label not in leaders and rank.interval.low <= best.interval.high
    ]
    alone = "no other interval overlaps with that one"
    told = f"the intervals of {_listed(beside)} overlap with that one" if len(beside) > 1 else alone
    told = f"the interval of {beside[0]} overlaps with that one" if len(beside) == 1 else told
    return f"{lead} (95 % interval {best.interval.low:.1f} to {best.interval.high:.1f}); {told}."


def by_track(board: Board) -> Iterator[tuple[TrackName, str]]:
    """Yield, for each track, who has the best score and how far the next one is behind."""
    for track, scale in board.scales.items():
        found = {
            row.method: row.scores[track].value
            for row in board.rows
            if not row.dense and track in row.scores and row.scores[track].whole
        }
        if len(found) > 1:
            yield track, f"by {scale.column}, {_leader(board, track, found)}"


def _leader(board: Board, track: TrackName, found: dict[str, float]) -> str:
    top = max(found.values())
    leaders = [label for label, value in found.items() if value >= top - CLOSE]
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
    ours, theirs = (points(label, tasks, scale, board.controls) for label in (first, second))
    n = 0 if ours is None else len(ours)
    if ours is None or theirs is None or n < LEAST:
        return f"{datasets(n)} {'is' if n == 1 else 'are'} too few to say how certain that is"
    rows = ours.copy()
    rows[:, 0] -= theirs[:, 0]
    if not scale.tops:
        ratio = bootstrap(rows, scale)
        return f"{scored(rows.sum(axis=0), scale) / 100:.2f} times as fast (95 % interval {_range(ratio, 100)})"
    difference = bootstrap(rows, scale)
    doubt = "" if difference.low > 0 else ", which holds 0: it is not certain"
    return f"the 95 % interval of that difference over {n} data sets is {_range(difference, 1)}{doubt}"


def _range(interval: Interval, unit: int) -> str:
    low, high = interval.low / unit, interval.high / unit
    return f"{low:.2f} to {high:.2f}" if unit > 1 else f"{low:.1f} to {high:.1f}"


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
