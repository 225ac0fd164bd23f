"""GPower's steps with as many nonzeros as are wanted, compiled: where products take little time, calls take longer."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.largest_entries import largest
from spcabench_methods.core.products import product
from spcabench_methods.core.vector_loops import edition, jitable
from spcabench_methods.power.ascent_steps import inner
from spcabench_methods.truncations import Threshold

Steps = Callable[[Array, bool, Array, int, float, float, int], float]


@cache
def level_steps(penalty: Threshold) -> Steps:
    """Compile the steps for a threshold."""
    shrunk = jitable(penalty.shrunk)
    made_of = edition(shrunk, product, largest, inner)

    @njit(cache=True, error_model="numpy")
    def steps(A: Array, whole: bool, w: Array, k: int, edge: float, tol: float, max_iter: int) -> float:
        """Repeat ``t = truncate(c)``, ``c = S t / sqrt(t'St)`` with the threshold that removes all but k entries.

        Parameters
        ----------
        A, whole
            See `Compact`.
        w : ndarray of shape (n_features,)
            The start, in place of the first t.
        k : int
            Fewer than n_features.
        edge : float
            How far the result lies above the largest entry that goes, as a share of the gap to the smallest that stays.
        tol : float
            The steps come to rest when that entry changes by no more than this share.
        max_iter : int

        Returns
        -------
        the threshold; zero without variance at the start.
        """
        _ = made_of
        t, heap = w.copy(), np.empty(k + 1, np.intp)
        level = kept = 0.0
        for _n_iter in range(max_iter):
            c = product(A, whole, t)
            variance = inner(t, c)
            if variance <= 0.0:
                break
            length = math.sqrt(variance)
            for i in range(len(c)):
                c[i] /= length
            largest(c, heap)
            old, level, kept = level, abs(c[heap[0]]), math.inf
            for i in heap[1:]:
                kept = min(kept, abs(c[i]))
            for i in range(len(c)):
                t[i] = math.copysign(shrunk(abs(c[i]), level), c[i]) if abs(c[i]) > level else 0.0
            if abs(level - old) <= tol * level:
                break
        return level + edge * (kept - level)

    return steps
