"""A leaderboard: a row for each method, over some of the data sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spcabench.analysis.contest import Contest
from spcabench.report.model import Results
from spcabench.site.costs import failures, fits, time_ratios
from spcabench.site.ranks import Rank, contest, ranks
from spcabench.site.scores import Controls, Scale, Score, reasons, scale_of, scores
from spcabench.site.tasks import Task
from spcabench.suite.models import TRACKS, TrackName


@dataclass(frozen=True)
class Standing:
    """A row.

    Parameters
    ----------
    method : str
        Its label.
    rank : Rank, optional
        None for those without a target, and for those that are ranked nowhere.
    scores : mapping of str to Score
        By track.
    outside : mapping of str to str
        Why it has no score in the other tracks.
    ratio : float
        Its seconds, as a ratio to those of the dense control; nan if there are none.
    failed, planned : int
        Cells that failed or missed their target, of how many.
    dense : bool
        Whether it has no target: it is no rival of the others.
    tier : int, optional
        1 for those that may be the best over the data sets, 2 for those that may be of the rest, and so on; None for
        those that do not enter each data set.
    fits : float
        Fits that the search of its penalty spent on a cell, on average; 0 if it needs no search.
    front : tuple of str
        The tracks that it enters wholly, in which none of the others has as good a score in as little time.
    """

    method: str
    rank: Rank | None
    scores: Mapping[TrackName, Score]
    outside: Mapping[TrackName, str]
    ratio: float
    failed: int
    planned: int
    dense: bool
    tier: int | None = None
    fits: float = math.nan
    front: tuple[TrackName, ...] = ()


@dataclass(frozen=True)
class Board:
    """A leaderboard.

    Parameters
    ----------
    tasks : tuple of Task
        What it is over.
    controls : Controls
        What its scores are scaled by, and its ranks are against.
    scales : mapping of str to Scale
        How each track is scored, in the order of the tracks.
    rows : tuple of Standing
        The best mean rank over all data sets first, then those over some, and those without one last.
    contest : Contest, optional
        Between the methods that enter each data set.
    """

    tasks: tuple[Task, ...]
    controls: Controls
    scales: Mapping[TrackName, Scale]
    rows: tuple[Standing, ...]
    contest: Contest | None = None

    def of_track(self, track: TrackName) -> list[Task]:
        """Return the data sets of a track."""
        return [task for task in self.tasks if task.track == track]


def board(runs: Sequence[Results], tasks: Sequence[Task], controls: Controls) -> Board:
    """Return the leaderboard over some data sets of some runs."""
    by_track = {track: [task for task in tasks if task.track == track] for track in TRACKS}
    by_track = {track: found for track, found in by_track.items() if found}
    scales = {track: scale_of(found, controls) for track, found in by_track.items()}
    scored = {track: scores(found, scales[track]) for track, found in by_track.items()}
    datasets = {(task.run, task.dataset) for task in tasks}
    places, lost = ranks(tasks, controls.panel), failures(runs, datasets)
    met, spent = contest(tasks), fits(runs, datasets)
    tiers = dict(zip(met.methods, met.tiers, strict=True)) if met else {}
    ratios = time_ratios(runs, controls.dense, datasets)
    rows = []
    for label in dict.fromkeys(label for task in tasks for label in (*task.labels, *task.outside)):
        found = {track: scored[track][label] for track in scales if label in scored[track]}
        rows.append(
            Standing(
                label,
                places.get(label),
                found,
                {track: reasons(label, by_track[track]) for track in scales if track not in found},
                ratios.get(label, math.nan),
                *lost.get(label, (0, 0)),
                dense=any(label in task.dense for task in tasks),
                tier=tiers.get(label),
                fits=spent[label].mean if label in spent else math.nan,
            )
        )
    fronts = {track: set(_front(track, rows)) for track, scale in scales.items() if not scale.seconds}
    rows = [replace(row, front=tuple(track for track, on in fronts.items() if row.method in on)) for row in rows]
    rows.sort(key=lambda row: (not row.rank.whole, row.rank.mean) if row.rank else (True, math.inf))
    return Board(tuple(tasks), controls, scales, tuple(rows), met)


def _front(track: TrackName, rows: Sequence[Standing]) -> Iterator[str]:
    """Yield the methods for which no other has as good a score in as little time, and one of both better."""
    found = [
        (row.method, row.scores[track].value, row.ratio)
        for row in rows
        if not row.dense and track in row.scores and row.scores[track].whole and math.isfinite(row.ratio)
    ]
    for method, score, ratio in found:
        as_good = [other[1:] for other in found if other[1] >= score and other[2] <= ratio]
        if all(other == (score, ratio) for other in as_good):
            yield method
