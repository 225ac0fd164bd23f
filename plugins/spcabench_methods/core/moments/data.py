"""Second moments as the centred samples they come from."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Self

import numpy as np
from scipy.sparse.linalg import LinearOperator

from spcabench_methods.core.arrays import Array, Indices, Single
from spcabench_methods.core.centred import slices
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments.form import SPARSE, SecondMoments, sparse_support
from spcabench_methods.core.samples import BLOCK
from spcabench_methods.core.single import by_columns, cross_products, mean_squares, through_samples

FEW = 2**15
"""Of so few samples times features all are multiplied: looking for the zeros of a vector would take longer."""
SMALL = 2**18
"""More samples times features are left to BLAS."""
SEVERAL = 4
"""Copying columns of samples for a single vector pays at shares so many times smaller than for so many vectors."""


class Data(SecondMoments):
    """Second moments as the centred samples they come from.

    Deflated samples are X - T W', with the scores T removed so far and their multipliers W; only a few samples are
    changed, in a copy.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred, of double or single precision.
    variances : ndarray of shape (n_features,) or None, default=None
        Of its columns, if they are known.
    rounding : float, default=0.0
        What computing in single precision has changed, as a share of variances.
    """

    def __init__(self, X: Array | Single, variances: Array | None = None, rounding: float = 0.0) -> None:
        self.X, self.rounding = X, rounding
        self._begin(mean_squares(X) if variances is None else variances)

    def _begin(self, variances: Array) -> None:
        n, d = self.X.shape
        self.T: Array = np.empty((n, 0))
        self.W: Array = np.empty((d, 0))
        self._cross: Array | None = None
        self._measure(variances)

    def scores(self, w: Array) -> Array:
        """Return X w, for one loading or for the columns of a matrix."""
        scores = self._undeflated_scores(w)
        if self.W.size:
            scores -= self.T @ (self.W.T @ w)
        return scores

    def _undeflated_scores(self, w: Array) -> Array:
        columns = 1 if w.ndim == 1 else w.shape[1]
        support = sparse_support(w, FEW // len(self.X), SPARSE * min(columns, SEVERAL) / SEVERAL)
        X, w = (self.X, w) if support is None else (self.X[:, support], w[support])
        return by_columns(X, w.astype(X.dtype, copy=False))

    def _undeflated_backwards(self, scores: Array) -> Array:
        return through_samples(self.X, scores)

    def backwards(self, scores: Array) -> Array:
        """Return X'y/n, for the scores of a loading or for the columns of a matrix."""
        products = self._undeflated_backwards(scores)
        if self.W.size:
            products -= self.W @ (self.T.T @ scores)
        products /= len(self.X)
        if self._constant.size:
            products[self._constant] = 0.0
        return products

    def samples(self, support: Indices) -> Array:
        """Return the columns `support` of the deflated samples, in double precision."""
        columns: Array = self.X[:, support].astype(np.float64, copy=False)
        return self._deflated_columns(columns, support)

    def _deflated_columns(self, columns: Array, support: Indices) -> Array:
        if self.W.size:
            columns -= self.T @ self.W[support].T
            columns[:, self.diagonal[support] == 0.0] = 0.0
        return columns

    def transposed(self) -> Array:
        """Return the deflated samples, dense and with one row per feature, computed a block of features at a time."""
        rows = np.empty(self.X.shape[::-1])
        for block in self._blocks():
            rows[block] = self.samples(np.r_[block]).T
        return rows

    def mean_magnitudes(self) -> Array:
        """Return the mean magnitude of each column of the deflated samples, a block of columns at a time."""
        return np.concatenate([np.abs(self.samples(np.r_[block])).mean(axis=0) for block in self._blocks()])

    def _blocks(self) -> list[slice]:
        return list(slices(self.n_features, max(1, BLOCK // len(self.X))))

    def matvec(self, w: Array) -> Array:
        """Return X'(X w)/n."""
        return self.backwards(self.scores(w))

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` of X'X/n."""
        size = max(1, BLOCK // len(self.X))
        parts = [self.backwards(self.samples(support[block])) for block in slices(len(support) or 1, size)]
        return parts[0] if len(parts) == 1 else np.hstack(parts)

    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW as (X W)'(X W)/n."""
        scores = self.scores(W)
        return np.asarray(scores.T @ scores / len(scores))

    def restricted(self, support: Indices) -> SecondMoments:
        """Return the second moments of the features `support`, as their samples, or itself if that is all."""
        return self if len(support) == self.n_features else self._part(support)

    def _part(self, support: Indices) -> Data:
        """Return the samples of `support`, in double precision if there are few."""
        n = len(self.X)
        if self.X.dtype.char == "d" or n * len(support) <= BLOCK:
            return Data(self.samples(support), rounding=self.rounding)
        part = self.X[:, support]
        for block in slices(len(support) if self.W.size else 0, max(1, BLOCK // n)):
            part[:, block] = self.samples(support[block])
        return Data(part, rounding=self.rounding)

    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S."""
        if len(self.X) * len(support) > BLOCK:
            return cross_products(self._part(support).X) / len(self.X)
        columns = self.samples(support)
        return columns.T @ columns / len(columns)

    def _spectrum(self, r: int) -> tuple[Array, Array]:
        if len(self.X) >= self.n_features:
            return super()._spectrum(r)
        values, vectors = self._principal(r)  # of all features, as a restriction would copy the samples
        vectors[self._constant] = 0.0
        return values, vectors

    def _principal(self, r: int) -> tuple[Array, Array]:
        n, d = self.X.shape
        if d <= n:
            return leading_eigenvectors(self.submatrix(np.arange(d)), r)
        values, left = leading_eigenvectors(self._cross_products() / n, min(r, n))
        # The cross products lose digits of small eigenvalues; QR makes their vectors orthogonal again.
        return values, np.linalg.qr(self.backwards(left))[0]

    def _cross_products(self) -> Array:
        """Return the products of the deflated samples with each other, formed once."""
        if self._cross is None:
            self._cross = self._deflated_cross(cross_products(self.X.T))
        return self._cross

    def _deflated_cross(self, cross: Array) -> Array:
        """Return the products of the deflated samples with each other from those of the samples."""
        if not self.W.size:
            return cross
        half = self._undeflated_scores(self.W) - 0.5 * self.T @ (self.W.T @ self.W)
        change = half @ self.T.T
        return np.asarray(cross - change - change.T)

    def copy(self) -> Self:
        """Return a copy that shares the samples."""
        return copy(self)

    def _remove(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        scores = self.scores(w)
        if self._cross is not None:
            half = self.scores(v) - 0.5 * (v @ v) * scores
            change = np.outer(half, scores)
            self._cross = self._cross - change - change.T
        if self.is_small:
            self.X = _without_product(np.ascontiguousarray(self.X), scores, v, self._constant)
        else:
            self.T, self.W = np.column_stack([self.T, scores]), np.column_stack([self.W, v])

    @property
    def is_small(self) -> bool:
        """Whether the samples are so few that compiled loops multiply them, and deflation changes them in a copy."""
        return type(self) is Data and self.X.size <= SMALL


@njit(cache=True)
def _without_product(X: Array, scores: Array, v: Array, constant: Indices) -> Array:
    """Return X minus the product of scores and their multipliers, with zeros in the columns `constant`."""
    n, d = X.shape
    left = np.empty((n, d))
    for i in range(n):
        for j in range(d):
            left[i, j] = X[i, j] - scores[i] * v[j]
    for feature in constant:
        left[:, feature] = 0.0
    return left


def operator(order: int, times: Callable[[Array], Array]) -> LinearOperator[np.float64]:
    """Return a symmetric matrix that is known by its products alone."""
    return LinearOperator((order, order), matvec=times, matmat=times, dtype=np.dtype(np.float64))
