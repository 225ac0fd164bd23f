"""The score of a method in a track: 0 is simple thresholding, 100 is dense PCA or the best that can be."""

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
        Data sets that it entered, of how many.
    """

    value: float
    interval: Interval
    n: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether it is over all data sets of the track."""
        return self.n == self.of


def scale_of(tasks: Sequence[Task], controls: Controls) -> Scale:
    """Return how a track is scored, whose data sets these are.

    What the loadings explain of samples is scaled to what those of dense PCA explain, if that is more than those of
    simple thresholding do; any other number to the best value that its metric can take.
    """
    first = tasks[0]
    if first.column.unit == "s":
        return Scale(first.track, first.column.name, "no result", f"as fast as {controls.dense}", ())
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
        What it gained, and what there was to gain; of seconds, the log of the ratio to the dense control's, and 1.
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
    zero = controls.simple if scale.tops else controls.dense
    tops = scale.tops or (math.nan,) * len(tasks)
    entered = [pair for pair in zip(tasks, tops, strict=True) if {label, zero} <= pair[0].values.keys()]
    rows = [
        (task.values[label] - task.values[zero], top - task.values[zero] if scale.tops else 1.0)
        for task, top in entered
    ]
    return Gains(np.array(rows), tuple(f"{task.run}: {task.family}" for task, _ in entered)) if rows else None


def scored(sums: Array, scale: Scale) -> Array:
    """Return points: of sums of gains and of what there was to gain, along the last axis.

    ``100 sum(m - zero) / sum(hundred - zero)``, or of seconds ``100`` times the geometric mean of the ratios.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = sums[..., 0] / sums[..., 1]
    result: Array = 100.0 * (ratio if scale.tops else np.exp(ratio))
    return result


def bootstrap(gained: Gains, scale: Scale) -> Interval:
    """Return the 95 % interval of the points over resampled families; infinite where they are fewer than three."""
    rows = gained.of_families()
    n = len(rows)
    if n < LEAST:
        return NOWHERE
    picks = np.random.default_rng(0).integers(n, size=(RESAMPLES, n))
    drawn = scored(rows[picks].sum(axis=1), scale)
    tail = widened_tail(n)
    low, high = np.nanquantile(drawn, [tail, 1.0 - tail]) if np.isfinite(drawn).any() else (-math.inf, math.inf)
    return Interval(float(low), float(high))


def _score(label: str, tasks: Sequence[Task], scale: Scale, controls: Controls) -> Score | None:
    gained = gains(label, tasks, scale, controls)
    if gained is None:
        return None
    value = float(scored(gained.rows.sum(axis=0), scale))
    return Score(value, bootstrap(gained, scale), len(gained.rows), len(tasks)) if math.isfinite(value) else None


def reasons(label: str, tasks: Sequence[Task]) -> str:
    """Return why a method does not enter a track; the first reason that any of its data sets has."""
    known: Mapping[str, None] = dict.fromkeys(task.outside[label] for task in tasks if label in task.outside)
    return next(iter(known), "it was not run there")
