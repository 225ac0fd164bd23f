"""How sure a number is: intervals of a share, of a median and of a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = Sequence[float] | NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """An interval of confidence.

    Parameters
    ----------
    low, high : float
        Its ends; either may be infinite.
    """

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether a value lies in the interval."""
        return self.low <= value <= self.high


def wilson(successes: int, n: int, z: float = 1.959963984540054) -> Interval:
    """Return Wilson's interval of a share.

    ``(p + z^2/2n +- z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n)`` with ``p = successes/n``.

    Parameters
    ----------
    successes, n : int
        How often it was so, of how many; ``0 <= successes <= n``.
    z : float
        The quantile of the normal distribution: 1.96 for 95 %.

    Returns
    -------
    Interval
        Within 0 to 1; all of it where `n` is 0.

    Notes
    -----
    Source: Wilson 1927; recommended by Brown, Cai and DasGupta 2001.

    Examples
    --------
    >>> interval = wilson(20, 20)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.84, 1.0)
    """
    if n == 0:
        return Interval(0.0, 1.0)
    share, square = successes / n, z * z / n
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n))
    low, high = (share + square / 2 - half) / (1 + square), (share + square / 2 + half) / (1 + square)
    return Interval(0.0 if successes == 0 else low, 1.0 if successes == n else high)


def median_interval(values: Values, level: float = 0.95) -> Interval:
    """Return the interval of a median between two order statistics, which holds for any distribution.

    Parameters
    ----------
    values : sequence of float, length n
        At least one; infinite values are allowed.
    level : float
        The interval is the narrowest symmetric one that holds the median at least so often, or the range of the
        values where they are too few for that (5 values reach 0.938).

    Notes
    -----
    The l-th value from either end holds it with the level ``1 - 2 P(Binomial(n, 1/2) < l)``.
    """
    ordered = sorted(map(float, values))
    n = len(ordered)
    below = np.cumsum([math.comb(n, place) * 0.5**n for place in range((n + 1) // 2)])
    place = max(0, int((1 - 2 * below >= level).sum()) - 1)
    return Interval(ordered[place], ordered[n - 1 - place])


def mean_interval(values: Values, level: float = 0.95) -> Interval:
    """Return Student's interval of a mean, ``mean +- t sd/sqrt(n)``; infinite for fewer than two values."""
    from scipy.special import stdtrit

    known = np.asarray(values, dtype=float)
    if len(known) < 2:
        return Interval(-math.inf, math.inf)
    half = float(stdtrit(len(known) - 1, (1 + level) / 2)) * float(known.std(ddof=1)) / math.sqrt(len(known))
    return Interval(float(known.mean()) - half, float(known.mean()) + half)


def studentised_interval(values: Values, level: float = 0.95, resamples: int = 2000) -> Interval:
    """Return the bootstrap interval of a mean whose resamples are measured in their own standard errors.

    ``mean - q_(1 - a) se`` to ``mean - q_a se``, where ``q`` are quantiles of ``(mean_b - mean)/se_b`` over resamples.

    Parameters
    ----------
    values : sequence of float, length n
        At least two; it is for many that are skewed, whose mean Student's interval holds too rarely.
    level : float
        How often such an interval is to hold the mean.
    resamples : int
        Bootstrap samples; the generator has a fixed seed.

    Notes
    -----
    Source: Hall 1988.
    """
    known = np.asarray(values, dtype=float)
    n, mean = len(known), float(known.mean())
    drawn = known[np.random.default_rng(0).integers(n, size=(resamples, n))]
    off, errors = drawn.mean(axis=1) - mean, drawn.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(off == 0, 0.0, off / errors)
    low, high = np.quantile(t, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    error = float(known.std(ddof=1))
    return Interval(mean - float(high) * error, mean - float(low) * error)
