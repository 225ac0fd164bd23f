"""A leaderboard: a row for each method over some of the data sets, with its ranks, scores and costs."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from spcabench.analysis.contest import Contest
from spcabench.report.model import COSTS, Results
from spcabench.site.ranks import Rank, contest, ranks
from spcabench.site.scores import Controls, Scale, Score, scale_of, why_outside_track
from spcabench.site.tasks import Task
from spcabench.store.status import FINISHED
from spcabench.suite.models import TRACKS, TrackName

TOTAL = COSTS["total_time"]


@dataclass(frozen=True)
class Costs:
    """What a method cost, and how often it failed.

    Parameters
    ----------
    ratio : float
        Its seconds, as a ratio to those of the dense control; nan if there are none.
    failed, planned : int
        Cells that failed or missed their target, of how many.
    fits, most_fits, search_share : float
        Of the search of its penalty: fits of a cell on average and at most, 0 if it needs no search, and the share of
        its seconds.
    """

    ratio: float = math.nan
    failed: int = 0
    planned: int = 0
    fits: float = math.nan
    most_fits: float = math.nan
    search_share: float = math.nan


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
    costs : Costs
        What it cost, and how often it failed.
    dense : bool
        Whether it has no target: it is no rival of the others.
    tier : int, optional
        1 for those that may be the best over the data sets, 2 for those that may be of the rest, and so on; None for
        those that do not enter each data set.
    front : tuple of str
        The tracks that it enters wholly, in which none of the others has as good a score in as little time.
    """

    method: str
    rank: Rank | None
    scores: Mapping[TrackName, Score]
    outside: Mapping[TrackName, str]
    costs: Costs
    dense: bool
    tier: int | None = None
    front: tuple[TrackName, ...] = ()


@dataclass(frozen=True, eq=False)
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

    @property
    def ranked(self) -> dict[str, Rank]:
        """The ranks of the methods that enter each data set, the best first."""
        return {row.method: row.rank for row in self.rows if row.rank is not None and row.rank.whole}

    def whole_scores(self, track: TrackName) -> dict[str, float]:
        """Return the scores of the methods that enter each data set of a track."""
        found = ((row.method, row.scores.get(track)) for row in self.rows if not row.dense)
        return {method: score.value for method, score in found if score and score.whole}


def board(runs: Sequence[Results], tasks: Sequence[Task], controls: Controls) -> Board:
    """Return the leaderboard over some data sets of some runs."""
    by_track = {track: [task for task in tasks if task.track == track] for track in TRACKS}
    scales = {track: scale_of(found, controls) for track, found in by_track.items() if found}
    spent = costs(runs, controls.dense, {task.place for task in tasks})
    places, met = ranks(tasks, controls.panel), contest(tasks)
    tiers = dict(zip(met.methods, met.tiers, strict=True)) if met else {}
    rows = []
    for label in dict.fromkeys(label for task in tasks for label in (*task.labels, *task.outside)):
        scores = {track: score for track, scale in scales.items() if (score := scale.score(label))}
        away = {track: why_outside_track(label, by_track[track]) for track in scales if track not in scores}
        dense = any(label in task.dense for task in tasks)
        cost = spent.get(label, Costs())
        rows.append(Standing(label, places.get(label), scores, away, cost, dense, tiers.get(label)))
    fronts = {track: set(_front(track, rows)) for track, scale in scales.items() if not scale.seconds}
    rows = [replace(row, front=tuple(track for track, on in fronts.items() if row.method in on)) for row in rows]
    rows.sort(key=lambda row: (not row.rank.whole, row.rank.mean) if row.rank else (True, math.inf))
    return Board(tuple(tasks), controls, scales, tuple(rows), met)


def _front(track: TrackName, rows: Sequence[Standing]) -> Iterator[str]:
    """Yield the methods for which no other has as good a score in as little time, and one of both better."""
    found = [
        (row.method, row.scores[track].value, row.costs.ratio)
        for row in rows
        if not row.dense and track in row.scores and row.scores[track].whole and math.isfinite(row.costs.ratio)
    ]
    for method, score, ratio in found:
        as_good = [other[1:] for other in found if other[1] >= score and other[2] <= ratio]
        if all(other == (score, ratio) for other in as_good):
            yield method


def costs(runs: Sequence[Results], dense: str, places: Container[tuple[str, str]]) -> dict[str, Costs]:
    """Return what each method cost.

    The ratio of seconds to those of the dense control is the geometric mean, over data sets, of the geometric means
    over targets of cells that finished.

    Parameters
    ----------
    runs : sequence of Results
        The runs.
    dense : str
        The label of the dense control.
    places : container of (str, str)
        The runs' names and the labels of the data sets that count.
    """
    here = [
        ((results.folder.path.name, group.dataset, group.n_components), group)
        for results in runs
        for group in results.groups
        if (results.folder.path.name, group.dataset) in places
    ]
    control = {place: group.spread(TOTAL).mean for place, group in here if group.method == dense}
    frame = pd.DataFrame(
        [(group.method, place[:2], group.spread(TOTAL).mean / control.get(place, math.nan)) for place, group in here],
        columns=["method", "place", "ratio"],
    )
    entered = [group.state != "not fitted" for _, group in here]
    frame["failed"] = [on * (group.planned - len(group.counted)) for on, (_, group) in zip(entered, here, strict=True)]
    frame["planned"] = [on * group.planned for on, (_, group) in zip(entered, here, strict=True)]
    frame["log"] = frame["ratio"].where(frame["ratio"] > 0).transform(np.log)
    ratio = frame.groupby(["method", "place"])["log"].mean().groupby("method").mean().transform(np.exp)
    counts = frame.groupby("method")[["failed", "planned"]].sum()
    found = pd.concat([ratio, counts, _searches(runs, places)], axis=1)
    return {str(label): Costs(*row) for label, *row in found.itertuples(name=None)}


def _searches(runs: Sequence[Results], places: Container[tuple[str, str]]) -> pd.DataFrame:
    """Return mean and largest number of fits of a search, and its share of the seconds, where cells finished."""
    cells = []
    for results in runs:
        there = [(results.folder.path.name, str(name)) in places for name in results.frame["dataset"]]
        rows = results.frame[np.array(there, dtype=bool) & results.frame["status"].isin(FINISHED)]
        cells.append(rows[["method", "n_fits", "search_time", TOTAL.name]].dropna())
    by_method = pd.concat(cells).astype({"n_fits": float}).groupby("method")
    spent = by_method[["search_time", TOTAL.name]].sum()
    share = (spent["search_time"] / spent[TOTAL.name]).where(spent[TOTAL.name] > 0, 0.0)
    return by_method["n_fits"].agg(["mean", "max"]).assign(share=share)
