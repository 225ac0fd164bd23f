"""Samples: their means, and their second moments without a centred copy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.centred import CACHED, is_sparse, slices
from spcabench_methods.core.centred_sparse import sparse_means

BLOCK = 2**21
"""Elements of the block of rows that is centred at a time."""


def row_blocks(X: NDArray[np.floating], mean: Array) -> Iterator[Array]:
    """Yield blocks of rows of `X` minus `mean` in double precision."""
    size = max(1, BLOCK // X.shape[1])
    for rows in slices(len(X), size):
        yield np.subtract(X[rows], mean, dtype=np.float64, order="C")


def column_means(X: Any) -> Array:
    """Return the column means; for a constant column exactly the constant, so that centring leaves zeros.

    All is added up in C order, so that the layout of the samples changes no digit.
    """
    if is_sparse(X):
        return sparse_means(X)
    n, d = X.shape
    size = max(1, CACHED // d)
    if X.dtype.char == "f":  # in double precision the sum of a constant is exact
        blocks = (np.ascontiguousarray(X[rows]) for rows in slices(n, size))
        return np.asarray(sum(np.add.reduce(block, dtype=np.float64) for block in blocks) / n)
    first = np.asarray(X[0], dtype=np.float64)
    if n <= size:
        return np.asarray(first + np.einsum("ij->j", np.subtract(X, first, order="C")) / n)
    space, total = np.empty((min(size, n), d)), np.zeros(d)
    for rows in slices(n, size):
        block = space[: rows.stop - rows.start]
        np.subtract(X[rows], first, out=block)
        total += np.einsum("ij->j", block)  # of few columns in a third of the time of a sum along an axis
    return np.asarray(first + total / n)


def centred_rows(X: NDArray[np.floating], mean: Array) -> tuple[Array, Array]:
    """Return a C-ordered copy of samples minus their means in double precision, and the variances of the columns."""
    centred = np.subtract(X, mean, dtype=np.float64, order="C")
    return centred, np.einsum("ij,ij->j", centred, centred) / len(X)


class Samples:
    """The second moments by which methods on samples are measured, without a centred copy."""

    def __init__(self, X: NDArray[np.floating], mean: Array) -> None:
        self.X, self.mean = X, mean

    @cached_property
    def trace(self) -> float:
        """The total variance."""
        return sum(float(np.vdot(block, block)) for block in row_blocks(self.X, self.mean)) / len(self.X)

    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW for loadings W of shape (n_features, m)."""
        total = np.zeros((W.shape[1], W.shape[1]))
        for block in row_blocks(self.X, self.mean):
            scores = block @ W
            total += scores.T @ scores
        return total / len(self.X)
