"""How two methods differ: on the same draws by how much, over sources whether at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Interval, Values, mean_interval, median_interval, studentised_interval

Verdict = Literal[
    "better", "worse", "different, size open", "equivalent", "identical on these draws", "not distinguished"
]


MANY, SKEWED = 20, 1.0
"""From so many draws on, and beyond so much skewness, Student's interval holds too rarely."""

UNEVEN = 4.0
"""Sizes of differences count up to this ratio of their mean fourth power to the square of their mean square: it is 3 of
normal ones.  Beyond, they are skewed or have outliers, and signs alone are tested."""


@dataclass(frozen=True)
class Difference:
    """How much better one method is than another, on paired draws.

    Parameters
    ----------
    verdict : str
        ``better`` or ``worse``: the 95 % interval lies beyond the margin.  ``different, size open``: it excludes
        zero and holds the margin.  ``equivalent``: the 90 % interval lies within the margin.  ``identical on these
        draws``: no draw differs by more than the tolerance.  ``not distinguished``: the rest.
    middle : float
        The mean difference; the median one if a method failed in a draw.
    interval : Interval
        Of the mean (`interval_of_mean`) or of the median (between order statistics) at 95 %.
    """

    verdict: Verdict
    middle: float
    interval: Interval


def compare(first: Values, second: Values, margin: float, tolerance: float = 0.0) -> Difference:
    """Compare two methods on the same draws.

    Parameters
    ----------
    first, second : sequence of float, length n
        The values of each draw, larger is better; nan where the method failed.
    margin : float
        The smallest difference that matters, at least 0.
    tolerance : float
        Values closer than this are the same.

    Returns
    -------
    Difference
        Of the first less the second.

    Raises
    ------
    ValueError
        If there are no draws, or not as many of both.

    Notes
    -----
    Two one-sided tests make an equivalence (Schuirmann 1987).  A failure has no size, so it must not enter a mean: with
    any, the verdict is that of the median difference, in which a draw that one method alone failed counts as infinite.
    """
    a, b = (np.asarray(values, dtype=float) for values in (first, second))
    if a.shape != b.shape or a.ndim != 1 or not len(a):
        raise ValueError(f"the draws of two methods are compared pair by pair; found {a.shape} and {b.shape}")
    off = differences(a, b, tolerance)
    if np.isnan(a).any() or np.isnan(b).any():
        middle, wide = float(np.median(off)), median_interval(off)
        narrow = median_interval(off, 0.9)
    else:
        middle, wide = float(off.mean()), interval_of_mean(off)
        narrow = interval_of_mean(off, 0.9)
    return Difference(_verdict(off, wide, narrow, margin), middle, wide)


def interval_of_mean(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """Return Student's interval; from `MANY` values on whose skewness is beyond `SKEWED`, the studentised bootstrap."""
    off = values - values.mean()
    spread = float(np.sqrt((off**2).mean()))
    if len(values) >= MANY and spread > 0 and abs(float((off**3).mean())) > SKEWED * spread**3:
        return studentised_interval(values, level)
    return mean_interval(values, level)


def differences(a: NDArray[np.float64], b: NDArray[np.float64], tolerance: float = 0.0) -> NDArray[np.float64]:
    """Subtract; a failure of one is an infinite difference, of both none; what is within a tolerance is equal."""
    with np.errstate(invalid="ignore"):
        found = np.where(np.abs(a - b) <= tolerance, 0.0, a - b)
    lost_a, lost_b = np.isnan(a), np.isnan(b)
    return np.select([lost_a & lost_b, lost_a, lost_b], [0.0, -math.inf, math.inf], found)


def _verdict(differences: NDArray[np.float64], wide: Interval, narrow: Interval, margin: float) -> Verdict:
    if not differences.any():
        return "identical on these draws"
    if len(differences) < 2:
        return "not distinguished"
    if wide.low > margin:
        return "better"
    if wide.high < -margin:
        return "worse"
    if margin > 0 and -margin <= narrow.low and narrow.high <= margin:
        return "equivalent"
    return "not distinguished" if wide.holds(0.0) else "different, size open"


def pair_p(off: NDArray[np.float64]) -> tuple[float, float]:
    """Test whether one of two methods is better, over sources.

    Parameters
    ----------
    off : ndarray of shape (n,)
        By how much, on each source; 0 is a tie.

    Returns
    -------
    p : float
        Two-sided, exact: that of the signed-rank test (Wilcoxon 1945), whose null is that differences are symmetric
        about 0; where they are `uneven`, that of the sign test, whose null is that either is as often ahead.
    least : float
        The least p that as many differences could have.

    Examples
    --------
    >>> pair_p(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    (0.03125, 0.03125)
    >>> pair_p(np.array([1.0, -1.0, 0.0]))
    (1.0, 0.5)
    """
    signed = weights_of(off)
    chances = _sums(tuple(sorted(map(int, np.abs(signed[signed != 0])))))
    ahead = int(signed[signed > 0].sum())
    p = 2.0 * min(float(chances[: ahead + 1].sum()), float(chances[ahead:].sum()))
    return min(1.0, p), min(1.0, 2.0 * 0.5 ** int((off != 0).sum()))


def weights_of(off: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the sign of each difference, times twice the midrank of its size unless they are uneven: integers."""
    if uneven(off):
        return np.sign(off).astype(np.int64)
    _, places, counts = np.unique(np.abs(off), return_inverse=True, return_counts=True)
    return np.asarray((2 * np.cumsum(counts) - counts + 1)[places] * np.sign(off), dtype=np.int64)


@lru_cache(maxsize=4096)
def _sums(weights: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the chance of each sum of weights, each of which counts or does not with one chance in two."""
    chances = np.zeros(sum(weights) + 1)
    chances[0] = 1.0
    for weight in weights:
        chances *= 0.5
        chances[weight:] += chances[:-weight].copy()
    return chances


def uneven(off: NDArray[np.float64]) -> bool:
    """Return whether the sizes of differences, but for ties, are beyond `UNEVEN`.

    Signs have no part in it: whichever test is chosen, its p is exact for the sizes that there are.
    """
    squares = off[off != 0] ** 2
    return bool(len(squares) and (squares**2).mean() > UNEVEN * squares.mean() ** 2)
