"""The steps of the coordinate-pairwise path, compiled.

Both forms of second moments are rows A_i of one matrix: of S itself, where S_ij = A_ij, or of the transposed
samples over sqrt(n), where S_ij = A_i'A_j.  Either way the sum of w_i A_i is all that is kept of S w.
"""

from __future__ import annotations

import numba
import numpy as np

REFRESH = 1000
"""The sum of w_i A_i is made afresh after so many updates."""
TIE = 1e-12
"""Gains closer than this, relatively, tie."""
SLOTS = 64
"""Products of two rows are kept in a table of so many rows and columns; a step changes few of those it needs."""
FAST = {"reassoc", "contract"}


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def follow(A, is_gram, diagonal, start, order, epsilon, m, n_nonzero, amended, limit):  # type: ignore[no-untyped-def]
    """Move weight from small to large entries of `start` until `n_nonzero` are left.

    `order` lists the nonzero entries by ascending magnitude.  Of each step the pair (grown, shrunk) and the
    length are returned, and w'w, w'Sw and the cardinality before it, then those at the end.
    """
    pairs, lengths = np.empty((limit, 2), dtype=np.int64), np.empty(limit)
    s, variance, nnz = np.empty(limit + 1), np.empty(limit + 1), np.empty(limit + 1, dtype=np.int64)
    order, size, sign = order.copy(), np.abs(start), np.sign(start)
    deviation, pull = np.sqrt(diagonal), np.zeros(len(start))
    known, products = np.full((SLOTS, SLOTS), -1), np.empty((SLOTS, SLOTS))
    high, low, t = len(order), 0, 0
    total = _weighted_sum(A, size * sign, order)
    s[0], variance[0], nnz[0] = np.sum(size**2), 0.0, high
    for i in order:
        variance[0] += size[i] * sign[i] * _gradient(A, is_gram, total, i)
    while high - low > n_nonzero and t < limit:
        if t % REFRESH == REFRESH - 1:
            total = _weighted_sum(A, size * sign, order[low:])
        shrinking, growing = min(low + m, high), max(low, high - m)
        for i in order[low:shrinking]:
            pull[i] = 2.0 * sign[i] * _gradient(A, is_gram, total, i)
        for i in order[max(shrinking, growing) : high]:
            pull[i] = 2.0 * sign[i] * _gradient(A, is_gram, total, i)

        best, grown, shrunk, eta = -np.inf, -1, -1, 0.0
        for p in range(growing, high):
            for q in range(low, min(p, shrinking)):
                i, j = order[p], order[q]
                gap = size[i] - size[j]
                if gap <= 0.0 and pull[j] > pull[i]:
                    i, j = j, i
                step = epsilon / (np.sqrt(gap**2 + 2.0 * epsilon) + gap)
                if amended:
                    step = min(step, size[j])
                slope = (pull[i] - pull[j]) * step
                tie = TIE * abs(best) if grown >= 0 else 0.0
                if slope + ((deviation[i] + deviation[j]) * step) ** 2 < best - tie:
                    continue
                curvature = _curvature(A, is_gram, diagonal, sign, i, j, known, products)
                gain = slope + curvature * step**2
                first = i < grown or (i == grown and j < shrunk)
                if gain > best + tie or (first and gain >= best - tie):
                    best, grown, shrunk, eta = gain, i, j, step

        eta = min(eta, size[shrunk])
        curvature = _curvature(A, is_gram, diagonal, sign, grown, shrunk, known, products)
        pairs[t, 0], pairs[t, 1], lengths[t] = grown, shrunk, eta
        s[t + 1] = s[t] + 2.0 * eta * (size[grown] - size[shrunk] + eta)
        variance[t + 1] = variance[t] + (pull[grown] - pull[shrunk]) * eta + curvature * eta**2
        size[grown] += eta
        size[shrunk] -= eta
        for c in range(A.shape[1]):
            total[c] += eta * (sign[grown] * A[grown, c] - sign[shrunk] * A[shrunk, c])
        _reorder(order, size, low, grown, shrunk)
        if size[shrunk] == 0.0:
            low += 1
        t += 1
        nnz[t] = high - low
    return pairs[:t].copy(), lengths[:t].copy(), s[: t + 1].copy(), variance[: t + 1].copy(), nnz[: t + 1].copy()


@numba.njit(cache=True, nogil=True)
def replay(start, pairs, lengths):  # type: ignore[no-untyped-def]
    """Repeat recorded steps, to the last bit."""
    size = np.abs(start)
    for t in range(len(lengths)):
        size[pairs[t, 0]] += lengths[t]
        size[pairs[t, 1]] -= lengths[t]
    return size * np.sign(start)


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _weighted_sum(A, w, support):  # type: ignore[no-untyped-def]
    total = np.zeros(A.shape[1])
    for i in support:
        for c in range(A.shape[1]):
            total[c] += w[i] * A[i, c]
    return total


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _gradient(A, is_gram, total, i):  # type: ignore[no-untyped-def]
    """Return entry i of S w."""
    if is_gram:
        return total[i]
    product = 0.0
    for c in range(len(total)):
        product += A[i, c] * total[c]
    return product


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _curvature(A, is_gram, diagonal, sign, i, j, known, products):  # type: ignore[no-untyped-def]
    """Return v'Sv of the direction v that grows entry i and shrinks entry j."""
    covariance = A[i, j] if is_gram else _product(A, min(i, j), max(i, j), known, products)
    return diagonal[i] + diagonal[j] - 2.0 * sign[i] * sign[j] * covariance


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _product(A, i, j, known, products):  # type: ignore[no-untyped-def]
    """Return A_i'A_j, from the table if it is the last pair that was put there."""
    pair, slot = i * len(A) + j, (i % SLOTS, j % SLOTS)
    if known[slot] != pair:
        product = 0.0
        for c in range(A.shape[1]):
            product += A[i, c] * A[j, c]
        known[slot], products[slot] = pair, product
    return products[slot]


@numba.njit(cache=True, nogil=True)
def _reorder(order, size, low, grown, shrunk):  # type: ignore[no-untyped-def]
    """Let the shrunk entry sink and the grown one rise; only these two are out of order."""
    p = low
    while order[p] != shrunk:
        p += 1
    while p > low and size[order[p - 1]] > size[shrunk]:
        order[p] = order[p - 1]
        p -= 1
    order[p] = shrunk
    p = len(order) - 1
    while order[p] != grown:
        p -= 1
    while p < len(order) - 1 and size[order[p + 1]] < size[grown]:
        order[p] = order[p + 1]
        p += 1
    order[p] = grown
