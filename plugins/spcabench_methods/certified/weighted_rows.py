"""The bound by weighted row sums, and what it says of each feature; compiled.

For any weights p > 0 and ``r_i = [S_ii p_i + top_{k-1}(|S_ij| p_j, j != i)] / p_i`` the bound ``max_i r_i`` is at least
the largest eigenvalue of S on any k features.  That eigenvalue is at most the spectral radius of the magnitudes there,
which Collatz and Wielandt bound by the largest weighted row sum, and the k - 1 largest terms exceed any other choice.
With p = 1 it is Gershgorin's theorem.  It is tight where the best block becomes nonnegative when features change sign.

Rows are those of the features T that may be in the support.  Where some of them are known to be in it, their terms
count in every row, and m others are still to be chosen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

FLOOR = 1e-9
"""The least weight, as a share of the largest."""

SLACK = 1e-13
"""Relative rounding of a bound, beside that of a sum of k terms."""


@njit(cache=True)
def insert(largest: Array, n_kept: int, most: int, term: float) -> int:
    """Insert a term into the `most` largest of those before, which descend; return how many there are now."""
    if n_kept < most:
        place = n_kept
        n_kept += 1
    elif term > largest[most - 1]:
        place = most - 1
    else:
        return n_kept
    while place > 0 and largest[place - 1] < term:
        largest[place] = largest[place - 1]
        place -= 1
    largest[place] = term
    return n_kept


@njit(cache=True)
def row_sums(S: Array, features: Indices, fixed: NDArray[np.bool_], m: int, p: Array) -> tuple[Array, Array, Array]:
    """Return weighted row sums, and the terms at the edge of what counts.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric.
    features : ndarray of int, shape (t,)
        T: the features that may be in the support.
    fixed : ndarray of bool, shape (t,)
        Which of them are known to be in it.
    m : int
        How many others are to be chosen, at least 1.
    p : ndarray of shape (t,)
        Positive weights.

    Returns
    -------
    r : ndarray of shape (t,)
        The row sums; the largest is the bound.
    least, next_one : ndarray of shape (t,)
        The smallest free term that counts in a row, and the largest that does not; 0 where there is none.
    """
    t = len(features)
    r, least, next_one = np.empty(t), np.zeros(t), np.zeros(t)
    largest = np.empty(m + 1)
    for a in range(t):
        row = S[features[a]]
        count = m if fixed[a] else m - 1
        total = row[features[a]] * p[a]
        n_kept = 0
        for b in range(t):
            if b == a:
                continue
            term = abs(row[features[b]]) * p[b]
            if fixed[b]:
                total += term
                continue
            n_kept = insert(largest, n_kept, count + 1, term)
        for c in range(min(count, n_kept)):
            total += largest[c]
        r[a] = total / p[a]
        if 0 < count <= n_kept:
            least[a] = largest[count - 1]
        if n_kept > count:
            next_one[a] = largest[count]
    return r, least, next_one


@njit(cache=True)
def better_weights(p: Array, r: Array) -> Array:
    """Return weights that are nearer to those of the least bound: ``p_i sqrt(r_i / max r)``, the largest 1."""
    new = p * np.sqrt(np.maximum(r, 0.0) / r.max())
    floored: Array = np.maximum(new / new.max(), FLOOR)
    return floored


@njit(cache=True)
def probed(
    S: Array, features: Indices, fixed: NDArray[np.bool_], m: int, p: Array, r: Array, least: Array, next_one: Array
) -> tuple[Array, Array]:
    """Bound, for each feature, the supports that have it and those that do not, from the row sums as they are.

    Returns
    -------
    inside, outside : ndarray of shape (t,)
        Bounds with the feature in the support, and without it; of fixed features, infinite.
    """
    t = len(features)
    inside, outside = np.full(t, np.inf), np.full(t, np.inf)
    for a in range(t):
        if fixed[a]:
            continue
        with_it, without_it = r[a], -np.inf
        row = S[features[a]]
        for b in range(t):
            if b == a:
                continue
            count = m if fixed[b] else m - 1
            term = abs(row[features[b]]) * p[a]
            if count > 0:
                with_it = max(with_it, r[b] - max(0.0, least[b] - term) / p[b])
                lost = max(0.0, term - next_one[b]) / p[b] if term >= least[b] else 0.0
                without_it = max(without_it, r[b] - lost)
            else:
                without_it = max(without_it, r[b])
        inside[a], outside[a] = with_it, without_it
    return inside, outside
