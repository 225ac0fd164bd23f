"""Sparse samples minus their means, without filling in the zeros.

A column without zeros is centred itself.  For any other column the mean is kept apart and enters products only.  No
precision is lost if means are large: a column with a zero among n samples has a standard deviation of at least its
mean over the square root of n.

Up to `ENTRIES` stored entries are copied by columns in double precision.  More are read where they are, by rows or by
columns: so a fit of a large matrix needs little memory beside it.  They are read a part at a time if some have to be
centred, which then is no column without zeros that has as large a standard deviation, or converted.  Only entries that
are stored twice or out of order are put in order in a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csc_array, csr_array

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.centred import Centred, slices

ENTRIES = 2**21
"""Stored entries of which a copy may be made."""
PART = 2**18
"""Stored entries that are read at a time."""
FEW = 1 / 32
"""A smaller share of the rows is copied to be added up."""

Stored: TypeAlias = "csc_array[Any] | csr_array[Any]"  # a name alone: older versions of scipy have no brackets


class CentredSparse(Centred):
    """Sparse centred samples.

    Parameters
    ----------
    values : csc_array or csr_array of shape (n_samples, n_features)
        The samples; each entry is stored once, in order.
    shift : ndarray of shape (n_features,)
        What products have to subtract from each column.
    centre : ndarray of shape (n_features,) or None, default=None
        What is subtracted from the stored entries of each column when they are read; zero for columns with zeros.  None
        if nothing is, and the entries are in double precision.
    """

    def __init__(self, values: Stored, shift: Array, centre: Array | None = None) -> None:
        super().__init__(values.shape, shift)
        self.values, self.centre = values, centre

    @classmethod
    def of(cls, X: Stored, mean: Array) -> CentredSparse:
        """Centre samples at the means of their columns."""
        return cls._centred(canonical(X), mean)

    @classmethod
    def _centred(cls, values: Stored, mean: Array) -> CentredSparse:
        full = counts(values) == values.shape[0]
        centre, shift = np.where(full, mean, 0.0), np.where(full, 0.0, mean)
        if values.dtype == np.float64 and not full.any():
            return cls(values, shift)
        if values.nnz > ENTRIES:
            centred = cls(values, shift, centre)
            near = centre**2 <= len(centred) * centred.variances()
            return cls(values, mean) if values.dtype == np.float64 and near.all() else centred
        values = csc_array(values, dtype=np.float64, copy=True)
        values.data -= centre[column_of_each(values)]
        return cls(values, shift)

    @property
    def nbytes(self) -> int:
        """How many bytes the samples take where they are."""
        return int(self.values.data.nbytes + self.values.indices.nbytes)

    @property
    def _means(self) -> Array:
        """What is to be subtracted from a column made dense."""
        return self.shift if self.centre is None else self.shift + self.centre

    def blocks(self) -> Iterator[tuple[slice, slice, Stored]]:
        """Yield all samples at once if nothing has to be done to them, otherwise by parts."""
        if self.centre is None:
            n, d = self.values.shape
            yield slice(0, n), slice(0, d), self.values
        else:
            yield from self._parts()

    def _parts(self) -> Iterator[tuple[slice, slice, Stored]]:
        for rows, columns, part in parts(self.values):
            if self.centre is not None:
                part.data = part.data - self.centre[columns][column_of_each(part)]
            yield rows, columns, part

    def variances(self) -> Array:
        """Return the variances of the columns; exactly 0 for constant columns."""
        squares = np.zeros(self.shape[1])
        for _, columns, part in self._parts():
            own = column_of_each(part)
            weights = (part.data - self.shift[columns][own]) ** 2
            squares[columns] += np.bincount(own, weights=weights, minlength=part.shape[1])
        n_zeros = len(self) - counts(self.values)
        return np.asarray((squares + n_zeros * self.shift**2) / len(self))

    def squared_norms(self) -> Array:
        """Return the squared norms of the rows."""
        squares = np.zeros(len(self))
        for rows, columns, part in self._parts():
            squares[rows] += part.power(2).sum(axis=1) - 2.0 * (part @ self.shift[columns])
        return np.maximum(squares + self.shift @ self.shift, 0.0)

    def row(self, i: int) -> Array:
        """Return a row as a dense vector."""
        return np.asarray(self.values[[i]].toarray()[0] - self._means)

    def sum_of_rows(self, which: Indices, weights: Array) -> Array:
        """Return the sum of the rows `which`, times their weights; a few rows are copied if they lie together."""
        if self.values.format == "csr" and len(which) < FEW * len(self):
            return np.asarray(CentredSparse(self.values[which], self.shift, self.centre).T @ weights)
        return super().sum_of_rows(which, weights)

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` as a dense matrix."""
        columns: Array = self.values[:, support].toarray().astype(np.float64, copy=False)
        columns -= self._means[support]
        return columns

    def restricted(self, support: Indices) -> CentredSparse:
        """Return the columns `support`, still sparse."""
        if self.centre is None:
            return CentredSparse(self.values[:, support], self.shift[support])
        return self._centred(self.values[:, support], self._means[support])

    def cross_products(self) -> None:
        """Return None: iterations with sparse samples take less than that."""

    def second_moments(self) -> Array:
        """Return X'X/n, from products of parts of the samples."""
        return self._products(self.shift, lambda: ((columns, part) for _, columns, part in self._parts()))

    def second_moments_of(self, support: Indices) -> Array:
        """Return the rows and columns `support` of X'X/n, from parts of the samples by rows, or of the columns."""
        return self._products(self.shift[support], lambda: self._parts_of(support))

    def _products(self, shift: Array, parts: Callable[[], Iterator[tuple[slice, Stored]]]) -> Array:
        """Return second moments from parts, each after its columns; no product has more than `ENTRIES` entries."""
        n, m = len(self), len(shift)
        S, squares, stored = np.zeros((m, m)), np.zeros(m), np.zeros(m)
        for first, part in parts():
            own = column_of_each(part)
            squares[first] += np.bincount(own, (part.data - shift[first][own]) ** 2, part.shape[1])
            stored[first] += np.bincount(own, minlength=part.shape[1])
            for second, other in [(first, part)] if self.values.format == "csr" else parts():
                for chosen in slices(other.shape[1], max(1, ENTRIES // part.shape[1])):
                    S[first, second][:, chosen] += (part.T @ other[:, chosen]).toarray()
        for chosen in slices(m, max(1, ENTRIES // m)):
            S[:, chosen] = S[:, chosen] / n - np.outer(shift, shift[chosen])
        np.fill_diagonal(S, (squares + (n - stored) * shift**2) / n)
        return S

    def _parts_of(self, support: Indices) -> Iterator[tuple[slice, Stored]]:
        """Yield the columns `support` of some rows, or some of the columns, each after their places in `support`."""
        if self.values.format == "csr":
            yield from ((slice(0, len(support)), rows[:, support]) for _, _, rows in self._parts())
            return
        group = np.cumsum(counts(self.values)[support]) // PART
        for places in np.split(np.arange(len(support)), np.flatnonzero(np.diff(group)) + 1):
            part = self.values[:, support[places]].astype(np.float64, copy=False)
            if self.centre is not None:
                part.data -= self.centre[support[places]][column_of_each(part)]
            yield slice(places[0], places[-1] + 1), part


def canonical(X: Stored) -> Stored:
    """Return sparse samples with each entry stored once, in order; copy a few by columns in double precision."""
    if X.nnz <= ENTRIES:
        values: Stored = csc_array(X, dtype=np.float64, copy=True)
    else:
        stored = csr_array if X.format == "csr" else csc_array
        values = stored(X)
        if values.has_canonical_format:
            return values
        values = values.copy()
    values.sum_duplicates()
    return values


def parts(values: Stored) -> Iterator[tuple[slice, slice, Stored]]:
    """Cut a matrix into rows, or columns, of at most `PART` entries, or single ones, in double precision."""
    (n, d), indptr, by_rows = values.shape, values.indptr, values.format == "csr"
    start, end = 0, len(indptr) - 1
    while start < end:
        stop = max(start + 1, int(np.searchsorted(indptr, indptr[start] + PART, side="right")) - 1)
        stored = slice(indptr[start], indptr[stop])
        lines = slice(start, stop)
        rows, columns = (lines, slice(0, d)) if by_rows else (slice(0, n), lines)
        data = values.data[stored].astype(np.float64, copy=False)
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        arrays = (data, values.indices[stored], indptr[start : stop + 1] - indptr[start])
        yield rows, columns, (csr_array if by_rows else csc_array)(arrays, shape=shape)
        start = stop


def column_of_each(values: Stored) -> Indices:
    """Return the column of each stored entry."""
    if values.format == "csr":
        return np.asarray(values.indices)
    return np.repeat(np.arange(values.shape[1]), np.diff(values.indptr))


def counts(values: Stored) -> Indices:
    """Return the number of stored entries of each column."""
    if values.format == "csc":
        return np.diff(values.indptr)
    total = np.zeros(values.shape[1], dtype=np.intp)
    for stored in slices(values.nnz, PART):
        total += np.bincount(values.indices[stored], minlength=len(total))
    return total


def sparse_means(X: Stored) -> Array:
    """Return the column means; for a constant column exactly the constant."""
    values = canonical(X)
    n, d = values.shape
    full = counts(values) == n
    first = np.where(full, values[[0]].toarray()[0], 0.0)
    beyond = np.zeros(d)
    for _, columns, part in parts(values):
        own = column_of_each(part)
        beyond[columns] += np.bincount(own, weights=part.data - first[columns][own], minlength=part.shape[1])
    return np.asarray(first + beyond / n)
