"""The variance that loadings explain if they are not orthogonal."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit

CLOSE = 0.1
"""A unit vector is close to a subspace if its part orthogonal to that is shorter."""


def adjusted_variances(scores_covariance: Array) -> Array:
    """Return the squared diagonal of R in scores = QR, divided by n, from the covariance of the scores."""
    return shares(scores_covariance, np.eye(len(scores_covariance)), 1.0)[0]


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
    r = len(products)
    adjusted, ratio, cumulative = scores_covariance.diagonal().copy(), np.empty(r), np.empty(r)
    S, P = scores_covariance.copy(), products.copy()
    apart = _eliminate(S, S.copy(), P, total, adjusted, ratio, cumulative)
    return adjusted, ratio, cumulative if apart else cumulative[:0]


@njit(cache=True, error_model="numpy")
def _eliminate(S: Array, rest: Array, P: Array, total: float, adjusted: Array, ratio: Array, cumulative: Array) -> bool:
    """Take out of each score what those before it explain, and out of each loading its part in their span.

    The pivots of the first elimination, in the covariance of the scores `rest`, are the adjusted variances; a score
    that depends on those before it has none, as `adjusted` shows, which starts as the diagonal.  The pivots of the
    second one, in the products P of the loadings, are the squared lengths of what is left of each; S becomes the
    covariance of its scores.  Return whether no length is small.
    """
    so_far, apart = 0.0, True
    for j in range(len(P)):
        pivot, left = rest[j, j], P[j, j]
        kept = pivot > 1e-14 * adjusted[j]
        adjusted[j] = pivot if kept else 0.0
        ratio[j] = adjusted[j] / total
        captured = S[j, j] / left
        so_far += captured
        cumulative[j] = so_far / total
        apart = apart and left >= CLOSE * CLOSE
        for i in range(j + 1, len(P)):
            share, part = rest[i, j] / pivot if kept else 0.0, P[i, j] / left
            mixed = S[i, j] / left - part * captured
            for m in range(j + 1, len(P)):
                rest[i, m] -= share * rest[j, m]
                S[i, m] -= part * S[j, m] + mixed * P[j, m]
                P[i, m] -= part * P[j, m]
    return apart
