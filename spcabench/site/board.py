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
    fits, most_fits, search_share : float
        Of the search of its penalty: fits of a cell on average and at most, 0 if it needs no search, and the share of
        its seconds.
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
    ratio: float
    failed: int
    planned: int
    fits: float
    most_fits: float
    search_share: float
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
        ratio, failed, planned, fits, most, share = spent.loc[label] if label in spent.index else NO_COSTS
        rows.append(
            Standing(
                label,
                places.get(label),
                scores,
                {track: why_outside_track(label, by_track[track]) for track in scales if track not in scores},
                ratio,
                int(failed),
                int(planned),
                fits,
                most,
                share,
                dense=any(label in task.dense for task in tasks),
                tier=tiers.get(label),
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


NO_COSTS = (math.nan, 0, 0, math.nan, math.nan, math.nan)
"""Of a method without cells: see `costs`."""


def costs(runs: Sequence[Results], dense: str, places: Container[tuple[str, str]]) -> pd.DataFrame:
    """Return what each method cost and how often it failed, in the order of the last fields of `Standing`.

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
    about = ["run", "dataset", "n_components", "method", "seconds", "failed", "planned"]
    groups = pd.DataFrame(
        [
            (
                place[0],
                *(group.dataset, group.n_components, group.method, group.spread(TOTAL).mean),
                *((0, 0) if group.state == "not fitted" else (group.planned - len(group.counted), group.planned)),
            )
            for results in runs
            for group in results.groups
            if (place := (results.folder.path.name, group.dataset)) in places
        ],
        columns=about,
    )
    control = groups[groups["method"] == dense].groupby(about[:3])["seconds"].last().rename("control")
    beside = groups.join(control, on=about[:3])
    ratio = beside["seconds"] / beside["control"]
    logs = np.log(ratio.where(ratio > 0)).groupby([beside["method"], beside["run"], beside["dataset"]]).mean()
    found = np.exp(logs.groupby("method").mean()).to_frame("ratio")
    return found.join(groups.groupby("method")[["failed", "planned"]].sum()).join(_searches(runs, places))


def _searches(runs: Sequence[Results], places: Container[tuple[str, str]]) -> pd.DataFrame:
    """Return mean and largest number of fits of a search, and its share of the seconds, where cells finished."""
    cells = []
    for results in runs:
        frame = results.frame
        there = [(results.folder.path.name, str(name)) in places for name in frame["dataset"]]
        rows = frame[np.array(there, dtype=bool) & frame["status"].isin(FINISHED)]
        cells.append(rows[["method", "n_fits", "search_time", TOTAL.name]].dropna())
    by_method = pd.concat(cells).astype({"n_fits": float}).groupby("method")
    spent = by_method[["search_time", TOTAL.name]].sum()
    share = (spent["search_time"] / spent[TOTAL.name]).where(spent[TOTAL.name] > 0, 0.0)
    return by_method["n_fits"].agg(["mean", "max"]).assign(share=share)
