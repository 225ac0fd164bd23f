"""Compiled loops over vectors: truncations in a pass or two, from what their files say of an entry, and products."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba.extending import register_jitable

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

BUCKETS = 2048
"""So many for magnitudes; those below 2**-32 of the largest share one."""
MAGNITUDE = 0x7FFFFFFFFFFFFFFF
"""All bits of a number in double precision but the sign."""
FRACTION_BITS = 46
"""The trailing bits that a bucket ignores, so that it is a 64th of an octave wide."""

jitable = cache(register_jitable)
"""Lets compiled code call a plain function."""


@cache
def thresholded(shrunk: Callable[[Any, float], Any]) -> Callable[[Array, float], Array]:
    """Compile a truncation of each entry by itself: zero up to a threshold, shrunk above it."""
    shrunk = jitable(shrunk)

    @njit(cache=True, error_model="numpy")
    def rule(v: Array, threshold: float) -> Array:
        w = np.empty_like(v)
        for i in range(len(v)):
            size = abs(v[i])
            w[i] = np.copysign(shrunk(size, threshold), v[i]) if size > threshold else 0.0
        return w

    return rule


@cache
def priced(price: Callable[[Any, float], Any]) -> Callable[[Array, float], float]:
    """Compile the sum of what the nonzeros of a vector cost."""
    price = jitable(price)

    @njit(cache=True, error_model="numpy")
    def cost(w: Array, threshold: float) -> float:
        total = 0.0
        for i in range(len(w)):
            paid = price(abs(w[i]), threshold)
            total += paid if w[i] != 0.0 else 0.0  # no branch, which could not be foreseen
        return total

    return cost


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

    The largest always stays.  Shares are added in buckets by the leading bits of a magnitude; entries are sorted in
    the one bucket alone that the limit goes through.
    """
    w = np.ascontiguousarray(v).copy()
    bits = w.view(np.int64)
    first = 0
    for i in range(len(w)):
        first = max(first, _bucket(bits[i], 0))
    first -= BUCKETS - 1
    shares = np.zeros(BUCKETS)
    for i in range(len(w)):
        shares[_bucket(bits[i], first)] += share(abs(w[i]))
    critical = 0
    while critical < BUCKETS - 1 and shares[critical] <= limit:
        limit -= shares[critical]
        critical += 1
    m = 0
    for i in range(len(w)):
        m += _bucket(bits[i], first) == critical
    undecided = np.empty(m, np.int64)
    m = 0
    for i in range(len(w)):
        if _bucket(bits[i], first) == critical:
            undecided[m] = i
            m += 1
    for i in range(len(w)):
        bits[i] &= -np.int64(_bucket(bits[i], first) >= critical)
    for last in range(m - 1, -1 if critical < BUCKETS - 1 else 0, -1):
        i = _next_smallest(w, undecided, last, m)
        limit -= share(abs(w[i]))
        if limit < 0.0:
            break
        w[i] = 0.0
    return w


@njit(error_model="numpy")
def _next_smallest(w: Array, heap: Indices, last: int, m: int) -> int:
    """Take from `heap`, which had m indices at first, that of the smallest magnitude, of tied ones the largest."""
    for top in range(last // 2 if last == m - 1 else 0, -1, -1):
        parent, child = top, 2 * top + 1
        while child <= last:
            if child < last and _goes_first(w, heap[child + 1], heap[child]):
                child += 1
            if not _goes_first(w, heap[child], heap[parent]):
                break
            heap[parent], heap[child] = heap[child], heap[parent]
            parent, child = child, 2 * child + 1
    smallest: int = heap[0]
    heap[0] = heap[last]
    return smallest


@njit(error_model="numpy")
def _goes_first(w: Array, i: int, j: int) -> bool:
    return abs(w[i]) < abs(w[j]) or (abs(w[i]) == abs(w[j]) and i > j)


@njit(cache=True)
def _bucket(bits: int, first: int) -> int:
    """Return the leading bits of a magnitude, which grow with it, counted from `first`."""
    return max(((bits & MAGNITUDE) >> FRACTION_BITS) - first, 0)


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
            score = 0.0
            for i in range(m):
                score += A[row, rows[i]] * weights[i]
            scores[row] = score / n
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
def top(z: Array, k: int) -> Array:
    """Return the k entries of largest magnitude, of tied ones the first."""
    d = len(z)
    if k >= d:
        return z.copy()
    least, room = ranked(np.abs(z), d - k), k
    for i in range(d):
        room -= abs(z[i]) > least
    w = np.zeros(d)
    for i in range(d):
        if abs(z[i]) > least:
            w[i] = z[i]
        elif abs(z[i]) == least and room > 0:
            w[i] = z[i]
            room -= 1
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
