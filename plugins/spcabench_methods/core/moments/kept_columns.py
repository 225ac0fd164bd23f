"""Columns of S that are kept, where a product with S takes a pass over large samples.

A power method multiplies by loadings of few nonzeros, which soon are the same features again and again.  With the
columns of S at these features a product costs as much as the columns have entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices


class KeptColumns:
    """The columns of S that were needed more than once.

    Parameters
    ----------
    most : int
        How many may be kept.
    at_once : int
        How many are computed at once.
    met : ndarray of bool, shape (n_features,)
        The features that were in the support of a vector before.
    columns : dict of int to ndarray of shape (n_features,), default={}
        Those that are kept, which are not changed.
    """

    def __init__(
        self, most: int, at_once: int, met: NDArray[np.bool_], columns: dict[int, Array] | None = None
    ) -> None:
        self.most, self.at_once = most, at_once
        self._met, self._columns = met, columns or {}

    def product(self, w: Array, multiplied: Callable[[Array], Array]) -> Array:
        """Return S w for a vector; ``multiplied(W)`` returns S W for a vector or a matrix.

        If all features without a column are met again, their columns are computed.
        """
        (where,) = w.nonzero()
        if not 0 < len(where) <= self.most:
            return multiplied(w)
        support = where.tolist()
        missing = [j for j in support if j not in self._columns]
        if not self._met[missing].all():
            self._met[where] = True
            return multiplied(w)
        self._add(missing, support, multiplied)
        product = np.zeros(len(w))
        for j in support:
            product += w[j] * self._columns[j]
        return product

    def submatrix(self, support: Indices) -> Array | None:
        """Return the rows and columns `support` of S; None unless all of these columns are kept."""
        columns = [self._columns.get(j) for j in support.tolist()]
        known = [column[support] for column in columns if column is not None]
        return np.column_stack(known) if 0 < len(known) == len(columns) else None

    def _add(self, missing: list[int], support: list[int], multiplied: Callable[[Array], Array]) -> None:
        """Compute the columns `missing`; where there are too many, the others of `support` alone are kept."""
        if len(self._columns) + len(missing) > self.most:
            self._columns = {j: self._columns[j] for j in support if j in self._columns}
        for start in range(0, len(missing), self.at_once):
            chosen = missing[start : start + self.at_once]
            units = np.zeros((len(self._met), len(chosen)))
            units[chosen, range(len(chosen))] = 1.0
            for j, column in zip(chosen, multiplied(units).T, strict=True):
                self._columns[j] = column.copy()

    def restricted(self, support: Indices) -> Self:
        """Return what is known of the features `support` alone."""
        kept = {i: self._columns[j][support] for i, j in enumerate(support.tolist()) if j in self._columns}
        return type(self)(self.most, self.at_once, self._met[support], kept)

    def deflate(self, v: Array, half: Array, constant: Indices) -> None:
        """Turn S into ``S - v half' - half v'``, where the features `constant` are exactly zero."""
        for j, column in self._columns.items():
            left = column - half[j] * v
            left -= v[j] * half
            left[constant] = 0.0
            self._columns[j] = left

    def copy(self) -> Self:
        """Return a copy to which another fit can add."""
        return type(self)(self.most, self.at_once, self._met.copy(), dict(self._columns))
