"""Second moments as samples that stay where they are, sparse or in a file."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Self

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.centred import Centred, slices
from spcabench_methods.core.eigenvectors import iterated_eigenvectors, leading_eigenvectors
from spcabench_methods.core.moments.data import Data, operator, subtract_removed
from spcabench_methods.core.moments.form import SecondMoments
from spcabench_methods.core.moments.gram import Gram
from spcabench_methods.core.moments.kept_columns import KeptColumns
from spcabench_methods.core.moments.support import SPARSE
from spcabench_methods.core.samples import BLOCK

KEPT = 1 / 20
"""Columns of S are kept that take this share of the memory of the samples."""
AT_ONCE = 1 / 64
"""They are computed from unit vectors and scores of this share at once, or from as many as a small block has."""
SMALL_BLOCK = 2**18
FEW = 64
"""S of so few features is formed in place of a copy of their columns: it takes a pass, and products none."""


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
        (n, d), room = X.shape, X.nbytes // 8
        most = min(max(SMALL_BLOCK, int(KEPT * room)) // d, int(SPARSE * d))
        self._kept = KeptColumns(most, max(SMALL_BLOCK, int(AT_ONCE * room)) // max(n, d) or 1, np.zeros(d, dtype=bool))

    def matvec(self, w: Array) -> Array:
        """Return X'(X w)/n, or combine columns of S that are kept."""
        if w.ndim == 1 and self._formed is None:
            return self._kept.product(w, super().matvec)
        return super().matvec(w)

    def restricted(self, support: Indices) -> SecondMoments:
        """Return the second moments of the features `support`; formed if they are few, and their columns are long."""
        if len(support) <= FEW and len(self.X) * len(support) > BLOCK:
            return Gram(self.submatrix(support))
        return super().restricted(support)

    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S, from columns that are kept or from the samples."""
        known = self._kept.submatrix(support)
        if known is not None:
            return known
        if self._formed is not None or len(self.X) * len(support) <= BLOCK:
            return super().submatrix(support)
        S = self.X.second_moments_of(support)
        if self.W.size:
            subtract_removed(S, self._undeflated_backwards(self.T)[support] / len(self.X), self.W[support], self.T)
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

    def _undeflated(self) -> Array:
        return self.X.second_moments()

    def _squared_norms(self) -> Array:
        return self.X.squared_norms()

    def _sample(self, i: int) -> Array:
        return self.X.row(i)

    def samples(self, support: Indices) -> Array:
        """Return the columns `support` of the deflated samples, dense."""
        columns = self.X.columns(support)
        if self.W.size:
            columns -= self.T @ self.W[support].T
        columns[:, self.diagonal[support] == 0.0] = 0.0
        return columns

    def _part(self, support: Indices) -> Data:
        """Return the samples of `support`, in memory if there are few."""
        if len(self.X) * len(support) <= BLOCK:
            return Data(self.samples(support))
        other = self.copy()
        other.X, other.W = self.X.restricted(support), self.W[support]
        other._formed = other._cross = None
        other._kept = self._kept.restricted(support)
        other._measure(self.diagonal[support])
        return other

    def copy(self) -> Self:
        """Return a copy that shares the samples."""
        other = super().copy()
        other._kept = self._kept.copy()
        return other

    def views(self, n: int) -> list[SecondMoments]:
        """Return n views for as many fits at once, each with columns of its own."""
        views = super().views(n)
        for view in views:
            if isinstance(view, ImplicitData):
                view._kept = self._kept.copy()
        return views

    def _remove(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        super()._remove(w, v, Sw, variance)
        self._kept.deflate(v, Sw - 0.5 * variance * v, self._constant)

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
