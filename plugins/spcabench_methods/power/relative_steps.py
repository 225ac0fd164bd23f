"""A step of rSVD-GP, compiled: a truncation in proportion to the length, and the levels that keep the same entries."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from spcabench_methods.core.arrays import TIE, Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.largest_entries import largest
from spcabench_methods.core.vector_loops import edition, jitable, squared_length, without_smallest
from spcabench_methods.truncations import Selection, Threshold, Truncation

Step = Callable[[Array, float], tuple[Array, float, float]]
"""``step(z, level)`` is the unit vector of the truncation of z, zero if nothing is left, and two levels: from the first
to below the second the same entries stay."""


@cache
def relative_step(truncation: Truncation) -> Step:
    """Compile the step of a truncation."""
    if isinstance(truncation, Threshold):
        return step_of_threshold(truncation)
    assert isinstance(truncation, Selection)
    return step_of_selection(truncation)


def step_of_threshold(truncation: Threshold) -> Step:
    """Compile the step of a threshold."""
    made_of, shrunk = edition(truncation.shrunk), jitable(truncation.shrunk)

    @njit(cache=True, nogil=True, error_model="numpy")
    def step(z: Array, level: float) -> tuple[Array, float, float]:
        _ = made_of
        w, low, high = np.empty(len(z)), 0.0, np.inf
        length = math.sqrt(squared_length(z))
        for i in range(len(z)):
            size = abs(z[i]) / length
            if size > level:
                w[i] = math.copysign(shrunk(size, level), z[i])
                high = min(high, size)
            else:
                w[i] = 0.0
                low = max(low, size)
        return scaled(w), low, high

    return step


def step_of_selection(truncation: Selection) -> Step:
    """Compile the step of a selection.

    Sums that differ by rounding errors may not decide what stays.  So the levels have a margin, which `TIE` bounds.
    """
    made_of = edition(truncation.share, truncation.limit, truncation.level_of)
    share, limit, level_of = jitable(truncation.share), jitable(truncation.limit), jitable(truncation.level_of)

    @njit(cache=True, nogil=True, error_model="numpy")
    def step(z: Array, level: float) -> tuple[Array, float, float]:
        _ = made_of
        u = scaled(z.copy())
        squared = squared_length(u)
        w = without_smallest(u, share, limit(level, len(u), squared))
        gone, least = 0.0, np.inf
        for i in range(len(u)):
            if w[i] != 0.0:
                least = min(least, share(abs(u[i])))
            else:
                gone += share(abs(u[i]))
        low = level_of((1.0 + TIE) * gone, len(u), squared) if gone > 0.0 else 0.0
        high = level_of((1.0 - TIE) * (gone + least), len(u), squared)
        return scaled(w), min(low, level), max(high, np.nextafter(level, np.inf))

    return step


@cache
def ranked_step(truncation: Truncation) -> Step:
    """Compile the step whose level is a cardinality k: a threshold is the entry after the k largest."""
    plain = truncation.shrunk if isinstance(truncation, Threshold) else unchanged
    made_of, shrunk = edition(plain, largest), jitable(plain)

    @njit(cache=True, nogil=True, error_model="numpy")
    def step(z: Array, k: float) -> tuple[Array, float, float]:
        _ = made_of
        u, w, heap = scaled(z.copy()), np.zeros(len(z)), np.empty(int(k) + 1, np.intp)
        largest(u, heap)
        level = abs(u[heap[0]])
        for i in heap[1:]:
            w[i] = math.copysign(shrunk(abs(u[i]), level), u[i])
        return scaled(w), k, k + 1.0

    return step


def unchanged(size: float, threshold: float) -> float:
    """Leave a magnitude as it is."""
    return size


@njit(cache=True)
def scaled(w: Array) -> Array:
    """Scale to unit length; zero stays zero."""
    length = math.sqrt(squared_length(w))
    if length > 0.0:
        for i in range(len(w)):
            w[i] /= length
    return w


@njit(cache=True)
def distance(v: Array, w: Array) -> float:
    """Return the length of v - w."""
    total = 0.0
    for i in range(len(v)):
        total += (v[i] - w[i]) * (v[i] - w[i])
    return math.sqrt(total)
