"""The truncations in a pass or two over a vector, for schemes whose other steps cost hardly more."""

from __future__ import annotations

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.signs import TIE

BUCKETS = 2048
"""So many for magnitudes; those below 2**-32 of the largest share one."""
MAGNITUDE = 0x7FFFFFFFFFFFFFFF
"""All bits of a number in double precision but the sign."""
FRACTION_BITS = 46
"""The trailing bits that a bucket ignores, so that it is a 64th of an octave wide."""


@njit(cache=True)
def hard(v: Array, threshold: float) -> Array:
    """Keep the entries with ``|v| > threshold``, strictly."""
    w = np.empty_like(v)
    for i in range(len(v)):
        w[i] = v[i] if abs(v[i]) > threshold else 0.0
    return w


@njit(cache=True)
def soft(v: Array, threshold: float) -> Array:
    """Soft threshold: ``sign(v) max(|v| - threshold, 0)``."""
    w = np.empty_like(v)
    for i in range(len(v)):
        w[i] = np.copysign(abs(v[i]) - threshold, v[i]) if abs(v[i]) > threshold else 0.0
    return w


@njit(cache=True)
def top_k(v: Array, k: int) -> Array:
    """Keep the `k` entries of largest magnitude, of tied ones those with the smallest index."""
    return without_smallest(v, float(max(len(v) - k, 0)), False)


@njit(cache=True)
def energy(v: Array, share: float) -> Array:
    """Set as many of the smallest entries to zero as have at most `share` of the squared length together."""
    return without_smallest(v, (1.0 + TIE) * share * squared_length(v), True)


@njit(cache=True)
def without_smallest(v: Array, limit: float, squared: bool) -> Array:
    """Set the smallest entries to zero: no more of them than `limit`, or with squares of no larger sum.

    The largest always stays.  Magnitudes are counted, or their squares added, in buckets by the leading bits of a
    number; entries are sorted in the one bucket alone that the limit goes through.
    """
    w = np.ascontiguousarray(v).copy()
    bits = w.view(np.int64)
    first = 0
    for i in range(len(w)):
        first = max(first, _bucket(bits[i], 0))
    first -= BUCKETS - 1
    weights = np.zeros(BUCKETS)
    if squared:
        for i in range(len(w)):
            weights[_bucket(bits[i], first)] += w[i] * w[i]
    else:
        for i in range(len(w)):
            weights[_bucket(bits[i], first)] += 1.0
    critical = 0
    while critical < BUCKETS - 1 and weights[critical] <= limit:
        limit -= weights[critical]
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
    order = undecided[np.argsort(-np.abs(w[undecided]), kind="mergesort")]
    for j in range(m - 1, -1 if critical < BUCKETS - 1 else 0, -1):
        limit -= w[order[j]] ** 2 if squared else 1.0
        if limit < 0.0:
            break
        w[order[j]] = 0.0
    return w


@njit(cache=True, fastmath={"reassoc"})
def squared_length(v: Array) -> float:
    """Add the squares of the entries."""
    total = 0.0
    for i in range(len(v)):
        total += v[i] * v[i]
    return total


@njit(cache=True)
def _bucket(bits: int, first: int) -> int:
    """Return the leading bits of a magnitude, which grow with it, counted from `first`."""
    return max(((bits & MAGNITUDE) >> FRACTION_BITS) - first, 0)
