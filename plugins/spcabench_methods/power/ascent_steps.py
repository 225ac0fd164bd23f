"""The first steps of GPower, compiled: where products take little time, calls would take longer."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from spcabench_methods.core.arrays import TIE, Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.products import product
from spcabench_methods.core.vector_loops import edition, jitable
from spcabench_methods.truncations import Threshold

Ended = tuple[Array, Array, float, int, bool, float, float, int]
Steps = Callable[[Array, bool, Array, float, float, float, int], Ended]


@cache
def ascent_steps(penalty: Threshold) -> Steps:
    """Compile the steps for a threshold."""
    shrunk, price, weight = jitable(penalty.shrunk), jitable(penalty.price), penalty.weight
    made_of = edition(shrunk, price, product)

    @njit(cache=True, nogil=True, error_model="numpy")
    def steps(A: Array, whole: bool, w: Array, largest: float, level: float, tol: float, max_iter: int) -> Ended:
        """Repeat ``t = truncate(c)``, ``c = S t / sqrt(t'St)`` until the objective settles.

        Parameters
        ----------
        A, whole
            See `Compact`.
        w : ndarray of shape (n_features,)
            The start, in place of the first t.
        largest : float
            The largest variance of a feature.
        level : float
            The threshold.
        tol : float
            Of the objective, as a share.
        max_iter : int

        Returns
        -------
        the truncation of c scaled, c, the objective, how many steps, and whether they settled; then the limits within
        which another hard threshold would make the same steps, and how many entries the last step kept.  No step
        without variance at the start.
        """
        _ = made_of
        t, objective, old, n_iter = w.copy(), 0.0, 0.0, 0
        removed, kept, count, old_count = 0.0, math.inf, 0, 0
        while True:
            c = product(A, whole, t)
            variance = inner(t, c)
            if n_iter == 0 and variance <= TIE * largest:
                return t, c, 0.0, 0, False, removed, kept, 0
            for i in range(len(c)):
                c[i] /= math.sqrt(variance)
            converged = n_iter > 2 and abs(objective - old) < tol * old
            limits = removed, kept
            removed, kept = as_settled(limits, level, tol, objective, old, count, old_count) if n_iter > 2 else limits
            old, gained, old_count, count = objective, 0.0, count, 0
            for i in range(len(c)):
                size = abs(c[i])
                if size > level:
                    new = shrunk(size, level)
                    kept, count = min(kept, size), count + 1
                    gained += new * (2.0 * size - new) - price(new, level) / weight
                    t[i] = math.copysign(new, c[i])
                else:
                    removed, t[i] = max(removed, size), 0.0
            if converged or n_iter == max_iter:
                return scaled(t), c, objective, n_iter, converged, removed, kept, old_count
            objective, n_iter = gained, n_iter + 1
            if objective <= 0.0:
                t[:] = 0.0
                return t, c, 0.0, n_iter, True, removed, kept, 0

    return steps


@njit(cache=True)
def as_settled(
    limits: tuple[float, float], level: float, tol: float, objective: float, old: float, count: int, old_count: int
) -> tuple[float, float]:
    """Narrow limits to the hard thresholds that let the objective settle, or not, in the same step.

    With x more of the squared threshold the objective is less by x for each entry that stays.  It then settles if
    ``objective - old - (count - old_count) x < tol (old - old_count x)``.
    """
    low, high = limits
    slope = count - old_count - tol * old_count
    if slope == 0.0:
        return limits
    squared = level * level + (objective - old - tol * old) / slope
    if squared > level * level:
        return low, min(high, math.sqrt(squared))
    return max(low, math.sqrt(max(squared, 0.0))), high


@njit(cache=True)
def scaled(t: Array) -> Array:
    """Scale to unit length; zero stays zero."""
    length = math.sqrt(inner(t, t))
    for i in range(len(t)):
        t[i] /= length or 1.0
    return t


@njit(cache=True, fastmath={"reassoc"})
def inner(v: Array, w: Array) -> float:
    """Return v'w."""
    total = 0.0
    for i in range(len(v)):
        total += v[i] * w[i]
    return total


@njit(cache=True)
def entering(diagonal: Array, share: float) -> tuple[float, float, int]:
    """Return the largest variance, the threshold of this share of its root, and how many features vary by more."""
    largest, count = 0.0, 0
    for i in range(len(diagonal)):
        if diagonal[i] > largest:
            largest = diagonal[i]
    level = share * math.sqrt(largest)
    for i in range(len(diagonal)):
        if diagonal[i] > level * level:
            count += 1
    return largest, level, count
