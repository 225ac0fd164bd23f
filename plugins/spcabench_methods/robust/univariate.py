"""Robust location and scale of numbers, of many columns at once, and how far rows lie from the bulk of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, norm

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.robust.scales import QN, scale_of

QUANTILE = 0.975
"""Of normal numbers so many lie within a cutoff."""

SMALL_SAMPLES = (0.399, 0.994, 0.512, 0.844, 0.611, 0.857, 0.669, 0.872)
"""What Qn of 2 to 9 normal numbers has to be multiplied by."""

AT_ONCE = 2**21
"""Entries of the matrix of projections that is sorted at a time."""


def qn(x: Array) -> float:
    """Return Qn, with the correction for few numbers (Rousseeuw and Croux 1993)."""
    n = len(x)
    correction = SMALL_SAMPLES[n - 2] if n < 10 else n / (n + (1.4 if n % 2 else 3.8))
    return correction * scale_of(np.ascontiguousarray(x), QN)


def mcd(Y: Array, h: int) -> tuple[Array, Array]:
    """Return the reweighted minimum covariance determinant estimates of each column: locations and scales.

    Of the windows of h sorted numbers the one of least variance gives a mean, and a scale by its h-th nearest number.
    The numbers within the cutoff for normal ones give the mean and the standard deviation that are returned.
    """
    n = len(Y)
    if h >= n:
        return Y.mean(axis=0), Y.std(axis=0, ddof=1)
    ordered = np.sort(Y - np.median(Y, axis=0), axis=0)
    sums, squares = (
        np.vstack([np.zeros(Y.shape[1]), part]) for part in (ordered.cumsum(axis=0), (ordered**2).cumsum(axis=0))
    )
    means = (sums[h:] - sums[:-h]) / h
    first = np.argmin((squares[h:] - squares[:-h]) / h - means**2, axis=0)
    centres = np.take_along_axis(means, first[None], axis=0)
    residuals = (ordered - centres) ** 2
    variances = np.sort(residuals, axis=0)[h - 1] / chi2.ppf(h / n, 1)
    near = residuals <= variances * chi2.ppf(QUANTILE, 1)
    counts = near.sum(axis=0)
    locations = np.sum(ordered, axis=0, where=near) / counts
    spreads = np.sqrt(np.sum((ordered - locations) ** 2, axis=0, where=near) / np.maximum(counts - 1, 1))
    return locations + np.median(Y, axis=0), spreads


def outlyingness(T: Array, h: int, n_directions: int, random: RandomSource) -> Array:
    """Return how far out each row lies at most along directions through two rows, in robust scales (Stahel, Donoho)."""
    n, found = len(T), np.zeros(len(T))
    pairs = some_pairs(n, n_directions, random)
    for part in np.array_split(pairs, len(pairs) * n // AT_ONCE + 1):
        directions = T[part[:, 0]] - T[part[:, 1]]
        lengths = np.linalg.norm(directions, axis=1)
        scores = T @ (directions[lengths > 0.0] / lengths[lengths > 0.0, None]).T
        locations, scales = mcd(scores, h)
        spread = scales > 1e-12 * np.abs(scores).max(initial=0.0)
        if spread.any():
            away = np.abs(scores[:, spread] - locations[spread]) / scales[spread]
            found = np.maximum(found, away.max(axis=1))
    return found


def some_pairs(n: int, most: int, random: RandomSource) -> Indices:
    """Return all pairs of n rows, or `most` random ones."""
    if math.comb(n, 2) <= most:
        return np.array(list(itertools.combinations(range(n), 2)), dtype=np.intp)
    first = (random.random(most) * n).astype(np.intp)
    second = (random.random(most) * (n - 1)).astype(np.intp)
    return np.column_stack([first, second + (second >= first)])


def within(distances: Array, h: int) -> NDArray[np.bool_]:
    """Return which distances are within the cutoff, by a power of them that is nearly normal (Wilson and Hilferty)."""
    locations, scales = mcd(distances[:, None] ** (2.0 / 3.0), h)
    cutoff = max(float(locations[0] + scales[0] * norm.ppf(QUANTILE)), 0.0) ** 1.5
    return np.asarray(distances <= cutoff * (1.0 + 1e-12))
