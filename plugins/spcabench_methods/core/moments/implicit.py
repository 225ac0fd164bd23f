"""Second moments as samples that stay where they are, sparse or in a file."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.centred import Centred, slices
from spcabench_methods.core.eigenvectors import iterated_eigenvectors, leading_eigenvectors
from spcabench_methods.core.moments.data import Data, operator
from spcabench_methods.core.samples import BLOCK


class ImplicitData(Data):
    """Second moments as samples that stay where they are, sparse or in a file.

    Means and deflated scores are subtracted in products only.  Computations on a few columns make these dense.  Only
    `transposed` makes all columns dense; COP-PCA and least squares call it once.  Eigenvectors are dense too.

    Parameters
    ----------
    X : Centred of shape (n_samples, n_features)
    """

    X: Centred  # type: ignore[assignment]

    def __init__(self, X: Centred, patience: float = math.inf) -> None:
        self.X = X
        self._begin(patience)
        self._measure(X.variances())

    def _undeflated_scores(self, w: Array) -> Array:
        return np.asarray(self.X @ w)

    def _undeflated_backwards(self, scores: Array) -> Array:
        return np.asarray(self.X.T @ scores)

    def _undeflated(self) -> Array:
        return self.X.second_moments()

    def _squared_norms(self) -> Array:
        return self.X.squared_norms()

    def _sample(self, i: int) -> Array:
        return self.X.row(i)

    def samples(self, support: Indices) -> Array:
        """Return the columns `support` of the deflated samples, dense."""
        columns = np.asarray(self.X.columns(support) - self.T @ self.W[support].T)
        columns[:, self.diagonal[support] == 0.0] = 0.0
        return columns

    def _part(self, support: Indices) -> Data:
        """Return the samples of `support`, in memory if there are few."""
        if len(self.X) * len(support) <= BLOCK:
            return Data(self.samples(support))
        other = self.copy()
        other.X, other.W = self.X.restricted(support), self.W[support]
        other._formed = other._cross = None
        other._measure(self.diagonal[support])
        return other

    def _principal(self, r: int) -> tuple[Array, Array]:
        n, d = self.X.shape
        if d <= n:
            return self._eigenvectors(d, self.matvec, r)
        if self._cross is None:
            cross = self.X.cross_products()
            self._cross = None if cross is None else self._deflated(cross)
        if self._cross is not None:
            return super()._principal(r)
        values, left = self._eigenvectors(n, lambda y: self.scores(self.backwards(y)), min(r, n))
        return values, np.linalg.qr(self.backwards(left))[0]

    def _eigenvectors(self, order: int, times: Callable[[Array], Array], r: int) -> tuple[Array, Array]:
        """Return leading eigenvectors of X'X/n or XX'/n; form the matrix, by blocks, only if iterations fail."""
        found = iterated_eigenvectors(operator(order, times), r)
        if found is None:
            columns = slices(order, max(1, BLOCK // max(self.X.shape)))
            found = leading_eigenvectors(np.hstack([times(np.eye(order)[:, block]) for block in columns]), r)
        return found
