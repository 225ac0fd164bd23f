"""Whether methods differ over data sets: tests of all and of pairs, wins, tiers."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import may_be_best
from spcabench.analysis.paired import differences

Matrix = NDArray[np.float64]

MOST_TIERS = 4
"""Tiers that are told apart; what is left shares the last place."""


def friedman(ranks: Matrix) -> float:
    """Return Friedman's statistic with ties.

    ``chi = (m - 1) sum_j (R_j - N (m + 1)/2)^2 / (sum r_ij^2 - N m (m + 1)^2/4)`` for rank sums R_j.  If all methods
    are alike, it has nearly the chi-squared distribution with m - 1 degrees of freedom.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_methods)
        Midranks within each data set.

    Returns
    -------
    float
        From 0, where all methods tie everywhere, to N (m - 1), where all data sets rank them alike.

    Notes
    -----
    Source: Friedman 1937.
    """
    n, m = ranks.shape
    spread = float((ranks**2).sum()) - n * m * (m + 1) ** 2 / 4
    if spread <= 0:
        return 0.0
    return float((m - 1) * ((ranks.sum(axis=0) - n * (m + 1) / 2) ** 2).sum() / spread)


def iman_davenport(ranks: Matrix) -> float:
    """Test whether all methods are alike.

    ``F = (N - 1) chi/(N (m - 1) - chi)`` with m - 1 and (m - 1)(N - 1) degrees of freedom, where ``chi`` is Friedman's
    statistic.

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
    chi = friedman(ranks)
    left = n * (m - 1) - chi
    if left <= 1e-9 * n * m:
        return 0.0
    return float(fdtrc(m - 1, (m - 1) * (n - 1), (n - 1) * chi / left))


def signed_rank(a: Matrix, b: Matrix) -> float:
    """Test whether one of two methods is better, over data sets.

    Parameters
    ----------
    a, b : ndarray of shape (n_datasets,)
        On one scale over data sets; nan is a failure, worse than any number.

    Returns
    -------
    float
        Two-sided p of the signed-rank test (Wilcoxon 1945), differences of zero split evenly; 1 where they tie
        everywhere.

    Notes
    -----
    p is exact, with ties as without: the ranks of the absolute differences are kept, and each may have either sign.
    """
    off = differences(a, b)
    _, places, counts = np.unique(np.abs(off), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(counts) - counts + 1)[places]  # twice the midrank, an integer
    positive = int(doubled[off > 0].sum())
    chances = np.zeros(int(doubled[off != 0].sum()) + 1)
    chances[0] = 1.0
    for weight in doubled[off != 0]:
        chances = 0.5 * chances
        chances[weight:] += chances[:-weight].copy()
    below, above = float(chances[: positive + 1].sum()), float(chances[positive:].sum())
    return min(1.0, 2.0 * min(below, above))


def holm(p: Matrix) -> Matrix:
    """Adjust p-values that are read together, so that any false one among them is as rare as one alone (Holm 1979).

    Parameters
    ----------
    p : ndarray of shape (n,)

    Examples
    --------
    >>> holm(np.array([0.02, 0.5, 0.01])).round(2).tolist()
    [0.04, 0.5, 0.03]
    """
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order]))
    return adjusted


def wilcoxon_holm(values: Matrix) -> Matrix:
    """Test for each pair of methods whether one is better, over data sets.

    Parameters
    ----------
    values : ndarray of shape (n_datasets, n_methods)
        As of `signed_rank`.

    Returns
    -------
    ndarray of shape (n_methods, n_methods)
        p of `signed_rank`, adjusted for all pairs by `holm`; 1 on the diagonal.
    """
    m = values.shape[1]
    pairs = np.array(list(itertools.combinations(range(m), 2))).reshape(-1, 2)
    adjusted = np.ones((m, m))
    first, second = pairs.T
    adjusted[first, second] = holm(np.array([signed_rank(values[:, a], values[:, b]) for a, b in pairs]))
    return np.minimum(adjusted, adjusted.T)


def wins(values: Matrix, tolerance: float | Matrix = 0.0) -> NDArray[np.int64]:
    """Count the data sets on which each method is above each other one.

    Parameters
    ----------
    values : ndarray of shape (n_datasets, n_methods)
        Larger is better; nan is a failure, worse than any number and a tie with another failure.
    tolerance : float, or ndarray of shape (n_datasets, 1, 1)
        Values that differ by no more are ties.

    Returns
    -------
    ndarray of int, shape (n_methods, n_methods)
        Entry (a, b): on how many data sets a is above b.
    """
    pairs = differences(values[:, :, None], values[:, None, :])
    return np.asarray((pairs > tolerance).sum(axis=0))


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
