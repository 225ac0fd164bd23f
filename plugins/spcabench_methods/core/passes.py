"""The passes over dense samples that every fit makes, compiled: their means, and centring with variances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

COLUMNS = 2**14
"""So many columns at a time: their sums stay in a cache."""


def takes(X: NDArray[np.generic]) -> bool:
    """Return whether samples have the type and the layout for which the passes are compiled."""
    return X.dtype.char == "d" and X.flags.c_contiguous and X.dtype.isnative


def unwritten(X: NDArray[Any]) -> Array:
    """Return a view that cannot be written, so that there is one compiled form for all arrays."""
    view = X.view()
    view.flags.writeable = False
    return view


def shifted_means(X: Array, n_rows: int) -> Array:
    """Return the column means, from the differences to the first row; so many rows are added up at a time."""
    d = X.shape[1]
    means = np.zeros(d)
    _add_rows(X, n_rows, means, np.zeros(min(d, COLUMNS)))
    return means


@njit(cache=True, error_model="numpy")
def _add_rows(X: Array, n_rows: int, means: Array, part: Array) -> None:
    n, d = X.shape
    for begin in range(0, d, COLUMNS):
        first, total = X[0, begin : begin + COLUMNS], means[begin : begin + COLUMNS]
        for start in range(0, n, n_rows):
            stop = start + n_rows if n - start > n_rows else n
            fours = stop - (stop - start) % 4
            for i in range(start, fours, 4):  # four at a time, added one after another: their sum is read once
                a, b = X[i, begin : begin + COLUMNS], X[i + 1, begin : begin + COLUMNS]
                c, e = X[i + 2, begin : begin + COLUMNS], X[i + 3, begin : begin + COLUMNS]
                for j in range(len(first)):
                    part[j] = part[j] + (a[j] - first[j]) + (b[j] - first[j]) + (c[j] - first[j]) + (e[j] - first[j])
            for i in range(fours, stop):
                row = X[i, begin : begin + COLUMNS]
                for j in range(len(first)):
                    part[j] += row[j] - first[j]
            for j in range(len(first)):
                total[j] += part[j]
                part[j] = 0.0
        for j in range(len(first)):
            total[j] = first[j] + total[j] / n


@njit(cache=True)
def centre(X: Array, mean: Array, centred: Array) -> Array:
    """Fill `centred` with the samples minus the means; return the mean square of each column.

    NumPy has the memory for it in large pages, compiled code would not.
    """
    n, d = X.shape
    squares = np.zeros(d)
    for begin in range(0, d, COLUMNS):
        shift, total = mean[begin : begin + COLUMNS], squares[begin : begin + COLUMNS]
        for i in range(n):
            row, out = X[i, begin : begin + COLUMNS], centred[i, begin : begin + COLUMNS]
            for j in range(len(shift)):
                value = row[j] - shift[j]
                out[j] = value
                total[j] += value * value
        for j in range(len(shift)):
            total[j] /= n
    return squares


def total_and_zeros(values: Array) -> tuple[float, Indices]:
    """Return the sum, and where the zeros are."""
    total, n_zeros = _added_up(values)
    return total, (values == 0.0).nonzero()[0] if n_zeros else np.empty(0, np.intp)


@njit(cache=True, fastmath={"reassoc"})
def _added_up(values: Array) -> tuple[float, int]:
    """Return the sum, and how many zeros there are."""
    total, n_zeros = 0.0, 0
    for i in range(len(values)):
        total += values[i]
        n_zeros += values[i] == 0.0
    return total, n_zeros
