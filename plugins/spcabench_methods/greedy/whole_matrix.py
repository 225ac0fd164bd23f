"""All of S, for searches that need it: the matrix itself, or a factor."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg.lapack import dpstrf

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.moments import GRAM_LIMIT, Data, Gram, SecondMoments


def whole_matrix(moments: SecondMoments, method: str) -> Gram:
    """Return second moments that are a matrix; raise a ValueError for samples of too many features."""
    if not isinstance(moments, Gram):
        raise ValueError(
            f"{method}: X has {moments.n_features} features; valid is at most {GRAM_LIMIT}, "
            "as a matrix of features by features is formed"
        )
    return moments


def factor(moments: SecondMoments) -> Array:
    """Return A with A'A = S: the samples over sqrt(n), or as many rows as the rank of a matrix S."""
    if isinstance(moments, Data):
        features = moments.transposed()
        features /= math.sqrt(features.shape[1])
        return features.T
    assert isinstance(moments, Gram)
    return triangular(moments.S)


def triangular(S: Array) -> Array:
    """Factorise S by Cholesky's method, largest pivot first, until only rounding errors are left."""
    triangle, order, rank, _ = dpstrf(S, tol=len(S) * EPS * S.diagonal().max())
    A = np.zeros((rank, len(S)))
    for i in range(rank):
        A[i, order[i:] - 1] = triangle[i, i:]
    return A
