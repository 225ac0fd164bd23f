"""Whether methods differ over data sets: mean ranks, a test of all at once, claims about pairs, tiers."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import may_be_best

Matrix = NDArray[np.float64]

MOST_TIERS = 4
"""Tiers that are told apart; what is left shares the last place."""


def iman_davenport(ranks: Matrix) -> float:
    """Test whether all methods are alike.

    ``F = (N - 1) chi/(N (m - 1) - chi)`` with m - 1 and (m - 1)(N - 1) degrees of freedom, where ``chi`` is Friedman's
    statistic with ties, ``(m - 1) sum_j (R_j - N (m + 1)/2)^2 / (sum r_ij^2 - N m (m + 1)^2/4)`` for rank sums R_j.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_methods)
        Midranks within each data set; at least two of each.

    Returns
    -------
    float
        p; 1 where all methods tie everywhere, 0 where all data sets rank them alike.

    Notes
    -----
    Source: Iman and Davenport 1980.  It says only that not all methods are alike.
    """
    from scipy.special import fdtrc

    n, m = ranks.shape
    spread = float((ranks**2).sum()) - n * m * (m + 1) ** 2 / 4
    if spread <= 0:
        return 1.0
    chi = (m - 1) * float(((ranks.sum(axis=0) - n * (m + 1) / 2) ** 2).sum()) / spread
    left = n * (m - 1) - chi
    if left <= 1e-9 * n * m:
        return 0.0
    return float(fdtrc(m - 1, (m - 1) * (n - 1), (n - 1) * chi / left))


def wilcoxon_holm(values: Matrix) -> Matrix:
    """Test for each pair of methods whether one is better, over data sets.

    Parameters
    ----------
    values : ndarray of shape (n_datasets, n_methods)
        On one scale over data sets; nan is a failure, worse than any number.

    Returns
    -------
    ndarray of shape (n_methods, n_methods)
        Two-sided p of the signed-rank test (Wilcoxon 1945), differences of zero split evenly, adjusted for all pairs
        (Holm 1979); 1 on the diagonal.
    """
    from scipy.stats import wilcoxon

    m = values.shape[1]
    pairs = np.array(list(itertools.combinations(range(m), 2))).reshape(-1, 2)
    off = [_differences(values[:, a], values[:, b]) for a, b in pairs]
    raw = np.array([wilcoxon(d, zero_method="zsplit").pvalue if d.any() else 1.0 for d in off])
    order = np.argsort(raw, kind="stable")
    adjusted = np.ones((m, m))
    first, second = pairs[order].T
    adjusted[first, second] = np.minimum(1.0, np.maximum.accumulate((len(raw) - np.arange(len(raw))) * raw[order]))
    return np.minimum(adjusted, adjusted.T)


def _differences(a: Matrix, b: Matrix) -> Matrix:
    """Subtract; a failure of one is an infinite difference, of both none."""
    lost_a, lost_b = np.isnan(a), np.isnan(b)
    return np.select([lost_a & lost_b, lost_a, lost_b], [0.0, -math.inf, math.inf], a - b)


def least_datasets(n_pairs: int, level: float = 0.05) -> int:
    """Return with how many data sets one of so many pairs can be told apart at all: ``2^(1 - N) <= level/n_pairs``.

    Examples
    --------
    >>> [least_datasets(m * (m - 1) // 2) for m in (2, 5, 10, 20, 70)]
    [6, 9, 11, 13, 17]
    """
    return 1 + math.ceil(math.log2(n_pairs / level))


def tiers(values: Matrix, margin: float = 0.0, tolerance: float = 0.0) -> list[int]:
    """Divide methods into tiers: those that may be the best, then those that may be the best of the rest, and so on.

    Parameters
    ----------
    values : ndarray of shape (n_datasets, n_methods)
        Larger is better; nan is a failure.
    margin, tolerance : float
        As of `may_be_best`.

    Returns
    -------
    list of int
        From 1 to `MOST_TIERS`, and one more for the rest.
    """
    found = np.full(values.shape[1], MOST_TIERS + 1)
    for tier in range(1, MOST_TIERS + 1):
        left = np.flatnonzero(found > MOST_TIERS)
        if not len(left):
            break
        found[left[may_be_best(values[:, left], margin, tolerance)]] = tier
    return [int(tier) for tier in found]
