"""Where a series of costs changed its level: the commits that made something slower, or faster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

NOISES = 4.0
"""A step is larger than so many standard deviations of what differs from one point to the next."""


@dataclass(frozen=True)
class Step:
    """A change of level.

    Parameters
    ----------
    index : int
        The first point of the new level.
    ratio : float
        The new level for each of the old.
    """

    index: int
    ratio: float


def steps(values: Sequence[float], least: float) -> list[Step]:
    """Return the steps of a series, in order.

    A series is cut in two where the sum of absolute deviations of its logarithms from the medians of both parts is
    least, as long as the medians differ by more than `least`, a share, and by more than the noise: the median of
    absolute differences of neighbours, as a standard deviation.  Each part is then cut likewise.

    Parameters
    ----------
    values : sequence of float
        Positive.
    least : float
        The smallest step, as a share.
    """
    levels = np.log(np.asarray(values, dtype=np.float64))
    if len(levels) < 2:
        return []
    noise = 1.4826 * float(np.median(np.abs(np.diff(levels)))) / np.sqrt(2.0)
    cuts = _cuts(levels, max(np.log1p(least), NOISES * noise))
    edges = [0, *cuts, len(levels)]
    medians = [float(np.median(levels[start:end])) for start, end in pairwise(edges)]
    return [Step(cut, float(np.exp(medians[i + 1] - medians[i]))) for i, cut in enumerate(cuts)]


def _cuts(levels: NDArray[np.float64], least: float, offset: int = 0) -> list[int]:
    if len(levels) < 2:
        return []
    best = min(range(1, len(levels)), key=lambda cut: _deviation(levels[:cut]) + _deviation(levels[cut:]))
    left, right = levels[:best], levels[best:]
    if abs(float(np.median(right) - np.median(left))) <= least:
        return []
    return [*_cuts(left, least, offset), offset + best, *_cuts(right, least, offset + best)]


def _deviation(levels: NDArray[np.float64]) -> float:
    return float(np.abs(levels - np.median(levels)).sum())
