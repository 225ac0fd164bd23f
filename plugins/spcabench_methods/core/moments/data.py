"""Second moments as the centred samples they come from."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from typing import Self

import numpy as np
from scipy.sparse.linalg import LinearOperator

from spcabench_methods.core.arrays import Array, Indices, Single
from spcabench_methods.core.centred import slices
from spcabench_methods.core.eigenvectors import iterated_eigenvectors, leading_eigenvectors
from spcabench_methods.core.moments.form import TINY, SecondMoments
from spcabench_methods.core.moments.gram import Gram
from spcabench_methods.core.moments.support import SEVERAL, SPARSE, sparse_support
from spcabench_methods.core.passes import unwritten
from spcabench_methods.core.products import product, products_of_columns
from spcabench_methods.core.samples import BLOCK
from spcabench_methods.core.single import by_columns, cross_products, mean_squares, through_samples

AT_ONCE = 8.0
"""A fit takes about so many products for each component, or more."""
COLUMNS_PER_PRODUCT, BEYOND = 12.0, 26.0
"""A product with S through samples takes as long as so many columns of S take to form, in caches and beyond."""
IN_CACHES = 2**21
"""Samples of more numbers, 16 MiB, are beyond caches."""
SMALL = 2**15
"""Of so few samples times features all are multiplied: looking for the zeros of a vector would take longer."""
LANCZOS = 40.0
"""About so many products find a leading eigenvector."""


class Data(SecondMoments):
    """Second moments as the centred samples they come from.

    Deflated samples are X - T W', with the scores T removed so far and their multipliers W; X itself does not change.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred, of double or single precision.
    variances : ndarray of shape (n_features,) or None, default=None
        Of its columns, if they are known.
    patience : float, default=inf
        S is formed, and multiplied from then on, once so many products took as long as that takes.  So a fit takes at
        most about twice the time of the better form, however many products it needs.
    rounding : float, default=0.0
        What computing in single precision has changed, as a share of variances.
    """

    def __init__(
        self,
        X: Array | Single,
        variances: Array | None = None,
        patience: float = math.inf,
        rounding: float = 0.0,
    ) -> None:
        self.X, self.rounding = X, rounding
        self._begin(patience)
        self._measure(mean_squares(X) if variances is None else variances)

    def _begin(self, patience: float) -> None:
        n, d = self.X.shape
        self.T: Array = np.empty((n, 0))
        self.W: Array = np.empty((d, 0))
        self._patience = patience
        self._whole: Data | None = None
        self._formed: Gram | None = None
        self._cross: Array | None = None
        self._longest: int | None = None

    def scores(self, w: Array) -> Array:
        """Return X w, for one loading or for the columns of a matrix."""
        scores = self._undeflated_scores(w)
        if self.W.size:
            scores -= self.T @ (self.W.T @ w)
        return scores

    def _undeflated_scores(self, w: Array) -> Array:
        columns = 1 if w.ndim == 1 else w.shape[1]
        support = sparse_support(w, SMALL // len(self.X), SPARSE * min(columns, SEVERAL) / SEVERAL)
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
        if self.W.size:
            columns -= self.T @ self.W[support].T
            columns[:, self.diagonal[support] == 0.0] = 0.0
        return columns

    def transposed(self) -> Array:
        """Return the deflated samples, dense and with one row per feature, computed a block of features at a time."""
        rows = np.empty(self.X.shape[::-1])
        for block in slices(self.n_features, max(1, BLOCK // len(self.X))):
            rows[block] = self.samples(np.r_[block]).T
        return rows

    def mean_magnitudes(self) -> Array:
        """Return the mean magnitude of each column of the deflated samples, a block of columns at a time."""
        blocks = slices(self.n_features, max(1, BLOCK // len(self.X)))
        return np.concatenate([np.abs(self.samples(np.r_[block])).mean(axis=0) for block in blocks])

    def matvec(self, w: Array) -> Array:
        """Return X'(X w)/n."""
        products = 1.0 if w.ndim == 1 else w.shape[1]
        if self._impatient(products):
            return self._matrix().matvec(w)
        if w.ndim == 1 and self._is_small:
            return product(unwritten(self.X), False, w)
        return self.backwards(self.scores(w))

    @property
    def _is_small(self) -> bool:
        """Whether calls take longer than the compiled products of samples that were not deflated."""
        return type(self) is Data and self.X.size <= SMALL and not self.W.size

    def _impatient(self, products: float) -> bool:
        """Count products with S, and return whether there were enough to have it formed."""
        self._patience -= products
        if self._whole is not None:
            self._whole._impatient(products * self.n_features / self._whole.n_features)
        return self._formed is not None or self._patience < 0.0

    def _matrix(self) -> Gram:
        """Return S of the deflated samples, formed once."""
        if self._formed is None:
            S = self._undeflated()
            if self.W.size:
                subtract_removed(S, self._undeflated_backwards(self.T) / len(self.X), self.W, self.T)
            self._formed = Gram(S, self.rounding)._like(self)
        return self._formed

    def _undeflated(self) -> Array:
        return cross_products(self.X) / len(self.X)

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` of X'X/n."""
        if self._impatient(0.0):
            return self._matrix().columns(support)
        size = max(1, BLOCK // len(self.X))
        parts = [self.backwards(self.samples(support[block])) for block in slices(len(support) or 1, size)]
        return parts[0] if len(parts) == 1 else np.hstack(parts)

    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW as (X W)'(X W)/n."""
        scores = self.scores(W)
        return np.asarray(scores.T @ scores / len(scores))

    def longest_row(self) -> Array:
        """Return the sample that was the longest before deflation."""
        if self._longest is None:
            self._longest = int(self._squared_norms().argmax())
        i = self._longest
        row: Array = self._sample(i) - self.W @ self.T[i]
        row[self._constant] = 0.0
        return row

    def _squared_norms(self) -> Array:
        return np.asarray(np.einsum("ij,ij->i", self.X, self.X), dtype=np.float64)

    def _sample(self, i: int) -> Array:
        return np.asarray(self.X[i], dtype=np.float64)

    def restricted(self, support: Indices) -> SecondMoments:
        """Return the second moments of the features `support`, or itself if that is all."""
        if len(support) == self.n_features:
            return self
        if self._impatient(0.0):
            return self._matrix().restricted(support)
        part = self._part(support)
        if math.isfinite(self._patience):
            numbers = part.X.size if isinstance(part.X, np.ndarray) else 0
            part._patience, part._whole = patience(len(support), numbers), self
        return part

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
        """Return the rows and columns `support` of S, from the samples unless S is formed."""
        if self._impatient(0.0):
            return self._matrix().submatrix(support)
        if len(support) <= TINY and self._is_small:
            return products_of_columns(unwritten(self.X), support)
        if len(self.X) * len(support) > BLOCK:
            return self._part(support)._matrix().S
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
        if d > n:
            values, left = leading_eigenvectors(self._cross_products() / n, min(r, n))
            # The cross products lose digits of small eigenvalues; QR makes their vectors orthogonal again.
            return values, np.linalg.qr(self.backwards(left))[0]
        if d > COLUMNS_PER_PRODUCT * LANCZOS * r:
            found = iterated_eigenvectors(operator(d, self.matvec), r, self.rounding)
            if found is not None:
                return found
        return leading_eigenvectors(self._matrix().S, r)

    def _cross_products(self) -> Array:
        """Return the products of the deflated samples with each other, formed once."""
        if self._cross is None:
            self._cross = self._deflated(cross_products(self.X.T))
        return self._cross

    def _deflated(self, cross: Array) -> Array:
        """Return the products of the deflated samples with each other from those of the samples."""
        if not self.W.size:
            return cross
        half = self._undeflated_scores(self.W) - 0.5 * self.T @ (self.W.T @ self.W)
        change = half @ self.T.T
        return np.asarray(cross - change - change.T)

    def copy(self) -> Self:
        """Return a copy that shares the samples."""
        other = copy(self)
        other._formed = self._formed and self._formed.copy()
        return other

    def views(self, n: int) -> list[SecondMoments]:
        """Return n views for as many fits at once; of the matrix S, if they are likely to need so many products."""
        if self._impatient(0.0) or self._patience < AT_ONCE * n:
            return self._matrix().views(n)
        views = [copy(self) for _ in range(n)]
        for view in views:
            view._whole = None
        return list(views)

    def _remove(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        scores = self.scores(w)
        if self._cross is not None:
            half = self.scores(v) - 0.5 * (v @ v) * scores
            change = np.outer(half, scores)
            self._cross = self._cross - change - change.T
        if self._is_small:
            self.X = self.X - np.outer(scores, v)
            self.X[:, self._constant] = 0.0
        else:
            self.T = np.column_stack([self.T, scores])
            self.W = np.column_stack([self.W, v])
        if self._formed is not None:
            self._formed._remove(w, v, Sw, variance)
            self._formed._like(self)


def patience(n_features: int, n_numbers: int) -> float:
    """Return how many products through so many numbers take as long as forming S; through sparse samples with 0."""
    return n_features / (COLUMNS_PER_PRODUCT if n_numbers <= IN_CACHES else BEYOND)


def subtract_removed(S: Array, products: Array, W: Array, T: Array) -> None:
    """Turn X'X/n into that of X - T W', where `products` are X'T/n."""
    half = products - 0.5 * W @ (T.T @ T / len(T))
    S -= half @ W.T
    S -= W @ half.T


def operator(order: int, times: Callable[[Array], Array]) -> LinearOperator[np.float64]:
    """Return a symmetric matrix that is known by its products alone."""
    return LinearOperator((order, order), matvec=times, matmat=times, dtype=np.dtype(np.float64))
