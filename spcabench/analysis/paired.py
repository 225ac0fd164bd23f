"""How two methods differ: on the same draws by how much, over sources whether at all."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Interval, mean_interval, median_interval, studentised_interval

MANY, SKEWED = 20, 1.0
"""From so many draws on, and beyond so much skewness, Student's interval holds too rarely."""

UNEVEN = 4.0
"""Sizes of differences count up to this ratio of their mean fourth power to the square of their mean square: it is 3 of
normal ones.  Beyond, they are skewed or have outliers, and signs alone are tested."""


def surely_differ(off: NDArray[np.float64], margin: float, tolerance: float = 0.0) -> bool:
    """Return whether two methods surely differ: the 95 % interval excludes zero, and the middle reaches the margin.

    Parameters
    ----------
    off : ndarray of shape (n,)
        By how much they differ on each of two draws or more; nan where that is unknown, as of two infinite values.
    margin : float
        The smallest difference that matters, at least 0.
    tolerance : float
        What is no larger is no difference.

    Notes
    -----
    What is unknown must not enter a mean: with any, it counts as infinitely much against the first method, and the
    middle is the median.
    """
    kept = np.where(np.abs(off) <= tolerance, 0.0, off)
    unknown = np.isnan(kept)
    if unknown.any():
        kept[unknown] = -np.inf
        return not median_interval(kept).holds(0.0) and bool(abs(np.median(kept)) >= margin)
    return not interval_of_mean(kept).holds(0.0) and bool(abs(kept.mean()) >= margin)


def interval_of_mean(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """Return Student's interval; from `MANY` values on whose skewness is beyond `SKEWED`, the studentised bootstrap."""
    off = values - values.mean()
    spread = float(np.sqrt((off**2).mean()))
    if len(values) >= MANY and spread > 0 and abs(float((off**3).mean())) > SKEWED * spread**3:
        return studentised_interval(values, level)
    return mean_interval(values, level)


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
