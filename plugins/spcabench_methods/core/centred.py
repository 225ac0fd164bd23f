"""Samples minus their means as an operator, for samples that are too large or too sparse to be centred in a copy."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np
from scipy.sparse import csc_array, issparse
from scipy.sparse.linalg import LinearOperator

from spcabench_methods.core.arrays import Array, Indices

CACHED = 2**16
"""Elements of a block of rows that caches hold while its columns are added up."""


def is_sparse(X: object) -> TypeGuard[csc_array[Any]]:
    """Return whether X is a sparse matrix or array."""
    return type(X) is not np.ndarray and bool(issparse(X))


class Centred(LinearOperator):
    """Centred samples as an operator: products, blocks and single columns, but no matrix.

    Parameters
    ----------
    shape : (int, int)
        Numbers of samples and of features.
    shift : ndarray of shape (n_features,)
        What products have to subtract from each column of the blocks; zero where the blocks are centred.
    """

    def __init__(self, shape: tuple[int, int], shift: Array) -> None:
        super().__init__(np.dtype(np.float64), shape)  # type: ignore[call-arg]
        self.shift = shift

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """How many bytes the samples take where they are."""

    @abstractmethod
    def blocks(self) -> Iterator[tuple[slice, slice, Any]]:
        """Yield blocks of whole rows or of whole columns in double precision, each after its rows and its columns."""

    @abstractmethod
    def variances(self) -> Array:
        """Return the variances of the columns; exactly 0 for constant columns."""

    @abstractmethod
    def squared_norms(self) -> Array:
        """Return the squared norms of the rows."""

    @abstractmethod
    def row(self, i: int) -> Array:
        """Return a row as a dense vector."""

    @abstractmethod
    def columns(self, support: Indices) -> Array:
        """Return the columns `support` as a dense matrix."""

    @abstractmethod
    def restricted(self, support: Indices) -> Centred:
        """Return the columns `support` as an operator."""

    @abstractmethod
    def cross_products(self) -> Array | None:
        """Return X X', or None if that is too large or takes longer than the products that a few eigenvectors need."""

    @abstractmethod
    def second_moments(self) -> Array:
        """Return X'X/n."""

    def second_moments_of(self, support: Indices) -> Array:
        """Return the rows and columns `support` of X'X/n."""
        return self.restricted(support).second_moments()

    def sum_of_rows(self, which: Indices, weights: Array) -> Array:
        """Return the sum of the rows `which`, times their weights; here by a pass over all rows."""
        y = np.zeros(len(self))
        y[which] = weights
        return np.asarray(self.T @ y)

    def __len__(self) -> int:
        return int(self.shape[0])

    def _matmat(self, W: Array) -> Array:
        out = np.zeros((self.shape[0], *W.shape[1:]))
        for rows, columns, block in self.blocks():
            out[rows] += block @ W[columns]
        out -= self.shift @ W
        return out

    def _matvec(self, w: Array) -> Array:
        return self._matmat(w)

    def _rmatmat(self, Y: Array) -> Array:
        out = np.zeros((self.shape[1], *Y.shape[1:]))
        for rows, columns, block in self.blocks():
            out[columns] += block.T @ Y[rows]
        out -= np.multiply.outer(self.shift, Y.sum(axis=0))
        return out

    def _rmatvec(self, y: Array) -> Array:
        return self._rmatmat(y)


def slices(length: int, size: int) -> Iterator[slice]:
    """Cut a range into slices of at most `size`."""
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))
