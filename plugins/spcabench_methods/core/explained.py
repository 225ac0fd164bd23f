"""The variance that loadings explain if they are not orthogonal."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import Array

CLOSE = 0.1
"""A unit vector is close to a subspace if its part orthogonal to that is shorter."""


@njit(cache=True)
def adjusted_variances(scores_covariance: Array) -> Array:
    """Return the squared diagonal of R in scores = QR, divided by n, from the covariance of the scores."""
    r = len(scores_covariance)
    rest, variances = scores_covariance.copy(), np.zeros(r)
    for j in range(r):
        pivot = rest[j, j]
        if pivot > 1e-14 * scores_covariance[j, j]:
            variances[j] = pivot
            for i in range(j + 1, r):
                share = rest[i, j] / pivot
                for m in range(j + 1, r):
                    rest[i, m] -= share * rest[j, m]
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


@njit(cache=True)
def shares(scores_covariance: Array, products: Array, total: float) -> tuple[Array, Array, Array]:
    """Return what loadings explain, from the covariance of the scores.

    Parameters
    ----------
    scores_covariance : ndarray of shape (r, r)
    products : ndarray of shape (r, r)
        Of the loadings with each other.
    total : float
        The total variance.

    Returns
    -------
    adjusted : ndarray of shape (r,)
        The `adjusted_variances`.
    ratio : ndarray of shape (r,)
        The same as shares of the total.
    cumulative : ndarray of shape (r,) or (0,)
        The shares of the total in the span of the first 1, 2, ... loadings; empty where `captured_variances` is.
    """
    adjusted = adjusted_variances(scores_covariance)
    cumulative, so_far = captured_variances(scores_covariance, products), 0.0
    ratio = np.empty_like(adjusted)
    for j in range(len(ratio)):
        ratio[j] = adjusted[j] / total
    for j in range(len(cumulative)):
        so_far += cumulative[j]
        cumulative[j] = so_far / total
    return adjusted, ratio, cumulative


@njit(cache=True)
def captured_variances(scores_covariance: Array, products: Array) -> Array:
    """Return the variance that each loading adds to the span of those before it, from the covariance of the scores.

    Parameters
    ----------
    scores_covariance : ndarray of shape (r, r)
    products : ndarray of shape (r, r)
        Of the loadings with each other.

    Returns
    -------
    ndarray of shape (r,) or (0,)
        Empty if a loading is close to the span of those before it, so that digits would be lost.
    """
    r = len(products)
    weights, variances = np.zeros((r, r)), np.zeros(r)  # of the loadings, in each vector of an orthonormal basis
    for j in range(r):
        left = products[j, j]
        for i in range(j):
            shared = 0.0
            for m in range(i + 1):
                shared += weights[i, m] * products[j, m]
            left -= shared * shared
            for m in range(i + 1):
                weights[j, m] -= shared * weights[i, m]
        if not left >= CLOSE * CLOSE:
            return np.empty(0)
        weights[j, j] = 1.0
        for i in range(j + 1):
            weights[j, i] /= math.sqrt(left)
        for i in range(j + 1):
            along = 0.0
            for m in range(j + 1):
                along += scores_covariance[i, m] * weights[j, m]
            variances[j] += weights[j, i] * along
    return variances
