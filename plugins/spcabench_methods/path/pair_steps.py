"""The steps of the coordinate-pairwise path, compiled.

Both forms of second moments are rows A_i of one matrix: of S itself, where S_ij = A_ij, or of the transposed
samples over sqrt(n), where S_ij = A_i'A_j.  Either way the sum of the w_i A_i stands for S w.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

Integers = NDArray[np.int64]
Steps = tuple[Integers, Array, Array, Array, Integers]

REFRESH = 1000
"""The sum of w_i A_i is computed anew after so many updates."""
TIE = 1e-12
"""Gains closer than this, relatively, tie."""
SLOTS = 64
"""The table of products of two rows has so many rows and columns; a step needs few that the last did not."""
FAST = {"reassoc", "contract"}


class Rows(NamedTuple):
    """The second moments as rows A_i, and the table of the products of two rows that were computed last."""

    A: Array
    is_gram: bool
    diagonal: Array
    known: Integers
    products: Array


class Entries(NamedTuple):
    """The entries of an iterate: magnitudes, signs, slopes of w'Sw along them, and standard deviations of features."""

    size: Array
    sign: Array
    pull: Array
    deviation: Array


def follow(
    A: Array,
    is_gram: bool,
    diagonal: Array,
    start: Array,
    order: Indices,
    epsilon: float,
    m: int,
    n_nonzero: int,
    amended: bool,
    limit: int,
) -> Steps:
    """Move weight from small to large entries of `start` until `n_nonzero` are left.

    `order` lists the nonzero entries by ascending magnitude.  Return the pair (grown, shrunk) and the length of each
    step; and w'w, w'Sw and the cardinality before each step and at the end.
    """
    entries = Entries(np.abs(start), np.sign(start), np.zeros(len(start)), np.sqrt(diagonal))
    rows = Rows(A, is_gram, diagonal, np.full((SLOTS, SLOTS), -1), np.empty((SLOTS, SLOTS)))
    pairs, lengths = np.empty((limit, 2), dtype=np.int64), np.empty(limit)
    s, variance, nnz = np.empty(limit + 1), np.empty(limit + 1), np.empty(limit + 1, dtype=np.int64)
    made = _follow(rows, entries, order, epsilon, m, n_nonzero, amended, pairs, lengths, s, variance, nnz)
    t = made + 1
    return pairs[:made].copy(), lengths[:made].copy(), s[:t].copy(), variance[:t].copy(), nnz[:t].copy()


@njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _follow(
    rows: Rows,
    started: Entries,
    order: Indices,
    epsilon: float,
    m: int,
    n_nonzero: int,
    amended: bool,
    pairs: Integers,
    lengths: Array,
    s: Array,
    variance: Array,
    nnz: Integers,
) -> int:
    """Do the same from entries that are known, in arrays with room for all steps, and return how many were made.

    What changes and is read again is allocated here, so that the compiler knows that nothing else has a part of it.
    """
    A, is_gram, diagonal = rows.A, rows.is_gram, rows.diagonal
    order, size, sign, pull = order.copy(), started.size.copy(), started.sign.copy(), started.pull.copy()
    entries = Entries(size, sign, pull, started.deviation.copy())
    low: Any = np.int64(0)  # for a literal 0 functions would be compiled apart
    high, t = len(order), 0
    total = np.empty(A.shape[1])
    _add_up(A, entries, order, low, total)
    s[0], variance[0], nnz[0] = 0.0, 0.0, high
    for i in order:
        s[0] += size[i] * size[i]
        variance[0] += size[i] * sign[i] * (total[i] if is_gram else _dot(A, total, i))
    while high - low > n_nonzero and t < len(lengths):
        if t % REFRESH == REFRESH - 1:
            _add_up(A, entries, order, low, total)
        shrinking, growing = min(low + m, high), max(low, high - m)
        for p in range(low, shrinking):
            i = order[p]
            pull[i] = 2.0 * sign[i] * (total[i] if is_gram else _dot(A, total, i))
        for p in range(max(shrinking, growing), high):
            i = order[p]
            pull[i] = 2.0 * sign[i] * (total[i] if is_gram else _dot(A, total, i))
        grown, shrunk, eta = _best_pair(rows, entries, order, low, shrinking, growing, high, epsilon, amended)
        eta = min(eta, size[shrunk])
        covariance = A[grown, shrunk] if is_gram else _product(rows, grown, shrunk)
        curvature = diagonal[grown] + diagonal[shrunk] - 2.0 * sign[grown] * sign[shrunk] * covariance
        pairs[t, 0], pairs[t, 1], lengths[t] = grown, shrunk, eta
        s[t + 1] = s[t] + 2.0 * eta * (size[grown] - size[shrunk] + eta)
        variance[t + 1] = variance[t] + (pull[grown] - pull[shrunk]) * eta + curvature * eta**2
        size[grown] += eta
        size[shrunk] -= eta
        up, down = eta * sign[grown], eta * sign[shrunk]
        for c in range(A.shape[1]):
            total[c] += up * A[grown, c] - down * A[shrunk, c]
        _reorder(order, size, low, grown, shrunk)
        if size[shrunk] == 0.0:
            low += 1
        t += 1
        nnz[t] = high - low
    return t


@njit(cache=True, nogil=True, fastmath=FAST, error_model="numpy")
def _best_pair(
    rows: Rows,
    entries: Entries,
    order: Indices,
    low: int,
    shrinking: int,
    growing: int,
    high: int,
    epsilon: float,
    amended: bool,
) -> tuple[int, int, float]:
    """Return the entry to grow, the entry to shrink and the length of the step for which w'Sw grows most.

    ``order[low:shrinking]`` may shrink and ``order[growing:high]`` may grow.  Of gains that tie the pair of the
    smallest indices is chosen.
    """
    A, is_gram, diagonal = rows.A, rows.is_gram, rows.diagonal
    size, sign, pull, deviation = entries.size, entries.sign, entries.pull, entries.deviation
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
            covariance = A[i, j] if is_gram else _product(rows, i, j)
            gain = slope + (diagonal[i] + diagonal[j] - 2.0 * sign[i] * sign[j] * covariance) * step**2
            first = i < grown or (i == grown and j < shrunk)
            if gain > best + tie or (first and gain >= best - tie):
                best, grown, shrunk, eta = gain, i, j, step
    return grown, shrunk, eta


def replay(start: Array, pairs: Integers, lengths: Array) -> Array:
    """Repeat recorded steps, to the last bit."""
    size = np.abs(start)
    np.add.at(size, pairs.ravel(), np.column_stack([lengths, -lengths]).ravel())
    return np.asarray(size * np.sign(start))


@njit(cache=True, nogil=True, fastmath=FAST)
def _add_up(A: Array, entries: Entries, order: Indices, low: int, total: Array) -> None:
    """Compute the sum of w_i A_i over the entries from `low` on anew."""
    for c in range(len(total)):
        total[c] = 0.0
    for p in range(low, len(order)):
        i = order[p]
        weight = entries.size[i] * entries.sign[i]
        for c in range(len(total)):
            total[c] += weight * A[i, c]


@njit(cache=True, nogil=True, fastmath=FAST)
def _dot(A: Array, v: Array, i: int) -> float:
    """Return A_i'v."""
    product: float = 0.0
    for c in range(len(v)):
        product += A[i, c] * v[c]
    return product


@njit(cache=True, nogil=True, fastmath=FAST)
def _product(rows: Rows, i: int, j: int) -> float:
    """Return A_i'A_j, from the table if the pair was the last that was put in its place there."""
    i, j = min(i, j), max(i, j)
    pair, slot = i * len(rows.A) + j, (i % SLOTS, j % SLOTS)
    if rows.known[slot] != pair:
        total = 0.0
        for c in range(rows.A.shape[1]):
            total += rows.A[i, c] * rows.A[j, c]
        rows.known[slot], rows.products[slot] = pair, total
    product: float = rows.products[slot]
    return product


@njit(cache=True, nogil=True)
def _reorder(order: Indices, size: Array, low: int, grown: int, shrunk: int) -> None:
    """Sort the order again: move the shrunk entry down and the grown one up; only these two are out of place."""
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
