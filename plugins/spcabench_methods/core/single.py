"""Large samples of single precision, computed with as they are: half the memory, and about half the time.

Samples of single precision with more than `LARGE` numbers are centred and multiplied in single precision.  Sums over
the samples are added up in double precision, from at most `ADDED` products at a time.  All that has the size of the
features or of the components, as second moments, loadings and their eigenvectors, is in double precision.  Smaller
samples are converted, as that takes little.

So an entry of S = X'X/n is off by at most about ``ROUNDING s_i s_j``, for features of standard deviations s_i and s_j.
The variance w'Sw of a unit loading is off by at most `ROUNDING` times the sum of the variances in its support, since
``(sum_j |w_j| s_j)^2 <= sum_j s_j^2`` (Cauchy and Schwarz).
"""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import EPS_SINGLE, Array, Single
from spcabench_methods.core.centred import CACHED, slices

LARGE = 2**20
"""Samples with more numbers stay in single precision; fewer are converted, in at most 8 MiB."""
ADDED = 1024
"""So many products are added up in single precision by BLAS, which adds them in several sums."""
IN_ONE_SUM = 256
"""So many squares are added up in single precision one after the other."""
ROUNDING = 16.0 * EPS_SINGLE
"""What computing in single precision changes in second moments, as a share of variances."""
FEW = 2
"""Up to so many columns are multiplied one after another."""
LEAST, MOST = 1e-12, 1e20
"""The largest variance of a feature is between these, or squares in single precision might vanish or overflow."""


def stays_single(X: NDArray[Any]) -> TypeGuard[Single]:
    """Return whether samples are computed with in single precision."""
    return X.dtype.char == "f" and X.size > LARGE


def in_range(variances: Array) -> bool:
    """Return whether second moments that were computed in single precision neither vanished nor overflowed."""
    return bool(LEAST <= np.max(variances) <= MOST)


def centre(X: Single, mean: Array, out: Single) -> None:
    """Fill `out` with samples minus their means.

    A mean is subtracted in two parts.  So also where it is much larger than the deviations, what is left of it is no
    more than their rounding errors.
    """
    high = mean.astype(np.float32)
    np.subtract(X, high, out=out)
    out -= (mean - high).astype(np.float32)


def centred_single(X: Single, mean: Array) -> tuple[Single, Array]:
    """Return a C-ordered copy of samples minus their means, and the variances of the columns."""
    n, d = X.shape
    centred, squares = np.empty((n, d), dtype=np.float32), np.zeros(d)
    for rows in slices(n, min(IN_ONE_SUM, max(1, CACHED // d))):
        block = centred[rows]
        centre(X[rows], mean, block)
        squares += np.einsum("ij,ij->j", block, block)
    return centred, squares / n


def second_moments_of_single(X: Single, mean: Array) -> Array:
    """Return X'X/n of centred samples, from a block of them at a time."""
    n, d = X.shape
    S, space = np.zeros((d, d)), np.empty((min(ADDED, n), d), dtype=np.float32)
    for rows in slices(n, ADDED):
        block = space[: rows.stop - rows.start]
        centre(X[rows], mean, block)
        S += block.T @ block
    S /= n
    return S


def mean_squares(X: Array | Single) -> Array:
    """Return the mean squares of the columns, added up in double precision."""
    if X.dtype.char == "d":
        return np.asarray(np.einsum("ij,ij->j", X, X) / len(X))
    total = np.zeros(X.shape[1])
    for rows in slices(len(X), IN_ONE_SUM):
        total += np.einsum("ij,ij->j", X[rows], X[rows])
    return total / len(X)


def by_columns(A: NDArray[Any], B: NDArray[Any]) -> Array:
    """Return A B of a large matrix and a vector, or the columns of a matrix, in double precision.

    BLAS reads A twice for two columns, but does not rearrange it, which takes longer.
    """
    if B.ndim == 1 or B.shape[1] > FEW:
        return np.asarray(A @ B, dtype=np.float64)
    product = np.empty((B.shape[1], len(A)))
    for b, row in zip(B.T, product, strict=True):
        row[:] = A @ b
    return product.T


def through_samples(X: Array | Single, scores: Array | Single) -> Array:
    """Return X'y for a vector or the columns of a matrix, added up in double precision."""
    if X.dtype.char == "d":
        return by_columns(X.T, scores)
    y, total = scores.astype(np.float32, copy=False), np.zeros((X.shape[1], *scores.shape[1:]))
    for rows in slices(len(X), ADDED):
        total += X[rows].T @ y[rows]
    return total


def cross_products(X: Array | Single) -> Array:
    """Return X'X, added up in double precision."""
    return np.asarray(X.T @ X) if X.dtype.char == "d" else through_samples(X, X)
