"""The sign of a loading, and ties that rounding must not decide."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.jit import njit


def first_largest(values: Array) -> int:
    """Return the index of the largest of nonnegative `values`, the first of those that tie up to rounding."""
    return int((values >= (1.0 - TIE) * values.max()).argmax())


def positive_peak(loading: Array) -> Array:
    """Return `loading` or its negative: its entry of largest magnitude (the first on ties) is positive."""
    return 0.0 - loading if loading[first_largest(np.abs(loading))] < 0 else loading


def oriented(W: Array) -> Indices:
    """Turn the rows of W, in place, such that each has a positive peak; return how many nonzeros each has."""
    counts = np.empty(len(W), np.intp)
    _orient(W, counts)
    return counts


@njit(cache=True)
def _orient(W: Array, counts: Indices) -> None:
    for j in range(W.shape[0]):
        peak, count, first = 0.0, 0, 0
        for i in range(W.shape[1]):
            count += W[j, i] != 0.0
            if abs(W[j, i]) > peak:
                peak = abs(W[j, i])
        while abs(W[j, first]) < (1.0 - TIE) * peak:
            first += 1
        for i in range(W.shape[1] if W[j, first] < 0.0 else 0):
            W[j, i] = 0.0 - W[j, i]
        counts[j] = count


@njit(cache=True)
def ties(values: Array) -> tuple[int, int]:
    """Return the index of the largest of nonnegative `values`, the first of those that tie, and how many do."""
    most, first, count = 0.0, 0, 0
    for i in range(len(values)):
        if values[i] > most:
            most = values[i]
    for i in range(len(values)):
        if values[i] >= (1.0 - TIE) * most:
            first, count = first if count else i, count + 1
    return first, count
