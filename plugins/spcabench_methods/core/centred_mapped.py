"""Dense samples in a mapped file minus their means, a block at a time, so that no more than a block is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.centred import CACHED, Centred, slices
from spcabench_methods.core.samples import BLOCK

FEW = 0.25
"""For vectors with a smaller share of nonzeros only the columns in their support are read."""


class CentredMapped(Centred):
    """Dense centred samples that are read where they are: by columns if these are contiguous, otherwise by rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_all_features)
        Of any layout and type.
    mean : ndarray of shape (n_all_features,)
        The means of its columns.
    chosen : ndarray of int, shape (n_features,), or None, default=None
        The columns that this operator has; None: all.
    """

    def __init__(self, X: NDArray[Any], mean: Array, chosen: Indices | None = None) -> None:
        self.X, self.mean, self.chosen = X, mean, chosen
        d = X.shape[1] if chosen is None else len(chosen)
        super().__init__((len(X), d), np.zeros(d))

    @property
    def nbytes(self) -> int:
        """How many bytes the samples take where they are."""
        return int(self.X.itemsize * self.shape[0] * self.shape[1])

    def blocks(self) -> Iterator[tuple[slice, slice, Array]]:
        """Yield blocks that caches hold."""
        n, d = self.shape
        if self.X.flags.f_contiguous:
            return self._blocks_of_columns(max(1, CACHED // n))
        return (
            (rows, slice(0, d), self._part(rows, slice(0, d))) for rows in slices(n, max(1, CACHED // self.X.shape[1]))
        )

    def _blocks_of_columns(self, size: int) -> Iterator[tuple[slice, slice, Array]]:
        n, d = self.shape
        return ((slice(0, n), columns, self._part(slice(0, n), columns)) for columns in slices(d, size))

    def _part(self, rows: slice, columns: slice) -> Array:
        index = columns if self.chosen is None else self.chosen[columns]
        return np.asarray(np.subtract(self.X[rows, index], self.mean[index], dtype=np.float64))

    def variances(self) -> Array:
        """Return the variances of the columns; exactly 0 for constant columns."""
        squares = np.zeros(self.shape[1])
        for _, columns, block in self.blocks():
            squares[columns] += np.einsum("ij,ij->j", block, block)
        return squares / len(self)

    def squared_norms(self) -> Array:
        """Return the squared norms of the rows."""
        squares = np.zeros(len(self))
        for rows, _, block in self.blocks():
            squares[rows] += np.einsum("ij,ij->i", block, block)
        return squares

    def row(self, i: int) -> Array:
        """Return a row."""
        return np.asarray(self._part(slice(i, i + 1), slice(0, self.shape[1]))[0])

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` as a matrix in memory."""
        index = support if self.chosen is None else self.chosen[support]
        return np.asarray(np.subtract(self.X[:, index], self.mean[index], dtype=np.float64, order="C"))

    def restricted(self, support: Indices) -> CentredMapped:
        """Return the columns `support`, still in the file."""
        return CentredMapped(self.X, self.mean, support if self.chosen is None else self.chosen[support])

    def cross_products(self) -> Array | None:
        """Return X X' if it is no larger than a block."""
        n = len(self)
        if n * n > BLOCK:
            return None
        products = np.zeros((n, n))
        for _, _, block in self._blocks_of_columns(max(1, BLOCK // n)):
            products += block @ block.T
        return products

    def second_moments(self) -> Array:
        """Return X'X/n, from blocks of rows."""
        n, d = self.shape
        S = np.zeros((d, d))
        for rows in slices(n, max(1, BLOCK // d)):
            block = self._part(rows, slice(0, d))
            S += block.T @ block
        return S / n

    def _matmat(self, W: Array) -> Array:
        support = np.flatnonzero(W.any(axis=1) if W.ndim > 1 else W)
        if len(support) < FEW * len(W) and len(self) * len(support) <= BLOCK:
            return np.asarray(self.columns(support) @ W[support])
        return super()._matmat(W)
