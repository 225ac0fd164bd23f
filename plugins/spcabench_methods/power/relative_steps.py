"""The steps of rSVD-GP, compiled, and the levels that lead to the same steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from spcabench_methods.core.arrays import TIE, Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.largest_entries import largest
from spcabench_methods.core.products import product
from spcabench_methods.core.vector_loops import edition, jitable, squared_length, without_smallest
from spcabench_methods.truncations import Selection, Threshold, Truncation

RETURNED = 1e-3
"""Iterations cycle if a loading comes back closer than this share of the tolerance."""


class Steps(NamedTuple):
    """The compiled steps of a truncation.

    Parameters
    ----------
    one : callable
        ``one(z, level)`` is the unit vector of the truncation of z in proportion to its length, and the levels from
        the first number to below the second that keep the same entries.
    all : callable
        ``all(A, whole, w, z, level, tol, max_iter)`` repeats such steps, see `repeated`.
    """

    one: Callable[[Array, float], tuple[Array, float, float]]
    all: Callable[[Array, bool, Array, Array, float, float, int], tuple[Array, float, int, bool, float, float]]


@cache
def relative_steps(truncation: Truncation) -> Steps:
    """Compile the steps for a truncation."""
    if isinstance(truncation, Threshold):
        return steps_of_threshold(truncation.shrunk)
    assert isinstance(truncation, Selection)
    return steps_of_selection(truncation.share, truncation.limit, truncation.level_of)


@cache
def ranked_steps(truncation: Truncation) -> Steps:
    """Compile the steps of which the level is a cardinality k: with a threshold, the entry after the k largest."""
    shrunk = truncation.shrunk if isinstance(truncation, Threshold) else kept
    made_of, shrunk = edition(shrunk, product), jitable(shrunk)

    @njit(cache=True, error_model="numpy")
    def one(z: Array, level: float) -> tuple[Array, float, float]:
        _ = made_of
        return by_rank(z, level, (shrunk,))

    @njit(cache=True, error_model="numpy")
    def all(
        A: Array, whole: bool, w: Array, z: Array, level: float, tol: float, max_iter: int
    ) -> tuple[Array, float, int, bool, float, float]:
        _ = made_of
        return repeated(A, whole, w, z, level, tol, max_iter, by_rank, (shrunk,))

    return Steps(one, all)


def kept(size: float, threshold: float) -> float:
    """Leave a magnitude as it is."""
    return size


def steps_of_threshold(shrunk: Callable[[Any, float], Any]) -> Steps:
    """Compile the steps for a threshold."""
    made_of, shrunk = edition(shrunk, product), jitable(shrunk)

    @njit(cache=True, error_model="numpy")
    def one(z: Array, level: float) -> tuple[Array, float, float]:
        _ = made_of
        return by_threshold(z, level, (shrunk,))

    @njit(cache=True, error_model="numpy")
    def all(
        A: Array, whole: bool, w: Array, z: Array, level: float, tol: float, max_iter: int
    ) -> tuple[Array, float, int, bool, float, float]:
        _ = made_of
        return repeated(A, whole, w, z, level, tol, max_iter, by_threshold, (shrunk,))

    return Steps(one, all)


def steps_of_selection(
    share: Callable[[float], float],
    limit: Callable[[float, int, float], float],
    level_of: Callable[[float, int, float], float],
) -> Steps:
    """Compile the steps for a selection."""
    made_of = edition(share, limit, level_of, product)
    share, limit, level_of = jitable(share), jitable(limit), jitable(level_of)

    @njit(cache=True, error_model="numpy")
    def one(z: Array, level: float) -> tuple[Array, float, float]:
        _ = made_of
        return by_selection(z, level, (share, limit, level_of))

    @njit(cache=True, error_model="numpy")
    def all(
        A: Array, whole: bool, w: Array, z: Array, level: float, tol: float, max_iter: int
    ) -> tuple[Array, float, int, bool, float, float]:
        _ = made_of
        return repeated(A, whole, w, z, level, tol, max_iter, by_selection, (share, limit, level_of))

    return Steps(one, all)


@njit(error_model="numpy")
def repeated(
    A: Array, whole: bool, w: Array, z: Array, level: float, tol: float, max_iter: int, step: Any, rule: Any
) -> tuple[Array, float, int, bool, float, float]:
    """Repeat ``w = unit(truncate(unit(S w)))`` until w settles, or returns to where it was 1, 2, 4, ... steps ago.

    Parameters
    ----------
    A, whole
        See `Compact`.
    w, z : ndarray of shape (n_features,)
        The start, and S times the start.
    level, tol, max_iter
        As of `RSVDGP`.
    step, rule
        The step, and the compiled functions of the truncation that it takes.

    Returns
    -------
    w, w'Sw, how many steps, whether they settled, and the levels, from the first number to below the second, at which
    each step keeps the same entries.
    """
    past, low, high, n_iter, converged = w, 0.0, np.inf, 0, False
    while n_iter < max_iter:
        n_iter += 1
        old = w
        w, least, most = step(z, level, rule)
        low, high = max(low, least), min(high, most)
        moved = distance(w, old)
        converged = moved <= tol
        z = product(A, whole, w)
        if not squared_length(w):
            return w, 0.0, n_iter, True, low, high
        if converged or distance(w, past) <= RETURNED * tol:
            break
        if n_iter & (n_iter - 1) == 0:
            past = w
    variance = 0.0
    for i in range(len(w)):
        variance += w[i] * z[i]
    return w, variance, n_iter, converged, low, high


@njit(error_model="numpy")
def by_threshold(z: Array, level: float, rule: Any) -> tuple[Array, float, float]:
    """Truncate entries of z, relative to its length, each by itself; scale to unit length."""
    length, low, high = math.sqrt(squared_length(z)), 0.0, np.inf
    w = np.empty(len(z))
    for i in range(len(z)):
        size = abs(z[i]) / length
        if size > level:
            w[i] = math.copysign(rule[0](size, level), z[i])
            high = min(high, size)
        else:
            w[i] = 0.0
            low = max(low, size)
    return scaled(w), low, high


@njit(error_model="numpy")
def by_selection(z: Array, level: float, rule: Any) -> tuple[Array, float, float]:
    """Set the smallest entries of z to zero, relative to its length; scale to unit length."""
    share, limit, level_of = rule
    u = scaled(z.copy())
    squared = squared_length(u)
    w = without_smallest(u, share, limit(level, len(u), squared))
    gone, least = 0.0, np.inf
    for i in range(len(u)):
        if w[i] != 0.0:
            least = min(least, share(abs(u[i])))
        else:
            gone += share(abs(u[i]))
    low = (1.0 + TIE) * level_of(gone, len(u), squared) if gone > 0.0 else 0.0
    high = (1.0 - TIE) * level_of(gone + least, len(u), squared)
    return scaled(w), min(low, level), max(high, level)


@njit(error_model="numpy")
def by_rank(z: Array, k: float, rule: Any) -> tuple[Array, float, float]:
    """Truncate z by the entry after the k largest; scale to unit length."""
    u, w = scaled(z.copy()), np.zeros(len(z))
    heap = np.empty(int(k) + 1, np.intp)
    largest(u, heap)
    level, least = abs(u[heap[0]]), np.inf
    for i in heap[1:]:
        least = min(least, abs(u[i]))
        w[i] = math.copysign(rule[0](abs(u[i]), level), u[i])
    return scaled(w), level, least


@njit(error_model="numpy")
def scaled(w: Array) -> Array:
    """Scale to unit length; zero stays zero."""
    length = math.sqrt(squared_length(w))
    if length > 0.0:
        for i in range(len(w)):
            w[i] /= length
    return w


@njit(error_model="numpy")
def distance(v: Array, w: Array) -> float:
    """Return the length of v - w."""
    total = 0.0
    for i in range(len(v)):
        total += (v[i] - w[i]) * (v[i] - w[i])
    return math.sqrt(total)
