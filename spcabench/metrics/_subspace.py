"""Orthonormal bases of the span of loadings, and ratios to the total variance."""

from __future__ import annotations

import warnings

import numpy as np

from spcabench.evaluation import Moments
from spcabench.specs import Array

RANK_TOLERANCE = 1e-10


def orthonormal_basis(W: Array) -> Array:
    """Return orthonormal columns that span the columns of `W`: as many as its numerical rank."""
    U, sizes, _ = np.linalg.svd(W, full_matrices=False)
    return np.asarray(U[:, sizes > RANK_TOLERANCE * sizes.max(initial=0.0)])


def nested_basis(W: Array) -> Array:
    """Return orthonormal columns whose first m span the first m columns of `W`, for every m.

    A column that adds nothing to those before it becomes zero: a plain QR would put an arbitrary direction in
    its place, and so take variance from the columns after it.
    """
    Q = np.zeros(W.shape, order="F")
    for j in range(W.shape[1]):
        rest = W[:, j]
        before = Q[:, :j]
        for _ in range(2):
            rest = rest - before @ (before.T @ rest)
        size = np.linalg.norm(rest)
        if size > RANK_TOLERANCE * np.linalg.norm(W[:, j]):
            Q[:, j] = rest / size
    return Q


def ratio_to_total(variance: Array, moments: Moments) -> Array:
    """Divide by the total variance; zero, with a warning, where the samples do not vary at all."""
    total = moments.total_variance
    rounding = 1e-28 * float(moments.mean @ moments.mean)
    if total <= rounding:
        warnings.warn("the samples do not vary: every ratio of variances is 0", RuntimeWarning, stacklevel=3)
        return np.zeros_like(variance)
    return variance / total
