"""Products with second moments, compiled: where they take little time, a call of BLAS takes longer."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit


@njit(cache=True, fastmath={"reassoc"})
def product(A: Array, whole: bool, w: Array) -> Array:
    """Return S w, from the rows of S in the support of w, or as X'(X w)/n.

    Four rows are added up at a time, the last of them with those of weight zero.

    Parameters
    ----------
    A : ndarray of shape (n_features, n_features) or (n_samples, n_features)
        S, or X.
    whole : bool
        Whether it is S.
    w : ndarray of shape (n_features,)
    """
    n, d = A.shape
    rows, weights, z, n_rows = np.empty(n + d + 3, np.intp), np.empty(n + d + 3), np.empty(d), 0
    for i in range(d):
        z[i] = 0.0
        if w[i] != 0.0:
            rows[n_rows], weights[n_rows] = i, w[i]
            n_rows += 1
    if not whole:
        scores = np.empty(n + 3)
        for row in range(n):
            score = 0.0
            for m in range(n_rows):
                score += A[row, rows[m]] * weights[m]
            scores[row] = score / n
        for row in range(n):
            rows[row] = row
        weights, n_rows = scores, n
    for m in range(n_rows, n_rows + 3):
        rows[m], weights[m] = 0, 0.0
    for m in range(0, n_rows, 4):
        r0, r1, r2, r3 = A[rows[m]], A[rows[m + 1]], A[rows[m + 2]], A[rows[m + 3]]
        w0, w1, w2, w3 = weights[m], weights[m + 1], weights[m + 2], weights[m + 3]
        for j in range(d):
            z[j] += w0 * r0[j] + w1 * r1[j] + w2 * r2[j] + w3 * r3[j]
    return z


@njit(cache=True, fastmath={"reassoc"})
def products_of_columns(X: Array, support: Indices) -> Array:
    """Return the products of the columns `support` of X with each other, divided by how many rows there are."""
    n, k = len(X), len(support)
    S, part = np.zeros((k, k)), np.empty(k)
    for m in range(n):
        for j in range(k):
            part[j] = X[m, support[j]]
        for i in range(k):
            for j in range(k):
                S[i, j] += part[i] * part[j]
    for i in range(k):
        for j in range(k):
            S[i, j] /= n
    return S
