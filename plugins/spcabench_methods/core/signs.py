"""The sign of a loading, and ties that rounding must not decide."""

from __future__ import annotations

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import TIE, Array, Indices


def first_largest(values: Array) -> int:
    """Return the index of the largest of nonnegative `values`, the first of those that tie up to rounding."""
    return int((values >= (1.0 - TIE) * values.max()).argmax())


def positive_peak(loading: Array) -> Array:
    """Return `loading` or its negative: its entry of largest magnitude (the first on ties) is positive."""
    return 0.0 - loading if loading[first_largest(np.abs(loading))] < 0 else loading


@njit(cache=True)
def oriented(W: Array) -> Indices:
    """Turn the rows of W, in place, such that each has a positive peak; return how many nonzeros each has."""
    counts = np.zeros(len(W), np.intp)
    for j in range(len(W)):
        w = W[j]
        peak = 0.0
        for i in range(len(w)):
            peak = max(peak, abs(w[i]))
            counts[j] += w[i] != 0.0
        first = 0
        while abs(w[first]) < (1.0 - TIE) * peak:
            first += 1
        if w[first] < 0.0:
            for i in range(len(w)):
                w[i] = 0.0 - w[i]
    return counts


@njit(cache=True)
def ties(values: Array) -> tuple[int, int]:
    """Return the index of the largest of nonnegative `values`, the first of those that tie, and how many do."""
    most, first, count = 0.0, 0, 0
    for i in range(len(values)):
        most = max(most, values[i])
    for i in range(len(values)):
        if values[i] >= (1.0 - TIE) * most:
            first, count = first if count else i, count + 1
    return first, count
