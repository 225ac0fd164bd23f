"""Second moments as samples that are out of core: sparse, or in a file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.centred import Centred, slices
from spcabench_methods.core.eigenvectors import iterated_eigenvectors, leading_eigenvectors
from spcabench_methods.core.moments.data import Data, operator
from spcabench_methods.core.moments.form import SecondMoments
from spcabench_methods.core.moments.gram import Gram
from spcabench_methods.core.samples import BLOCK

FEW = 64
"""S of so few features is formed in place of a copy of their columns: it takes a pass, and products none."""


class OutOfCoreData(Data):
    """Second moments as samples that stay where they are, sparse or in a file.

    Means and deflated scores are subtracted in products only.  Computations on a few columns make these dense.  Only
    `transposed` makes all columns dense; COP-PCA and least squares call it once.  Eigenvectors are dense too.

    Parameters
    ----------
    X : Centred of shape (n_samples, n_features)
    """

    X: Centred  # type: ignore[assignment]

    def __init__(self, X: Centred) -> None:
        self.X = X
        self._begin(X.variances())

    def restricted(self, support: Indices) -> SecondMoments:
        """Return the second moments of the features `support`; formed if they are few, and their columns are long."""
        if len(support) <= FEW and len(self.X) * len(support) > BLOCK:
            return Gram(self.submatrix(support))
        return super().restricted(support)

    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S."""
        if len(self.X) * len(support) <= BLOCK:
            return super().submatrix(support)
        S = self.X.second_moments_of(support)
        if self.W.size:
            products, W = self._undeflated_backwards(self.T)[support] / len(self.X), self.W[support]
            half = products - 0.5 * W @ (self.T.T @ self.T / len(self.T))
            S -= half @ W.T
            S -= W @ half.T
        constant = self.diagonal[support] == 0.0
        S[constant] = 0.0
        S[:, constant] = 0.0
        return S

    def leading_pair(self, support: Indices) -> tuple[float, Array]:
        """Return the largest eigenvalue of S on `support`, features that all vary, and its eigenvector there."""
        if len(self.X) * len(support) <= BLOCK or len(support) ** 2 > BLOCK:
            return super().leading_pair(support)
        return Gram(self.submatrix(support)).leading_pair(np.arange(len(support)))

    def _undeflated_scores(self, w: Array) -> Array:
        return np.asarray(self.X @ w)

    def _undeflated_backwards(self, scores: Array) -> Array:
        return np.asarray(self.X.T @ scores)

    def samples(self, support: Indices) -> Array:
        """Return the columns `support` of the deflated samples, dense."""
        return self._deflated_columns(self.X.columns(support), support)

    def _part(self, support: Indices) -> Data:
        """Return the samples of `support`, in memory if there are few."""
        if len(self.X) * len(support) <= BLOCK:
            return Data(self.samples(support))
        other = self.copy()
        other.X, other.W, other._cross = self.X.restricted(support), self.W[support], None
        other._measure(self.diagonal[support])
        return other

    def _spectrum(self, r: int) -> tuple[Array, Array]:
        values, vectors = self._principal(min(r, self.n_features))  # of all, as a restriction would copy the samples
        vectors[self._constant] = 0.0
        return values, vectors

    def _principal(self, r: int) -> tuple[Array, Array]:
        n, d = self.X.shape
        if d <= n:
            return self._eigenvectors(d, self.matvec, r)
        if self._cross is None:
            cross = self.X.cross_products()
            self._cross = None if cross is None else self._deflated_cross(cross)
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
