"""A leaderboard: a row for each method over some of the data sets, with its ranks, scores and costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from spcabench.analysis.contest import Contest
from spcabench.analysis.intervals import bootstrap_interval
from spcabench.analysis.paired import differences
from spcabench.report.model import COSTS, Results
from spcabench.report.standings import contest
from spcabench.report.tasks import Task
from spcabench.site.scores import Controls, Mean, Scale, scale_of, why_outside_track
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
    fits : float
        Of the search of its penalty: the mean number for a cell that finished, 0 if it needs no search.
    submitted : int
        Results that are as others submitted them, and were not fitted here.
    """

    ratio: float = math.nan
    failed: int = 0
    planned: int = 0
    fits: float = math.nan
    submitted: int = 0


@dataclass(frozen=True)
class Standing:
    """A row.

    Parameters
    ----------
    method : str
        Its label.
    rank : Mean, optional
        None for those without a target, and for those that are ranked nowhere.
    scores : mapping of str to Mean
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
    rank: Mean | None
    scores: Mapping[TrackName, Mean]
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
    def ranked(self) -> dict[str, Mean]:
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
    places, met = ranks(tasks, controls.panel), contest([task for task in tasks if not task.seconds])
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
    rows.sort(key=lambda row: (not row.rank.whole, row.rank.value) if row.rank else (True, math.inf))
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
    rows, submitted = [], Counter[str]()
    for results in runs:
        submitted.update(results.frame.loc[results.frame["submitted"], "method"])
        name = results.folder.path.name
        groups = [group for group in results.groups if (name, group.dataset) in places]
        seconds = {(one.dataset, one.n_components): one.spread(TOTAL).mean for one in groups if one.method == dense}
        for group in groups:
            ratio = group.spread(TOTAL).mean / seconds.get((group.dataset, group.n_components), math.nan)
            log = math.log(ratio) if ratio > 0 else math.nan
            planned = group.planned if group.state != "not fitted" else 0
            failed = planned - len(group.counted) if planned else 0
            fits = [count for count in group.finished("n_fits") if pd.notna(count)]
            rows.append((group.method, (name, group.dataset), log, failed, planned, sum(fits), len(fits)))
    frame = pd.DataFrame(rows, columns=["method", "place", "log", "failed", "planned", "fits", "finished"])
    logs = frame.groupby(["method", "place"])["log"].mean().groupby("method").mean()
    counts = frame.groupby("method")[["failed", "planned", "fits", "finished"]].sum()
    return {
        str(label): Costs(
            ratio=math.exp(logs[label]),
            failed=int(failed),
            planned=int(planned),
            fits=fits / finished if finished else math.nan,
            submitted=submitted[label],
        )
        for label, failed, planned, fits, finished in counts.itertuples(name=None)
    }


def ranks(tasks: Sequence[Task], panel: Sequence[str]) -> dict[str, Mean]:
    """Return the mean rank of each method against a panel, which no other method moves; seconds do not count.

    At a target it is 1 + how many of the panel are better + half of the ties; a method of the panel ties with itself,
    so that a copy of it has its rank.  On a data set it is the mean of the ranks at the targets of its tracks.  The
    interval is by bootstrap over families of data sets: those that come from one entry of a suite.
    """
    rows, places, families = [], [], {}
    for task in tasks:
        if task.seconds:
            continue
        families[task.place] = task.family
        values = task.numbers[list(task.rivals)]
        beside = values[[label for label in panel if label in values]].to_numpy()
        for row, others in zip(values.to_numpy(), beside, strict=True):
            off = differences(others[None, :], row[:, None])
            close = task.close(others)
            better, tied = (off > close).sum(axis=1), (np.abs(off) <= close).sum(axis=1)
            rows.append(dict(zip(task.rivals, 1 + better + tied / 2, strict=True)))
            places.append(task.place)
    if not rows:
        return {}
    by_dataset = pd.DataFrame(rows).groupby(pd.MultiIndex.from_tuples(places), sort=False).mean()
    found = {str(label): values.dropna() for label, values in by_dataset.items()}
    return {
        label: Mean(
            float(np.mean(mine)),
            bootstrap_interval(mine.to_numpy(), [families[place] for place in mine.index]),
            len(mine),
            len(by_dataset),
        )
        for label, mine in found.items()
    }
