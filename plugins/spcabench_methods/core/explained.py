"""The variance that loadings explain if they are not orthogonal."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array


def adjusted_variances(scores_covariance: Array) -> Array:
    """Return the squared diagonal of R in scores = QR, divided by n, from the covariance of the scores."""
    rest = scores_covariance.copy()
    variances = np.zeros(len(rest))
    for j, full in enumerate(scores_covariance.diagonal()):
        pivot = rest[j, j]
        if pivot > 1e-14 * full:
            variances[j] = pivot
            rest -= rest[j, :, None] * (rest[j] / pivot)
    return variances


def orthonormal_basis(W: Array) -> Array:
    """Orthonormalise columns in their order; a column in the span of those before it becomes zero."""
    Q = np.zeros(W.shape)
    for j, w in enumerate(W.T):
        before = Q[:, :j]
        q = w - before @ (w @ before)
        norm = math.sqrt(q @ q)
        if norm > 1e-10:
            q /= norm
            q -= before @ (q @ before)
            Q[:, j] = q / math.sqrt(q @ q)
    return Q
