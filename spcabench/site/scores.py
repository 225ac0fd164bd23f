"""The score of a method in a track: points between two controls, which no other method moves.

Each target of a data set is scored by itself and held to `CLIP`, so that none decides the mean; one on which the
controls agree is scored for nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Interval, bootstrap_interval, mean_interval
from spcabench.site.tasks import Target, Task
from spcabench.suite.models import TrackName

Array = NDArray[np.float64]

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


@dataclass(frozen=True)
class Ruler:
    """What has 0 and 100 points at a target.

    Parameters
    ----------
    zero : mapping of int to float
        The value that has 0 points, by seed.
    width : float
        How far above it 100 points are.
    """

    zero: Mapping[int, float]
    width: float

    def points(self, reached: Mapping[int, float], seeds: Sequence[int]) -> tuple[float, bool]:
        """Return the points of a method, and whether they are held to `CLIP`.

        The mean over the seeds that did not fail, each beside what has 0 points on the same draw, is held to `CLIP`;
        then each failure has `FAILURE`.
        """
        failed = len(seeds) - len(reached)
        if not reached:
            return FAILURE, False
        above = math.fsum(value - self.zero[seed] for seed, value in reached.items()) / len(reached)
        plain = 100.0 * above / self.width
        held = min(max(plain, CLIP[0]), CLIP[1])
        return (held * len(reached) + FAILURE * failed) / len(seeds), held != plain


@dataclass(frozen=True)
class Scale:
    """How a track is scored.

    Parameters
    ----------
    track : str
        The track.
    column : str
        The column that ranks.
    zero, hundred : str
        What has 0 points, and what has 100.
    seconds : bool
        Whether seconds are compared.
    rulers : tuple of tuple of Ruler or None
        For each data set and each of its targets; None where the controls agree.
    left_out : tuple of str
        The data sets that are not scored, or the targets of them.
    best : float
        The points of the best value that is known of each draw; nan where nothing is scored.
    """

    track: TrackName
    column: str
    zero: str
    hundred: str
    seconds: bool
    rulers: tuple[tuple[Ruler | None, ...], ...]
    left_out: tuple[str, ...]
    best: float = math.nan


@dataclass(frozen=True)
class Score:
    """The score of a method in a track.

    Parameters
    ----------
    value : float
        Points.
    interval : Interval
        At 95 %, over data sets; see `interval_of`.
    n, of : int
        Data sets that it entered, of how many that are scored.
    clipped, targets : int
        Targets whose points are held to `CLIP`, of how many.
    """

    value: float
    interval: Interval
    n: int
    of: int
    clipped: int
    targets: int

    @property
    def whole(self) -> bool:
        """Whether it is over all data sets of the track that are scored."""
        return self.n == self.of


def scale_of(tasks: Sequence[Task], controls: Controls) -> Scale:
    """Return how a track is scored, whose data sets these are.

    Seconds go from `TIMES` times as slow as the dense control to as many times as fast.  A metric that needs the true
    supports goes from what random ones reach to the best value that it can take; any other one from simple
    thresholding, refitted on its support, to dense PCA.
    """
    first = tasks[0]
    if seconds := first.column.unit == "s":
        zero, hundred = (f"{controls.dense} is {TIMES:g} times as {word}" for word in ("fast", "slow"))
    elif "supports" in first.metric.requires:
        zero, hundred = "random supports", f"{first.column.name} = {abs(_best(first)):g}"
    else:
        zero, hundred = f"{controls.simple}, refitted on its support", controls.dense
    rulers = tuple(tuple(_ruler(task, target, controls) for target in task.targets) for task in tasks)
    left_out = tuple(_left_out(tasks, rulers))
    scale = Scale(first.track, first.column.name, zero, hundred, seconds, rulers, left_out)
    known = [task_points(task, best_known(task), own)[0] for task, own in zip(tasks, rulers, strict=True) if any(own)]
    return replace(scale, best=float(np.mean(known)) if known else math.nan)


def _ruler(task: Task, target: Target, controls: Controls) -> Ruler | None:
    """Return what has 0 and 100 points; None where a control has no value, or both are too close."""
    dense = target.reached.get(controls.dense, {})
    if task.column.unit == "s":
        away = math.log(TIMES)
        zero, top = ({seed: value + far for seed, value in dense.items()} for far in (-away, away))
        return _between(zero, top, target, 0.0)
    if "supports" in task.metric.requires:
        zero, top = (dict.fromkeys(target.seeds, value) for value in (target.chance, _best(task)))
    else:
        zero, top = dict(target.refitted.get(controls.simple, {})), dict(dense)
    return _between(zero, top, target, FLOOR * task.metric.margin)


def _between(zero: Mapping[int, float], top: Mapping[int, float], target: Target, floor: float) -> Ruler | None:
    apart = np.array([top.get(seed, math.nan) - zero.get(seed, math.nan) for seed in target.seeds])
    width = float(apart.mean())
    error = float(apart.std(ddof=1)) / math.sqrt(len(apart)) if len(apart) > 1 else 0.0
    return Ruler(zero, width) if width > 0 and width >= max(floor, ERRORS * error) else None


def _best(task: Task) -> float:
    """Return the best value that the metric can take, larger being better."""
    low, high = task.metric.range
    return task.sign * (high if task.sign > 0 else low)


def _left_out(tasks: Sequence[Task], rulers: Sequence[Sequence[Ruler | None]]) -> Iterator[str]:
    for task, own in zip(tasks, rulers, strict=True):
        lacking = [target.name for target, ruler in zip(task.targets, own, strict=True) if ruler is None]
        if lacking:
            yield task.dataset if len(lacking) == len(own) else f"{task.dataset} at {' and at '.join(lacking)}"


def best_known(task: Task) -> list[Mapping[int, float]]:
    """Return the best value that any ranked method reached on each draw, for each target."""
    found: list[Mapping[int, float]] = []
    for target in task.targets:
        several = [target.reached[label] for label in task.rivals]
        found.append({seed: max(one[seed] for one in several if seed in one) for one in several for seed in one})
    return found


def task_points(
    task: Task, reached: Sequence[Mapping[int, float]], rulers: Sequence[Ruler | None]
) -> tuple[float, int, int]:
    """Return the mean points over the targets that are scored, how many were held to `CLIP`, and of how many."""
    found = [
        ruler.points(one, target.seeds)
        for target, one, ruler in zip(task.targets, reached, rulers, strict=True)
        if ruler is not None
    ]
    return math.fsum(points for points, _ in found) / len(found), sum(held for _, held in found), len(found)


@dataclass(frozen=True, eq=False)
class Gains:
    """What a method gained on the data sets of a track that it enters.

    Parameters
    ----------
    points : ndarray of shape (n,)
        Of each data set that is scored.
    families : tuple of str, length n
        The family of each data set: variants of one design.
    clipped, targets : int
        Targets whose points are held to `CLIP`, of how many.
    """

    points: Array
    families: tuple[str, ...]
    clipped: int = 0
    targets: int = 0

    @property
    def mean(self) -> float:
        """The points of the track."""
        return float(self.points.mean())

    @property
    def interval(self) -> Interval:
        """The interval of the mean; see `interval_of`."""
        return interval_of(self.points, self.families)

    def less(self, other: Gains) -> Gains:
        """Return what it gained beyond another method on the same data sets."""
        return Gains(self.points - other.points, self.families)


def interval_of(points: Array, families: Sequence[str]) -> Interval:
    """Return the 95 % interval of a mean over data sets; infinite for fewer than `LEAST` families.

    It is Student's where each data set is a family of its own.  Variants of one design are alike, so that Student's
    would be too narrow with them: there it is by bootstrap over whole families, widened for their small number.
    """
    n = len(set(families))
    if n < LEAST:
        return Interval(-math.inf, math.inf)
    return mean_interval(points) if n == len(points) else bootstrap_interval(points, families)


def gains(label: str, tasks: Sequence[Task], scale: Scale) -> Gains | None:
    """Return what a method gained; None where it enters no data set of the track that is scored."""
    entered = [(task, own) for task, own in zip(tasks, scale.rulers, strict=True) if label in task.labels and any(own)]
    found = [task_points(task, [one.reached[label] for one in task.targets], own) for task, own in entered]
    if not found:
        return None
    points, clipped, targets = zip(*found, strict=True)
    families = tuple(f"{task.run}: {task.family}" for task, _ in entered)
    return Gains(np.array(points), families, sum(clipped), sum(targets))


def scores(tasks: Sequence[Task], scale: Scale) -> dict[str, Score]:
    """Return the score of each method that enters any data set of a track."""
    labels = dict.fromkeys(label for task in tasks for label in task.labels)
    n_scored = sum(any(own) for own in scale.rulers)
    found = {label: gains(label, tasks, scale) for label in labels}
    return {
        label: Score(one.mean, _possible(one.interval), len(one.points), n_scored, one.clipped, one.targets)
        for label, one in found.items()
        if one is not None
    }


def _possible(interval: Interval) -> Interval:
    """Return an interval without what no score can be."""
    if math.isinf(interval.low):
        return interval
    return Interval(max(interval.low, CLIP[0]), min(interval.high, CLIP[1]))


def times_as_fast(points: float) -> float:
    """Return the ratio of two speeds that so many points are between."""
    return float(TIMES ** (points / 50.0))


def reasons(label: str, tasks: Sequence[Task]) -> str:
    """Return why a method does not enter a track; the first reason that any of its data sets has."""
    known: Mapping[str, None] = dict.fromkeys(task.outside[label] for task in tasks if label in task.outside)
    if not known and any(label in task.labels for task in tasks):
        return "the controls agree on its data sets"
    return next(iter(known), "it was not run there")
