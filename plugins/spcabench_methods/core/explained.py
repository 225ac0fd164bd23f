"""The variance that loadings explain if they are not orthogonal."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg.lapack import dpotrf, dtrtri

from spcabench_methods.core.arrays import Array

CLOSE = 0.1
"""A unit vector is close to a subspace if its part orthogonal to that is shorter."""
DEPENDENT = 1e-14
"""A score depends on others if no larger share of its variance is left beside theirs."""


def adjusted_variances(scores_covariance: Array) -> Array:
    """Return the squared diagonal of R in scores = QR, divided by n, from the covariance of the scores."""
    return pivots(scores_covariance)


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
        The shares of the total in the span of the first 1, 2, ... loadings; empty if a loading is close to the span of
        those before it, so that digits would be lost.
    """
    adjusted = pivots(scores_covariance)
    factor, dependent = dpotrf(products, lower=1, clean=1)
    if dependent or factor.diagonal().min(initial=1.0) < CLOSE:
        return adjusted, adjusted / total, np.empty(0)
    inverse = dtrtri(factor, lower=1)[0]
    captured = np.einsum("ij,jk,ik->i", inverse, scores_covariance, inverse)
    return adjusted, adjusted / total, captured.cumsum() / total


def pivots(S: Array) -> Array:
    """Return the pivots of the elimination in a covariance; 0 of a score that depends on those before it."""
    rest, found = S.copy(), np.zeros(len(S))
    for j, variance in enumerate(S.diagonal()):
        if rest[j, j] > DEPENDENT * variance:
            found[j] = rest[j, j]
            rest -= np.outer(rest[:, j], rest[j]) / found[j]
    return found
