"""Products with second moments, compiled: where they take little time, a call of BLAS takes longer."""

from __future__ import annotations

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import Array


@njit(cache=True, fastmath={"reassoc"})
def product(A: Array, whole: bool, w: Array) -> Array:
    """Return S w, from the rows of S in the support of w, or as X'(X w)/n."""
    n, d = A.shape
    z = np.zeros(d)
    if whole:
        for i in range(d):
            if w[i] != 0.0:
                _add(A[i], w[i], z)
        return z
    support = w.nonzero()[0]
    for i in range(n):
        row, score = A[i], 0.0
        for j in support:
            score += row[j] * w[j]
        _add(row, score / n, z)
    return z


@njit(cache=True)
def _add(row: Array, weight: float, total: Array) -> None:
    for j in range(len(row)):
        total[j] += weight * row[j]
