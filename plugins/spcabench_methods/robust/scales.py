"""Robust scales of numbers, compiled; and the spatial median of points.

All scales estimate the standard deviation of normal numbers, and are 0 only if more than half of the numbers,
for `sd` all, are equal.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

SD, MAD, QN = 0, 1, 2
SCALES = {"sd": SD, "mad": MAD, "qn": QN}

MAD_FACTOR = 1.0 / NormalDist().inv_cdf(0.75)
NEAR = 0.25
"""A median is sought within this share of the last deviation first."""
QN_FACTOR = 1.0 / (np.sqrt(2.0) * NormalDist().inv_cdf(0.625))


@njit(cache=True, nogil=True)
def scale_of(z: Array, kind: int) -> float:
    """Return the standard deviation, the median absolute deviation from the median, or Qn of a vector."""
    if kind == SD:
        return float(np.std(z))
    if kind == MAD:
        return mad_near(z, np.array([0.0, np.inf]), np.empty(len(z)), np.empty(len(z)))
    half = len(z) // 2 + 1
    return float(QN_FACTOR * kth_difference(np.sort(z), half * (half - 1) // 2))


@njit(cache=True, nogil=True)
def mad_near(z: Array, last: Array, gaps: Array, room: Array) -> float:
    """Return the median absolute deviation of z times its factor; it is sought first near that of similar numbers.

    Parameters
    ----------
    z : ndarray of shape (n,)
    last : ndarray of shape (2,)
        The median and the median absolute deviation of numbers like z; those of z are written there.  An infinite
        deviation stands for no such numbers.
    gaps, room : ndarray of shape (n,)
        Overwritten.
    """
    width = NEAR * last[1]
    middle = _median_near(z, last[0], width, room)
    for i in range(len(z)):
        gaps[i] = abs(z[i] - middle)
    deviation = _median_near(gaps, last[1] if width < np.inf else 0.0, width, room)
    last[0], last[1] = middle, deviation
    return MAD_FACTOR * deviation


@njit(cache=True, nogil=True)
def _median_near(z: Array, guess: float, width: float, room: Array) -> float:
    """Return the median of z by a search among its numbers within `width` of `guess`, or of all if it is not there."""
    low, high, n, below, found = guess - width, guess + width, len(z), 0, 0
    for i in range(n):
        below += z[i] < low
        room[found] = z[i]
        found += (z[i] >= low) & (z[i] <= high)
    first = (n - 1) // 2 - below
    if first < 0 or n // 2 - below >= found:
        room[:n] = z
        first, found = (n - 1) // 2, n
    among = room[:found]
    middle = ranked(among, first)
    if n % 2 == 0:
        middle = 0.5 * (middle + among[first + 1 :].min())
    return middle


@njit(cache=True, nogil=True)
def ranked(x: Array, k: int) -> float:
    """Return the k-th smallest number, counted from 0, and put none that is larger before it, none smaller behind."""
    left, right = 0, len(x) - 1
    while left < right:
        pivot, i, j = x[(left + right) // 2], left, right
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            right = j
        elif k >= i:
            left = i
        else:
            break
    found: float = x[k]
    return found


@njit(cache=True, nogil=True)
def kth_difference(x: Array, k: int) -> float:
    """Return the k-th smallest, counted from 1, of the differences ``x[j] - x[i]``, i < j, of sorted numbers.

    Row i holds its candidates as columns ``left[i]`` to ``right[i]``.  A candidate drawn at random is the pivot: two
    pointers find in O(n) how many differences are smaller, and which candidates are on the right side of it.  About
    log n draws leave no more than n candidates, which are sorted: O(n log n) in expectation.
    """
    n = len(x)
    left, right = np.arange(1, n + 1), np.full(n, n)
    below, upto = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    state = np.uint64(1)
    n_candidates = _total(left, right)
    while n_candidates > n:
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        pivot = _candidate(x, left, right, int(state >> np.uint64(33)) % n_candidates)
        n_below, n_upto = _compared(x, pivot, below, upto)
        if n_below < k <= n_upto:
            return pivot
        if k <= n_below:
            for i in range(n):
                right[i] = max(left[i], min(right[i], below[i]))
        else:
            for i in range(n):
                left[i] = min(right[i], max(left[i], upto[i]))
        n_candidates = _total(left, right)
    n_smaller = _total(np.arange(1, n + 1), left)
    difference: float = _sorted_candidates(x, left, right)[k - n_smaller - 1]
    return difference


@njit(cache=True, nogil=True)
def _total(left: Indices, right: Indices) -> int:
    """Return how many columns there are from `left` to `right` in all rows."""
    total = 0
    for i in range(len(left)):
        total += right[i] - left[i]
    return total


@njit(cache=True, nogil=True)
def _candidate(x: Array, left: Indices, right: Indices, number: int) -> float:
    """Return a candidate by its number, counted from 0 row by row."""
    row = 0
    while number >= right[row] - left[row]:
        number -= right[row] - left[row]
        row += 1
    difference: float = x[left[row] + number] - x[row]
    return difference


@njit(cache=True, nogil=True)
def _compared(x: Array, pivot: float, below: Indices, upto: Indices) -> tuple[int, int]:
    """Count the differences below the pivot and up to it; write the columns where those of each row end."""
    n, n_below, n_upto, a, b = len(x), 0, 0, 0, 0
    for i in range(n):
        a, b = max(a, i + 1), max(b, i + 1)
        while a < n and x[a] - x[i] < pivot:
            a += 1
        while b < n and x[b] - x[i] <= pivot:
            b += 1
        below[i], upto[i] = a, b
        n_below += a - i - 1
        n_upto += b - i - 1
    return n_below, n_upto


@njit(cache=True, nogil=True)
def _sorted_candidates(x: Array, left: Indices, right: Indices) -> Array:
    """Return the candidates in ascending order."""
    found = np.empty(_total(left, right))
    filled = 0
    for i in range(len(x)):
        for j in range(left[i], right[i]):
            found[filled] = x[j] - x[i]
            filled += 1
    found.sort()
    return found


def spatial_median(X: Array, tol: float = 1e-10, max_iter: int = 500) -> Array:
    """Return the point of smallest summed distance to the rows of X, by the iteration of Vardi and Zhang (2000).

    Its entry for a constant column is exactly the constant.
    """
    moved = X - X[0]
    y = np.median(moved, axis=0)
    size = float(np.linalg.norm(moved - y, axis=1).max())
    for _ in range(max_iter):
        rest = moved - y
        distances = np.sqrt(np.einsum("ij,ij->i", rest, rest))
        apart = distances > 1e-14 * size
        if not apart.any():
            break
        weights = np.divide(1.0, distances, out=np.zeros_like(distances), where=apart)
        pull = weights @ rest
        strength = float(np.linalg.norm(pull))
        stay = min(1.0, np.count_nonzero(~apart) / strength) if strength > 0.0 else 1.0
        step = (1.0 - stay) * pull / weights.sum()
        y = y + step
        if np.linalg.norm(step) <= tol * size:
            break
    return np.asarray(X[0] + y)
