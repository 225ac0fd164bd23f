"""The rotation nearest to a matrix, compiled."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit

SMALL = 32
"""A rotation of a higher order takes less time by a singular value decomposition."""
NEWTON_STEPS = 16
"""Enough where no singular value is below a fiftieth of the largest."""
LARGEST = 2.5
"""No square of a singular value may be larger before a Newton step; from 3 on its sign would change."""
CLOSE = 1e-8
"""After a Newton step from an error of this size the error is one of rounding."""


@njit(nogil=True)
def nearest_rotation(space: Array) -> tuple[Array, bool]:
    """Return the orthogonal factor of the polar decomposition of ``M = space[0]``, and whether it was found.

    All singular values are taken to 1 by ``X = (3 I - X X')X/2`` (Newton and Schulz).  The last three of five matrices
    of `space`, of shape (r, r), are overwritten; the factor is one of them.

    Before each step X is scaled so that the squares of its singular values have mean 1, or less where one might
    exceed `LARGEST` otherwise: by no more than their deviation is the largest larger than the mean.
    """
    r = space.shape[1]
    X, old, E = space[2], space[3], space[4]
    if r > SMALL:
        return X, False
    for i in range(r):
        for j in range(r):
            X[i, j] = space[0, i, j]
    for _ in range(NEWTON_STEPS):
        np.dot(X, X.T, E)
        mean, deviation = _centre(E)
        scale = max(mean, (mean + deviation) / LARGEST)
        if not scale > 0.0:
            break
        for i in range(r):
            for j in range(r):
                E[i, j] *= -0.5 * scale**-1.5
            E[i, i] += (1.5 - 0.5 * mean / scale) / np.sqrt(scale)
        old, X = X, old
        np.dot(E, old, X)
        if deviation < CLOSE * mean:
            return X, True
    return X, False


@njit(nogil=True)
def _centre(E: Array) -> tuple[float, float]:
    """Subtract the mean of its diagonal from that, and return it, and the norm of what is left."""
    mean, squares = 0.0, 0.0
    for i in range(len(E)):
        mean += E[i, i] / len(E)
    for i in range(len(E)):
        E[i, i] -= mean
        for j in range(len(E)):
            squares += E[i, j] * E[i, j]
    return mean, np.sqrt(squares)
