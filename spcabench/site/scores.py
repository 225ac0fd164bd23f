"""The score of a method in a track: 0 is simple thresholding, 100 is dense PCA or the best that can be.

Each data set is scored by itself and held to `CLIP`, so that none decides the mean; one on which the controls agree is
scored for nobody.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Interval, widened_tail
from spcabench.site.tasks import Task
from spcabench.suite.models import TrackName

Array = NDArray[np.float64]

LEAST = 3
"""Families of data sets that make an interval."""

CLIP = -100.0, 120.0
"""The points of a data set are not below the first, and not above the second."""

FLOOR = 10
"""Margins of the metric that the controls must be apart on a data set that is scored."""

DECADE = 25.0
"""Points of ten times the speed; 50 are for the speed of the dense control."""

RESAMPLES = 2000
NOWHERE = Interval(-math.inf, math.inf)


@dataclass(frozen=True)
class Controls:
    """The methods that the scores are scaled by.

    Parameters
    ----------
    simple : str
        The label of the one that has 0.
    dense : str
        The label of the one without a target.
    """

    simple: str
    dense: str


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
    tops : tuple of float
        What has 100 points, on each data set; empty where seconds are compared.
    """

    track: TrackName
    column: str
    zero: str
    hundred: str
    tops: tuple[float, ...]


@dataclass(frozen=True)
class Score:
    """The score of a method in a track.

    Parameters
    ----------
    value : float
        Points.
    interval : Interval
        Bootstrap, 95 %, over families of data sets; infinite where they are too few.
    n, of : int
        Data sets that it entered, of how many that are scored.
    """

    value: float
    interval: Interval
    n: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether it is over all data sets of the track that are scored."""
        return self.n == self.of


def scale_of(tasks: Sequence[Task], controls: Controls) -> Scale:
    """Return how a track is scored, whose data sets these are.

    What the loadings explain of samples is scaled to what those of dense PCA explain, if that is more than those of
    simple thresholding do; any other number to the best value that its metric can take.
    """
    first = tasks[0]
    if first.column.unit == "s":
        return Scale(first.track, first.column.name, f"{controls.dense} is 100 times as fast", "the reverse", ())
    low, high = first.metric.range
    both = [task for task in tasks if {controls.simple, controls.dense} <= task.values.keys()]
    ahead = sum(task.values[controls.dense] - task.values[controls.simple] for task in both)
    if first.metric.on == "each" and len(both) == len(tasks) and ahead > first.metric.margin * len(tasks):
        tops, hundred = [task.values[controls.dense] for task in tasks], controls.dense
    elif math.isfinite(best := first.sign * (high if first.sign > 0 else low)):
        tops, hundred = [best] * len(tasks), f"{first.column.name} = {abs(best):g}"
    else:
        tops, hundred = [max(task.values.values()) for task in tasks], "the best of the methods"
    return Scale(first.track, first.column.name, controls.simple, hundred, tuple(tops))


def scores(tasks: Sequence[Task], scale: Scale, controls: Controls) -> dict[str, Score]:
    """Return the score of each method that enters any data set of a track; none where the controls lack."""
    labels = dict.fromkeys(label for task in tasks for label in task.values)
    found = {label: _score(label, tasks, scale, controls) for label in labels}
    return {label: score for label, score in found.items() if score is not None}


@dataclass(frozen=True, eq=False)
class Gains:
    """What a method gained on the data sets of a track that it enters.

    Parameters
    ----------
    rows : ndarray of shape (n, 2)
        Its points, and 1 for each data set that is scored.
    families : tuple of str, length n
        The family of each data set: variants of one design are resampled together.
    """

    rows: Array
    families: tuple[str, ...]

    def less(self, other: Gains) -> Gains:
        """Return what it gained beyond another method on the same data sets."""
        return replace(self, rows=self.rows - other.rows * [1.0, 0.0])

    def of_families(self) -> Array:
        """Return the sum over each family, shape (n_families, 2)."""
        labels = np.array(self.families)
        return np.array([self.rows[labels == name].sum(axis=0) for name in dict.fromkeys(self.families)])


def gains(label: str, tasks: Sequence[Task], scale: Scale, controls: Controls) -> Gains | None:
    """Return what a method gained; None where it enters no data set of the track."""
    zero = _zero(scale, controls)
    entered = [(task, top) for task, top in _scored_on(tasks, scale, controls) if label in task.values]
    points = [float(np.clip(_points(task.values[label], task.values[zero], top), *CLIP)) for task, top in entered]
    rows = np.array([points, np.ones(len(points))]).T
    return Gains(rows, tuple(f"{task.run}: {task.family}" for task, _ in entered)) if points else None


def _zero(scale: Scale, controls: Controls) -> str:
    return controls.simple if scale.tops else controls.dense


def _scored_on(tasks: Sequence[Task], scale: Scale, controls: Controls) -> list[tuple[Task, float]]:
    """Return the data sets that are scored, with what has 100 points there; nan where seconds are compared."""
    zero, tops = _zero(scale, controls), scale.tops or (math.nan,) * len(tasks)
    return [
        (task, top)
        for task, top in zip(tasks, tops, strict=True)
        if zero in task.values and (math.isnan(top) or top - task.values[zero] > FLOOR * task.metric.margin)
    ]


def _points(value: float, zero: float, top: float) -> float:
    """Return ``100 (value - zero) / (top - zero)``, or ``50 + 25 log10(ratio of speeds)`` where there is no top."""
    if math.isnan(top):
        return 2 * DECADE + DECADE * (value - zero) / math.log(10)
    return 100 * (value - zero) / (top - zero)


def scored(sums: Array) -> Array:
    """Return mean points, of sums of points and of data sets along the last axis."""
    result: Array = sums[..., 0] / sums[..., 1]
    return result


def times_as_fast(points: float) -> float:
    """Return the ratio of two speeds that so many points are between."""
    return float(10 ** (points / DECADE))


def bootstrap(gained: Gains) -> Interval:
    """Return the 95 % interval of the points over resampled families; infinite where they are fewer than three."""
    rows = gained.of_families()
    n = len(rows)
    if n < LEAST:
        return NOWHERE
    picks = np.random.default_rng(0).integers(n, size=(RESAMPLES, n))
    drawn = scored(rows[picks].sum(axis=1))
    tail = widened_tail(n)
    low, high = np.quantile(drawn, [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def _score(label: str, tasks: Sequence[Task], scale: Scale, controls: Controls) -> Score | None:
    gained = gains(label, tasks, scale, controls)
    if gained is None:
        return None
    n_scored = len(_scored_on(tasks, scale, controls))
    return Score(float(scored(gained.rows.sum(axis=0))), bootstrap(gained), len(gained.rows), n_scored)


def reasons(label: str, tasks: Sequence[Task]) -> str:
    """Return why a method does not enter a track; the first reason that any of its data sets has."""
    known: Mapping[str, None] = dict.fromkeys(task.outside[label] for task in tasks if label in task.outside)
    return next(iter(known), "it was not run there")
