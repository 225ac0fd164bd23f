"""The rotation nearest to a matrix, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit, objmode

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.vector_loops import squared_length

SMALL = 32
"""A rotation of no higher order is found without a singular value decomposition."""
NEWTON_STEPS = 16
"""Enough where no singular value is below a fiftieth of the largest."""
LARGEST = 2.5
"""No square of a singular value may be larger before a Newton step; from 3 on its sign would change."""
CLOSE = 1e-8
"""After a Newton step from an error of this size the error is one of rounding."""


@njit(cache=True)
def nearest_rotation(M: Array) -> Array:
    """Return the orthogonal factor of the polar decomposition of M, of shape (r, r)."""
    R, converged = newton(M) if len(M) <= SMALL else (M, False)
    if not converged:
        with objmode(R="float64[:, ::1]"):
            R = polar(M)
    return R


@njit(cache=True)
def newton(M: Array) -> tuple[Array, bool]:
    """Take all singular values to 1 by ``X = X (3 I - X'X)/2`` (Newton and Schulz); say whether they got there.

    Before each step X is scaled so that the squares of its singular values have mean 1, or less where one might
    exceed `LARGEST` otherwise: by no more than their deviation is the largest larger than the mean.
    """
    r = len(M)
    X, old, E = M.copy(), np.zeros((r, r)), np.zeros((r, r))
    for _ in range(NEWTON_STEPS):
        np.dot(X.T, X, E)
        mean = 0.0
        for i in range(r):
            mean += E[i, i] / r
        for i in range(r):
            E[i, i] -= mean
        deviation = np.sqrt(squared_length(E.reshape(-1)))
        scale = max(mean, (mean + deviation) / LARGEST)
        if not scale > 0.0:
            break
        for i in range(r):
            for j in range(r):
                E[i, j] *= -0.5 * scale**-1.5
            E[i, i] += (1.5 - 0.5 * mean / scale) / np.sqrt(scale)
        old, X = X, old
        np.dot(old, E, X)
        if deviation < CLOSE * mean:
            return X, True
    return X, False
