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
    for w in W:
        w[:] = positive_peak(w)
    return np.asarray(np.count_nonzero(W, axis=1))


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
