"""A leaderboard: a row for each method, over some of the data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
    overall : float
        The mean of its scores, but for seconds; nan where it lacks one, or does not enter each data set.
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
    front : bool
        Whether none of the others has a better score in less time.
    """

    method: str
    rank: Rank | None
    scores: Mapping[TrackName, Score]
    outside: Mapping[TrackName, str]
    overall: float
    ratio: float
    failed: int
    planned: int
    dense: bool
    tier: int | None = None
    fits: float = math.nan
    front: bool = False


@dataclass(frozen=True)
class Board:
    """A leaderboard.

    Parameters
    ----------
    tasks : tuple of Task
        What it is over.
    controls : Controls
        What its scores are scaled by.
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
    scored = {track: scores(found, scales[track], controls) for track, found in by_track.items()}
    datasets = {(task.run, task.dataset) for task in tasks}
    places, lost = ranks(tasks), failures(runs, datasets)
    met, spent = contest(tasks), fits(runs, datasets)
    tiers = dict(zip(met.methods, met.tiers, strict=True)) if met else {}
    ratios = time_ratios(runs, controls.dense, datasets)
    rows = []
    for label in dict.fromkeys(label for task in tasks for label in (*task.values, *task.outside)):
        found = {track: scored[track][label] for track in scales if label in scored[track]}
        quality = [track for track, scale in scales.items() if scale.tops]
        values = [found[track].value if track in found and found[track].whole else math.nan for track in quality]
        rows.append(
            Standing(
                label,
                places.get(label),
                found,
                {track: reasons(label, by_track[track]) for track in scales if track not in found},
                math.fsum(values) / len(values) if values else math.nan,
                ratios.get(label, math.nan),
                *lost.get(label, (0, 0)),
                dense=any(label in task.dense for task in tasks),
                tier=tiers.get(label),
                fits=spent[label].mean if label in spent else math.nan,
            )
        )
    rows = [replace(row, front=_on_front(row, rows)) for row in rows]
    rows.sort(key=lambda row: (not row.rank.whole, row.rank.mean) if row.rank else (True, math.inf))
    return Board(tuple(tasks), controls, scales, tuple(rows), met)


def _on_front(row: Standing, rows: Sequence[Standing]) -> bool:
    """Return whether no other method has as good a score in as little time, and one of both better."""
    if row.dense or not math.isfinite(row.overall) or not math.isfinite(row.ratio):
        return False
    return not any(
        other.overall >= row.overall
        and other.ratio <= row.ratio
        and (other.overall, other.ratio) != (row.overall, row.ratio)
        for other in rows
        if not other.dense
    )
