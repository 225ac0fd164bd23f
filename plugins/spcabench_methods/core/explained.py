"""The variance that loadings explain if they are not orthogonal."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array

CLOSE = 0.1
"""A unit vector is close to a subspace if its part orthogonal to that is shorter."""


def adjusted_variances(scores_covariance: Array) -> Array:
    """Return the squared diagonal of R in scores = QR, divided by n, from the covariance of the scores."""
    rest = scores_covariance.copy()
    variances = np.zeros(len(rest))
    for j, full in enumerate(scores_covariance.diagonal()):
        pivot = rest[j, j]
        if pivot > 1e-14 * full:
            variances[j] = pivot
            if j + 1 < len(rest):
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


def captured_variances(scores_covariance: Array, W: Array) -> Array | None:
    """Return the variance that each loading adds to the span of those before it, from the covariance of the scores.

    Returns
    -------
    ndarray of shape (r,) or None
        None if columns of W are close to the span of others, so that digits would be lost.
    """
    products = W.T @ W
    if len(products) == 1:
        return scores_covariance.diagonal() / products[0] if products[0, 0] > 0.0 else None
    try:
        factor = np.linalg.cholesky(products)
    except np.linalg.LinAlgError:
        return None
    if factor.diagonal().min() < CLOSE:
        return None
    to_basis = np.linalg.inv(factor)
    return np.asarray(((to_basis @ scores_covariance) * to_basis).sum(axis=1))
