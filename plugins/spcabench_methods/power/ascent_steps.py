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

Steps = Callable[[Array, bool, Array, float, float, float, int], tuple[Array, Array, float, int, bool]]


@cache
def ascent_steps(penalty: Threshold) -> Steps:
    """Compile the steps for a threshold."""
    shrunk, price, weight = jitable(penalty.shrunk), jitable(penalty.price), penalty.weight
    made_of = edition(shrunk, price, product)

    @njit(cache=True, nogil=True, error_model="numpy")
    def steps(
        A: Array, whole: bool, w: Array, largest: float, level: float, tol: float, max_iter: int
    ) -> tuple[Array, Array, float, int, bool]:
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
        the truncation of c scaled, c, the objective, how many steps, and whether they settled; no step without variance
        at the start.
        """
        _ = made_of
        t, objective, old, n_iter = w.copy(), 0.0, 0.0, 0
        while True:
            c = product(A, whole, t)
            variance = inner(t, c)
            if n_iter == 0 and variance <= TIE * largest:
                return t, c, 0.0, 0, False
            for i in range(len(c)):
                c[i] /= math.sqrt(variance)
            converged = n_iter > 2 and abs(objective - old) < tol * old
            old, gained = objective, 0.0
            for i in range(len(c)):
                size = abs(c[i])
                new = shrunk(size, level) if size > level else 0.0
                t[i] = math.copysign(new, c[i])
                if new != 0.0:
                    gained += new * (2.0 * size - new) - price(new, level) / weight
            if converged or n_iter == max_iter:
                return scaled(t), c, objective, n_iter, converged
            objective, n_iter = gained, n_iter + 1
            if objective <= 0.0:
                for i in range(len(t)):
                    t[i] = 0.0
                return t, c, 0.0, n_iter, True

    return steps


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
