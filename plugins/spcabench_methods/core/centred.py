"""Sparse samples minus their means, without filling in the zeros.

A column without zeros is centred itself.  For any other column the mean is kept apart and enters products only.  No
precision is lost if means are large: a column with a zero among n samples has a standard deviation of at least its
mean over the square root of n.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np
from scipy.sparse import csc_array, issparse
from scipy.sparse.linalg import LinearOperator

from spcabench_methods.core.arrays import Array, Indices


def is_sparse(X: object) -> TypeGuard[csc_array[Any]]:
    """Return whether X is a sparse matrix or array; methods read them by columns."""
    return bool(issparse(X))


class Centred(LinearOperator):
    """Centred samples as an operator: products and single columns, but no matrix.

    Parameters
    ----------
    values : csc_array of shape (n_samples, n_features)
        The samples, in double precision.
    shift : ndarray of shape (n_features,)
        What products have to subtract from each column.
    """

    def __init__(self, values: csc_array[Any], shift: Array) -> None:
        super().__init__(np.dtype(np.float64), values.shape)  # type: ignore[call-arg]
        self.values, self.shift = values, shift

    @classmethod
    def of(cls, X: csc_array[Any], mean: Array) -> Centred:
        """Centre samples at the means of their columns."""
        values = canonical(X)
        full = np.diff(values.indptr) == values.shape[0]
        values.data -= np.where(full, mean, 0.0)[column_of_each(values)]
        return cls(values, np.where(full, 0.0, mean))

    def __len__(self) -> int:
        return int(self.shape[0])

    def _matmat(self, W: Array) -> Array:
        return np.asarray(self.values @ W - self.shift @ W)

    def _matvec(self, w: Array) -> Array:
        return self._matmat(w)

    def _rmatmat(self, Y: Array) -> Array:
        return np.asarray(self.values.T @ Y - np.multiply.outer(self.shift, Y.sum(axis=0)))

    def _rmatvec(self, y: Array) -> Array:
        return self._rmatmat(y)

    def variances(self) -> Array:
        """Return the variances of the columns; exactly 0 for constant columns."""
        columns = column_of_each(self.values)
        squares = (self.values.data - self.shift[columns]) ** 2
        stored = np.bincount(columns, weights=squares, minlength=len(self.shift))
        n_zeros = len(self) - np.diff(self.values.indptr)
        return np.asarray((stored + n_zeros * self.shift**2) / len(self))

    def squared_norms(self) -> Array:
        """Return the squared norms of the rows."""
        squares = self.values.power(2).sum(axis=1) - 2.0 * (self.values @ self.shift) + self.shift @ self.shift
        return np.maximum(squares, 0.0)

    def row(self, i: int) -> Array:
        """Return a row as a dense vector."""
        return np.asarray(self.values[[i]].toarray()[0] - self.shift)

    def restricted(self, support: Indices) -> Centred:
        """Return the columns `support`, still sparse."""
        return Centred(self.values[:, support], self.shift[support])

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` as a dense matrix."""
        return np.asarray(self.values[:, support].toarray() - self.shift[support])

    def column_products(self, support: slice) -> Array:
        """Return X'X/n between all columns and those of `support`."""
        products = (self.values.T @ self.values[:, support]).toarray() / len(self)
        return np.asarray(products - np.outer(self.shift, self.shift[support]))


def canonical(X: csc_array[Any]) -> csc_array[Any]:
    """Copy sparse samples in double precision, and add up entries that are stored twice."""
    values = csc_array(X, dtype=np.float64, copy=True)
    values.sum_duplicates()
    return values


def column_of_each(values: csc_array[Any]) -> Indices:
    """Return the column of each stored entry."""
    return np.repeat(np.arange(values.shape[1]), np.diff(values.indptr))


def sparse_means(X: csc_array[Any]) -> Array:
    """Return the column means; for a constant column exactly the constant."""
    values = canonical(X)
    counts = np.diff(values.indptr)
    first = np.zeros(len(counts))
    first[counts > 0] = values.data[values.indptr[:-1][counts > 0]]
    columns = column_of_each(values)
    beyond = np.bincount(columns, weights=values.data - first[columns], minlength=len(first))
    return np.asarray(first * (counts / values.shape[0]) + beyond / values.shape[0])


def slices(length: int, size: int) -> Iterator[slice]:
    """Cut a range into slices of at most `size`."""
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))
