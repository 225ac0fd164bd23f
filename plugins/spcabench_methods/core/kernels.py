"""Compiled loops over vectors: truncations in a pass or two, from what their files say of an entry, and products."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numba.extending import register_jitable

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

DENSE = 4
"""Of a vector with more nonzeros than one in so many all entries are multiplied, in their order in memory."""

jitable = cache(register_jitable)
"""Lets compiled code call a plain function."""


@cache
def selected(
    share: Callable[[float], float], limit: Callable[[float, int, float], float]
) -> Callable[[Array, float], Array]:
    """Compile a truncation that sets the smallest entries to zero, up to a limit."""
    share, limit = jitable(share), jitable(limit)

    @njit(cache=True)
    def rule(v: Array, level: float) -> Array:
        return without_smallest(v, share, limit(level, len(v), inner(v, v)))

    return rule


@njit(error_model="numpy")
def without_smallest(v: Array, share: Callable[[float], float], limit: float) -> Array:
    """Set the smallest entries to zero, as long as their shares add up to no more than the limit.

    The largest always stays.  As in a search by partition, an entry divides those that are undecided.
    """
    w = np.ascontiguousarray(v).copy()
    order, first, last = np.arange(len(w)), 0, len(w) - 1
    while first <= last and first < len(w) - 1:
        middle = (first + last) // 2
        order[middle], order[last] = order[last], order[middle]
        place, smaller = first, 0.0
        for i in range(first, last):
            if _goes_first(w, order[i], order[last]):
                smaller += share(abs(w[order[i]]))
                order[i], order[place] = order[place], order[i]
                place += 1
        order[place], order[last] = order[last], order[place]
        if smaller > limit:
            last = place - 1
            continue
        limit -= smaller + share(abs(w[order[place]]))
        goes = limit >= 0.0 and place < len(w) - 1
        w[order[first : place + goes]] = 0.0
        first = place + 1 if goes else len(w)
    return w


@njit(error_model="numpy")
def _goes_first(w: Array, i: int, j: int) -> bool:
    return abs(w[i]) < abs(w[j]) or (abs(w[i]) == abs(w[j]) and i > j)


@njit(cache=True, fastmath={"reassoc"})
def product(A: Array, whole: bool, w: Array) -> Array:
    """Return S w, from the rows of S in the support of w, or as X'(X w)/n.

    Four rows are added up at a time, the last of them with those of weight zero.  Where it takes little time, calls of
    BLAS take longer.

    Parameters
    ----------
    A : ndarray of shape (n_features, n_features) or (n_samples, n_features)
        S, or X.
    whole : bool
        Whether it is S.
    w : ndarray of shape (n_features,)
    """
    n, d = A.shape
    rows, weights, z, m = np.empty(n + d + 3, np.intp), np.empty(n + d + 3), np.empty(d), 0
    for i in range(d):
        z[i] = 0.0
        if w[i] != 0.0:
            rows[m], weights[m] = i, w[i]
            m += 1
    if not whole:
        scores = np.empty(n + 3)
        for row in range(n):
            scores[row] = (inner(A[row], w) if DENSE * m > d else _gathered(A[row], rows[:m], weights)) / n
        for row in range(n):
            rows[row] = row
        weights, m = scores, n
    for i in range(m, m + 3):
        rows[i], weights[i] = 0, 0.0
    for i in range(0, m, 4):
        r0, r1, r2, r3 = A[rows[i]], A[rows[i + 1]], A[rows[i + 2]], A[rows[i + 3]]
        w0, w1, w2, w3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        for j in range(d):
            z[j] += w0 * r0[j] + w1 * r1[j] + w2 * r2[j] + w3 * r3[j]
    return z


@njit(fastmath={"reassoc"})
def _gathered(row: Array, places: Indices, weights: Array) -> float:
    total = 0.0
    for i in range(len(places)):
        total += row[places[i]] * weights[i]
    return total


@njit(cache=True, fastmath={"reassoc"})
def inner(v: Array, w: Array) -> float:
    """Return v'w."""
    total = 0.0
    for i in range(len(v)):
        total += v[i] * w[i]
    return total


@njit(cache=True)
def scaled(w: Array) -> Array:
    """Scale to unit length, in place; zero stays zero."""
    length = math.sqrt(inner(w, w))
    for i in range(len(w)):
        w[i] /= length or 1.0
    return w


@njit(cache=True, nogil=True)
def kth_largest(sizes: Array, k: int) -> float:
    """Return the k-th largest of nonnegative numbers, counted from 1.

    Their bits, read as whole numbers, are in the same order.  A range of these is halved until as many numbers are
    above as are wanted: counting takes less time than exchanging.
    """
    bits, least = sizes.view(np.int64), np.inf
    low, high = bits.min(), bits.max() + 1
    while high - low > 1:
        middle, count = low + (high - low) // 2, 0
        for i in range(len(bits)):
            count += bits[i] >= middle
        low, high = (middle, high) if count >= k else (low, middle)
        if count == k:
            break
    for i in range(len(bits)):
        least = min(least, sizes[i] if bits[i] >= low else np.inf)
    return least


@njit(cache=True, nogil=True)
def top(z: Array, k: int) -> Array:
    """Return the k entries of largest magnitude, of tied ones the first."""
    d = len(z)
    if k >= d:
        return z.copy()
    sizes = np.abs(z)
    least = kth_largest(sizes, k)
    w, extra = np.where(sizes >= least, z, 0.0), (sizes >= least).sum() - k
    for i in range(d - 1, -1, -1):
        if extra == 0:
            break
        if sizes[i] == least:
            w[i] = 0.0
            extra -= 1
    return w


@njit(cache=True, nogil=True)
def truncated_steps(
    A: Array, whole: bool, z: Array, w: Array, k: int, tol: float, max_iter: int
) -> tuple[Array, float, int, bool]:
    """Make the steps of the truncated power method with S or few samples.

    z is S w.  Return w, w'Sw, how many steps there were, and whether they settled.
    """
    variance = -np.inf
    for n_iter in range(1, max_iter + 1):
        old, w = w, scaled(top(z, k))
        z = product(A, whole, w)
        old_variance, variance = variance, inner(w, z)
        change = w - old
        if abs(variance - old_variance) < tol * variance or math.sqrt(inner(change, change)) <= 1e-2 * tol:
            return w, variance, n_iter, True
    return w, variance, max_iter, False
