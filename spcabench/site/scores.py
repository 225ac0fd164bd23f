"""The score of a method in a track: points between two controls, which no other method moves.

Each target of a data set is scored by itself and held to `CLIP`, so that none decides the mean; one on which the
controls agree is scored for nobody.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
import pandas as pd

from spcabench.analysis.intervals import Interval, bootstrap_interval, mean_interval
from spcabench.parameters import unknown_name
from spcabench.report.model import Results
from spcabench.report.standings import PANEL
from spcabench.report.tasks import Target, Task
from spcabench.wording import Fault, InputError

VERSION = 2
"""Of the scores: raised when a control, the floor or the clip changes."""

LEAST = 3
"""Families of data sets that make an interval."""

CLIP = -100.0, 120.0
"""The points of a target are not below the first, and not above the second."""

FAILURE = -100.0
"""The points of a cell that failed or missed its target."""

FLOOR, ERRORS = 10, 5
"""Margins of the metric, and standard errors of their difference, that the controls must be apart."""

TIMES = 100.0
"""So many times slower than the dense control has 0 points, and so many times faster 100."""


@dataclass(frozen=True)
class Controls:
    """The methods that scores and ranks are relative to; no other method moves them.

    Parameters
    ----------
    simple : str
        The label of the one that has 0 points.
    dense : str
        The label of the one without a target.
    panel : tuple of str
        Those that mean ranks are against.
    """

    simple: str
    dense: str
    panel: tuple[str, ...] = ()


def controls_of(runs: Sequence[Results], simple: str = "", dense: str = "") -> Controls:
    """Return the controls that are named; else the first method with a target, and the first one without.

    The panel are the methods with a target that the suites emphasise, or else those that they name first: a method
    that is added behind them moves no rank.

    Raises
    ------
    InputError
        If the runs have no method of such a name or kind.
    """
    groups = [group for results in runs for group in results.groups]
    without = list(dict.fromkeys(group.method for group in groups if group.knob == "none"))
    having = list(dict.fromkeys(group.method for group in groups if group.knob != "none"))
    named = dict.fromkeys(str(label) for results in runs for label in results.suite.report.emphasis)
    panel = [label for label in named if label in having] or having
    return Controls(
        _chosen(simple, having, "--simple", "a target"),
        _chosen(dense, without, "--dense", "no target"),
        tuple(panel[:PANEL]),
    )


def _chosen(name: str, labels: Sequence[str], option: str, kind: str) -> str:
    if not labels:
        raise InputError(f"no method of these runs has {kind}, and the scores are scaled by one: run it, too")
    if name and name not in labels:
        raise InputError(Fault(f"no method with {kind} has this label{unknown_name(name, labels)}", option))
    return name or labels[0]


@dataclass(frozen=True)
class Mean:
    """A mean over data sets: of the ranks of a method, or of its points in a track.

    Parameters
    ----------
    value : float
        The mean.
    interval : Interval
        At 95 %.
    n, of : int
        Data sets that the method entered, of how many.
    """

    value: float
    interval: Interval
    n: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether it is over all data sets."""
        return self.n == self.of


@dataclass(frozen=True, eq=False)
class Scale:
    """How a track is scored, and the points of the methods.

    Parameters
    ----------
    tasks : tuple of Task
        Its data sets.
    zero, hundred : str
        What has 0 points, and what has 100.
    points : DataFrame
        Of each method on each data set that is scored, by family; nan where it does not enter.
    left_out : tuple of str
        The data sets that are not scored, or the targets of them.
    best : float
        The points of the best value that is known of each draw; nan where nothing is scored.
    """

    tasks: tuple[Task, ...]
    zero: str
    hundred: str
    points: pd.DataFrame
    left_out: tuple[str, ...]
    best: float

    @property
    def column(self) -> str:
        """The column that ranks."""
        return self.tasks[0].column.name

    @property
    def seconds(self) -> bool:
        """Whether seconds are compared."""
        return self.tasks[0].seconds

    def score(self, label: str) -> Mean | None:
        """Return the score of a method; None where it enters no data set that is scored."""
        if label not in self.points or not self.points[label].notna().any():
            return None
        found = _mean(self.points[label])
        low, high = found.interval.low, found.interval.high
        return replace(found, interval=Interval(max(low, CLIP[0]), min(high, CLIP[1]))) if low > -math.inf else found

    def beyond(self, label: str, other: str) -> Mean:
        """Return how many points a method gained beyond another one on the same data sets."""
        return _mean(self.points[label] - self.points[other])


def _mean(points: pd.Series[float]) -> Mean:
    """Return the mean over data sets; its interval is infinite for fewer than `LEAST` families.

    It is Student's where each data set is a family of its own.  Variants of one design are alike, so that Student's
    would be too narrow with them: there it is by bootstrap over whole families, widened for their small number.
    """
    known = points.dropna()
    families, n = list(map(str, known.index)), known.index.nunique()
    interval = Interval(-math.inf, math.inf)
    if n >= LEAST:
        values = known.tolist()
        interval = mean_interval(values) if n == len(known) else bootstrap_interval(values, families)
    return Mean(float(np.mean(known)), interval, len(known), len(points))


def scale_of(tasks: Sequence[Task], controls: Controls) -> Scale:
    """Score a track, whose data sets these are.

    Seconds go from `TIMES` times as slow as the dense control to as many times as fast.  A metric that needs the true
    supports goes from what random ones reach to the best value that it can take; any other one from simple
    thresholding, refitted on its support, to dense PCA.
    """
    first = tasks[0]
    if first.seconds:
        zero, hundred = (f"{controls.dense} is {TIMES:g} times as {word}" for word in ("fast", "slow"))
    elif "supports" in first.metric.requires:
        zero, hundred = "random supports", f"{first.column.name} = {abs(_best(first)):g}"
    else:
        zero, hundred = f"{controls.simple}, refitted on its support", controls.dense
    families, points, best, left_out = [], [], [], []
    for task in tasks:
        rulers = [(target, _ruler(task, target, controls)) for target in task.targets]
        known = [(target.reached, ruler) for target, ruler in rulers if ruler]
        if lacking := [target.name for target, ruler in rulers if not ruler]:
            left_out.append(f"{task.dataset} at {' and at '.join(lacking)}" if known else task.dataset)
        if known:
            families.append(task.family)
            points.append(
                {one: fmean(points_of(reached[one], *ruler) for reached, ruler in known) for one in task.labels}
            )
            best.append(fmean(points_of(reached[[*task.rivals]].max(axis=1), *ruler) for reached, ruler in known))
    most = float(np.mean(best)) if best else math.nan
    return Scale(tuple(tasks), zero, hundred, pd.DataFrame(points, index=families), tuple(left_out), most)


def _ruler(task: Task, target: Target, controls: Controls) -> tuple[pd.Series[float], float] | None:
    """Return what has 0 points on each draw, and how far above it 100 are; None where the controls are too close."""
    dense = target.reached.reindex(columns=[controls.dense])[controls.dense]
    floor = FLOOR * task.metric.margin
    if task.seconds:
        zero, top, floor = dense - math.log(TIMES), dense + math.log(TIMES), 0.0
    elif "supports" in task.metric.requires:
        zero, top = (pd.Series(value, dense.index) for value in (target.chance, _best(task)))
    else:
        zero, top = target.refitted.reindex(columns=[controls.simple])[controls.simple], dense
    apart = (top - zero).to_numpy()
    width = float(apart.mean())
    error = float(apart.std(ddof=1)) / math.sqrt(len(apart)) if len(apart) > 1 else 0.0
    return (zero, width) if width > 0 and width >= max(floor, ERRORS * error) else None


def _best(task: Task) -> float:
    """Return the best value that the metric can take, larger being better."""
    low, high = task.metric.range
    return task.sign * (high if task.sign > 0 else low)


def points_of(reached: pd.Series[float], zero: pd.Series[float], width: float) -> float:
    """Return the points of a method at a target.

    The mean over the draws on which it did not fail, each beside what has 0 points there, is held to `CLIP`; then each
    failure has `FAILURE`.

    Parameters
    ----------
    reached : Series
        By draw; nan is a failure.
    zero : Series
        What has 0 points on each draw.
    width : float
        How far above it 100 points are.
    """
    above = (reached - zero).dropna().tolist()
    if not above:
        return FAILURE
    held = min(max(100.0 * fmean(above) / width, CLIP[0]), CLIP[1])
    return (held * len(above) + FAILURE * (len(reached) - len(above))) / len(reached)


def times_as_fast(points: float) -> float:
    """Return the ratio of two speeds that so many points are between."""
    return float(TIMES ** (points / 50.0))


def why_outside_track(label: str, tasks: Sequence[Task]) -> str:
    """Return why a method does not enter a track; the first reason that any of its data sets has."""
    known = [task.outside[label] for task in tasks if label in task.outside]
    if not known and any(label in task.labels for task in tasks):
        return "the controls agree on its data sets"
    return known[0] if known else "it was not run there"
