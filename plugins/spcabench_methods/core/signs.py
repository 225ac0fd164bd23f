"""The sign of a loading, and ties that rounding must not decide."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.jit import njit


def first_largest(values: Array) -> int:
    """Return the index of the largest of nonnegative `values`, the first of those that tie up to rounding."""
    return ties(np.ascontiguousarray(values))[0]


def positive_peak(loading: Array) -> Array:
    """Return `loading` or its negative: its entry of largest magnitude (the first on ties) is positive."""
    return 0.0 - loading if loading[first_largest(np.abs(loading))] < 0 else loading


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


@njit(cache=True)
def oriented(W: Array) -> Indices:
    """Turn the rows of W, in place, such that each has a positive peak; return how many nonzeros each has."""
    counts = np.zeros(len(W), np.intp)
    for j in range(len(W)):
        turned = W[j, ties(np.abs(W[j]))[0]] < 0.0
        for i in range(W.shape[1]):
            W[j, i] = 0.0 - W[j, i] if turned else W[j, i]
            counts[j] += W[j, i] != 0.0
    return counts
