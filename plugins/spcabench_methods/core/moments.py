"""Second moments S = X'X/n of centred samples, in one of three forms with the same methods.

`Gram` holds the matrix S; `Data` holds the centred samples and never forms a matrix of features by features;
`ImplicitData` reads sparse or mapped samples where they are, and makes them all dense only in `transposed`.
All can be deflated: after ``deflate(w)`` they stand for P S P with P = I - w w', after ``deflate_score(w)`` for
S - S w w'S / w'Sw.  If only rounding errors are left of the variance of a feature, the feature becomes exactly zero.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np
from scipy.linalg.lapack import dsyevd
from scipy.sparse.linalg import LinearOperator

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.centred import Centred, is_sparse, slices
from spcabench_methods.core.centred_mapped import CentredMapped
from spcabench_methods.core.centred_sparse import CentredSparse
from spcabench_methods.core.eigenvectors import iterated_eigenvectors, leading_eigenvectors
from spcabench_methods.core.passes import total_and_zeros, unwritten
from spcabench_methods.core.products import product, products_of_columns
from spcabench_methods.core.samples import BLOCK, centred_rows, row_blocks
from spcabench_methods.core.uncopied import uncopied

GRAM_LIMIT = 16_384
"""With more features than this no matrix of features by features is formed (2 GiB)."""
FEW = 100
"""Up to so many features the whole matrix is multiplied: finding the zeros of a vector would take longer."""
TINY = 16
"""Up to so many features computing all eigenvectors is faster than selecting one."""
COLUMNS_PER_PRODUCT = 12.0
"""A product with S through samples takes as long as so many columns of S take to form: 10 in caches, 26 beyond."""
AT_ONCE = 8.0
"""A fit takes about so many products for each component, or more."""
COPIED = 2**26
"""Larger samples are not copied where S could be formed without that (512 MiB)."""
SMALL = 2**15
"""Of so few samples times features all are multiplied: looking for the zeros of a vector would take longer."""
LANCZOS = 40.0
"""About so many products find a leading eigenvector."""
SPARSE = 0.25
"""For a vector with a smaller share of nonzeros only the rows in its support are multiplied."""
EMPTIED = 100.0 * EPS
"""A feature becomes zero if deflation leaves no more than this share of its variance: rounding leaves up to 22 EPS."""


NO_FEATURES: Indices = np.empty(0, dtype=np.intp)


class SecondMoments(ABC):
    """S of shape (n_features, n_features), in any form."""

    diagonal: Array
    trace: float
    """The total variance."""
    _constant: Indices
    _undeflated_variances: Array
    _floor: float

    @property
    def n_features(self) -> int:
        """The order of S."""
        return len(self.diagonal)

    @property
    def exhausted(self) -> bool:
        """Whether deflation left nothing but rounding errors."""
        return self.trace <= self._floor

    @abstractmethod
    def matvec(self, w: Array) -> Array:
        """Return S w, for a vector or for the columns of a matrix."""

    @abstractmethod
    def columns(self, support: Indices) -> Array:
        """Return the columns `support` of S."""

    @abstractmethod
    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW for loadings W of shape (n_features, m)."""

    @abstractmethod
    def longest_row(self) -> Array:
        """Return the longest row of S, or what is left of the sample that was the longest before deflation."""

    @abstractmethod
    def restricted(self, support: Indices) -> SecondMoments:
        """Return the second moments of the features `support` alone."""

    @abstractmethod
    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S."""

    @abstractmethod
    def _principal(self, r: int) -> tuple[Array, Array]:
        """Return up to r leading eigenvalues, descending, and eigenvectors as columns."""

    @abstractmethod
    def copy(self) -> Self:
        """Return a copy that can be deflated without touching this one."""

    @abstractmethod
    def _remove(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        """Turn X into X - (X w) v', and set features to zero that are `_constant` after it."""

    def principal(self, r: int) -> tuple[Array, Array]:
        """Return the r largest eigenvalues and their eigenvectors.

        Returns
        -------
        values : ndarray of shape (r,)
            Descending; 0 past the rank.
        vectors : ndarray of shape (n_features, r)
            Orthonormal columns; 0 past the rank, and on constant features.
        """
        if not self.exhausted:
            found, basis = self._spectrum(r)
            if len(found) == r and found[-1] > self._floor:
                return found, np.ascontiguousarray(basis)
        values, vectors = np.zeros(r), np.zeros((self.n_features, r))
        if not self.exhausted:
            rank = np.count_nonzero(found > self._floor)
            values[:rank] = found[:rank]
            vectors[:, :rank] = basis[:, :rank]
        return values, vectors

    def _spectrum(self, r: int) -> tuple[Array, Array]:
        """Return `principal` of the features that vary, without regard to the rank; 0 on the others."""
        (varying,) = (self.diagonal > 0.0).nonzero()
        if len(varying) == self.n_features:
            return self._principal(min(r, self.n_features))
        found, inner = self.restricted(varying)._principal(min(r, len(varying)))
        basis = np.zeros((self.n_features, len(found)))
        basis[varying] = inner
        return found, basis

    def leading(self, support: Indices) -> Array:
        """Return the unit vector of largest variance among those that are zero outside `support`."""
        w = np.zeros(self.n_features)
        varying = support[self.diagonal[support] > 0.0]
        if len(varying):
            w[varying] = self.leading_pair(varying)[1]
        return w

    def leading_pair(self, support: Indices) -> tuple[float, Array]:
        """Return the largest eigenvalue of S on `support`, features that all vary, and its eigenvector there."""
        if len(support) <= TINY:
            values, vectors, unsettled = dsyevd(self.submatrix(support), lower=1)
            if not unsettled:
                return values[-1], vectors[:, -1]
        values, vectors = self.restricted(support).principal(1)
        return float(values[0]), vectors[:, 0]

    def quadratic(self, w: Array) -> float:
        """Return the variance w'Sw, not below zero."""
        return max(float(w @ self.matvec(w)), 0.0)

    def deflate(self, w: Array) -> None:
        """Turn S into P S P, P = I - w w', for a unit vector w."""
        Sw = self.matvec(w)
        self._subtract(w, w, Sw, float(w @ Sw))

    def deflate_score(self, w: Array) -> None:
        """Turn S into S - S w w'S / w'Sw, what the score X w does not explain; keep S if the score has no variance.

        X becomes (I - u u')X with u the score scaled to unit length, which is X - (X w) v' with v = S w / w'Sw.
        """
        Sw = self.matvec(w)
        variance = float(w @ Sw)
        if variance > self._floor:
            self._subtract(w, Sw / variance, Sw, variance)

    def _subtract(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        diagonal = self.diagonal - 2.0 * v * Sw + variance * v**2
        self._set_variances(np.where(diagonal > EMPTIED * self._undeflated_variances, diagonal, 0.0))
        self._remove(w, v, Sw, variance)

    def _set_variances(self, diagonal: Array) -> None:
        self.diagonal = diagonal
        self.trace, self._constant = total_and_zeros(diagonal)

    def _measure(self, diagonal: Array) -> None:
        self._set_variances(diagonal)
        self._undeflated_variances = diagonal
        self._floor = len(diagonal) * EPS * self.trace


class Gram(SecondMoments):
    """Second moments as the matrix S itself.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric; only copies of it are changed.
    """

    def __init__(self, S: Array) -> None:
        self.S = S.T if S.flags.f_contiguous else np.ascontiguousarray(S)
        self._measure(S.diagonal().copy())
        self._forget()

    @classmethod
    def of(cls, X: Any, mean: Array) -> Self:
        """Form the matrix from samples, a block at a time."""
        if is_sparse(X):
            return cls(CentredSparse.of(X, mean).second_moments())
        blocks = row_blocks(X, mean)
        first = next(blocks)
        S = first.T @ first
        for block in blocks:
            S += block.T @ block
        S /= len(X)
        return cls(S)

    def _forget(self) -> None:
        self._support: Indices = NO_FEATURES
        self._rows: Array = self.S[:0]

    def matvec(self, w: Array) -> Array:
        """Return S w from the rows in the support of w, which stay cached until the support changes."""
        if len(w) <= FEW or w.ndim == 2:
            return np.asarray(self.S @ w)
        (support,) = w.nonzero()
        if len(support) >= SPARSE * len(w):
            return np.asarray(self.S @ w)
        if len(support) != len(self._support) or not (support == self._support).all():
            self._support, self._rows = support, self.S[support]
        return np.asarray(w[support] @ self._rows)

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` of S."""
        return self.S[support].T

    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW."""
        support = sparse_support(W, FEW)
        if support is None:
            return np.asarray(W.T @ (self.S @ W))
        return np.asarray(W[support].T @ self.submatrix(support) @ W[support])

    def longest_row(self) -> Array:
        """Return the longest row of S."""
        row: Array = self.S[np.einsum("ij,ij->i", self.S, self.S).argmax()]
        return row

    def restricted(self, support: Indices) -> Gram:
        """Return the submatrix of `support`, or itself if that is all."""
        return self if len(support) == self.n_features else Gram(self.submatrix(support))

    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S."""
        return self.S.take(support, axis=0).take(support, axis=1)

    def _principal(self, r: int) -> tuple[Array, Array]:
        return leading_eigenvectors(self.S, r)

    def copy(self) -> Gram:
        """Copy the matrix."""
        return Gram(self.S.copy())._like(self)

    def _like(self, other: SecondMoments) -> Gram:
        """Take over what deflation made of the variances of the same second moments in any form."""
        self.diagonal, self.trace, self._constant = other.diagonal, other.trace, other._constant
        self._undeflated_variances, self._floor = other._undeflated_variances, other._floor
        self.S[self._constant] = 0.0
        self.S[:, self._constant] = 0.0
        return self

    def _remove(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        support = np.flatnonzero(v)
        half = Sw - 0.5 * variance * v
        self.S[support] -= np.outer(v[support], half)
        self.S[:, support] -= np.outer(half, v[support])
        self.S[self._constant] = 0.0
        self.S[:, self._constant] = 0.0
        self._forget()


class Data(SecondMoments):
    """Second moments as the centred samples they come from.

    Deflated samples are X - T W', with the scores T removed so far and their multipliers W; X itself does not change.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred.
    variances : ndarray of shape (n_features,) or None, default=None
        Of its columns, if they are known.
    patience : float, default=inf
        S is formed, and multiplied from then on, once so many products took as long as that takes.  So a fit takes at
        most about twice the time of the better form, however many products it needs.
    """

    def __init__(self, X: Array, variances: Array | None = None, patience: float = math.inf) -> None:
        self.X = X
        self._begin(patience)
        self._measure(np.einsum("ij,ij->j", X, X) / len(X) if variances is None else variances)

    def _begin(self, patience: float) -> None:
        n, d = self.X.shape
        self.T: Array = np.empty((n, 0))
        self.W: Array = np.empty((d, 0))
        self._patience = patience
        self._whole: Data | None = None
        self._formed: Gram | None = None
        self._cross: Array | None = None

    @staticmethod
    def of(X: Any, mean: Array, patience: float = math.inf) -> Data:
        """Centre samples, those that shall not be copied implicitly."""
        centred = uncopied(X, mean)
        if centred is None:
            return Data(*centred_rows(X, mean), patience)
        return ImplicitData(centred, patience)

    def scores(self, w: Array) -> Array:
        """Return X w, for one loading or for the columns of a matrix."""
        scores = self._undeflated_scores(w)
        if self.W.size:
            scores -= self.T @ (self.W.T @ w)
        return scores

    def _undeflated_scores(self, w: Array) -> Array:
        support = sparse_support(w, SMALL // len(self.X))
        return np.asarray(self.X @ w if support is None else self.X[:, support] @ w[support])

    def _backwards(self, scores: Array) -> Array:
        products = np.asarray(self.X.T @ scores)
        if self.W.size:
            products -= self.W @ (self.T.T @ scores)
        products /= len(self.X)
        if self._constant.size:
            products[self._constant] = 0.0
        return products

    def samples(self, support: Indices) -> Array:
        """Return the columns `support` of the deflated samples."""
        columns: Array = self.X[:, support]
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
        return self._backwards(self.scores(w))

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
                half = (np.asarray(self.X.T @ self.T) - 0.5 * self.W @ (self.T.T @ self.T)) / len(self.X)
                S -= half @ self.W.T
                S -= self.W @ half.T
            self._formed = Gram(S)._like(self)
        return self._formed

    def _undeflated(self) -> Array:
        return np.asarray(self.X.T @ self.X / len(self.X))

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` of X'X/n."""
        if self._impatient(0.0):
            return self._matrix().columns(support)
        return self._backwards(self.samples(support))

    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW as (X W)'(X W)/n."""
        scores = self.scores(W)
        return np.asarray(scores.T @ scores / len(scores))

    def longest_row(self) -> Array:
        """Return the sample that was the longest before deflation."""
        i = self._squared_norms().argmax()
        row: Array = self._sample(int(i)) - self.W @ self.T[i]
        row[self._constant] = 0.0
        return row

    def _squared_norms(self) -> Array:
        return np.asarray(np.einsum("ij,ij->i", self.X, self.X))

    def _sample(self, i: int) -> Array:
        row: Array = self.X[i]
        return row

    def restricted(self, support: Indices) -> SecondMoments:
        """Return the second moments of the features `support`, or itself if that is all."""
        if len(support) == self.n_features:
            return self
        if self._impatient(0.0):
            return self._matrix().restricted(support)
        part = self._part(support)
        if math.isfinite(self._patience):
            part._patience, part._whole = patience(len(support)), self
        return part

    def _part(self, support: Indices) -> Data:
        return Data(self.samples(support))

    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S, from the samples unless S is formed."""
        if self._impatient(0.0):
            return self._matrix().submatrix(support)
        if len(support) <= TINY and self._is_small:
            return products_of_columns(unwritten(self.X), support)
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
            return values, np.linalg.qr(self._backwards(left))[0]
        found = None if d <= COLUMNS_PER_PRODUCT * LANCZOS * r else iterated_eigenvectors(operator(d, self.matvec), r)
        return found or leading_eigenvectors(self._matrix().S, r)

    def _cross_products(self) -> Array:
        """Return the products of the deflated samples with each other, formed once."""
        if self._cross is None:
            self._cross = self._deflated(np.asarray(self.X @ self.X.T))
        return self._cross

    def _deflated(self, cross: Array) -> Array:
        """Return the products of the deflated samples with each other from those of the samples."""
        if not self.W.size:
            return cross
        half = self.X @ self.W - 0.5 * self.T @ (self.W.T @ self.W)
        change = half @ self.T.T
        return np.asarray(cross - change - change.T)

    def copy(self) -> Self:
        """Return a copy that shares the samples."""
        other = copy(self)
        other._formed = self._formed and self._formed.copy()
        return other

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
        values, left = self._eigenvectors(n, lambda y: self.scores(self._backwards(y)), min(r, n))
        return values, np.linalg.qr(self._backwards(left))[0]

    def _eigenvectors(self, order: int, times: Callable[[Array], Array], r: int) -> tuple[Array, Array]:
        """Return leading eigenvectors of X'X/n or XX'/n; form the matrix, by blocks, only if iterations fail."""
        found = iterated_eigenvectors(operator(order, times), r)
        if found is None:
            columns = slices(order, max(1, BLOCK // max(self.X.shape)))
            found = leading_eigenvectors(np.hstack([times(np.eye(order)[:, block]) for block in columns]), r)
        return found


def operator(order: int, times: Callable[[Array], Array]) -> LinearOperator[np.float64]:
    """Return a symmetric matrix that is known by its products alone."""
    return LinearOperator((order, order), matvec=times, matmat=times, dtype=np.dtype(np.float64))


def sparse_support(w: Array, few: int) -> Indices | None:
    """Return where a vector, or any column of a matrix, is not zero; None if that is no small share of many features.

    Parameters
    ----------
    w : ndarray of shape (n_features,) or (n_features, r)
    few : int
        How many features are not many.
    """
    if len(w) <= few:
        return None
    (support,) = np.nonzero(w if w.ndim == 1 else w.any(axis=1))
    return support if len(support) < SPARSE * len(w) else None


def patience(n_features: int) -> float:
    """Return how many products through the samples take as long as forming S."""
    return n_features / COLUMNS_PER_PRODUCT


def second_moments(
    X: Any, mean: Array, gram_ratio: float = 4.0, few_products: bool = False, n_components: int = 1
) -> SecondMoments:
    """Choose the form.

    It is the matrix S, unless that would have more than `gram_ratio` n rows or be too large.  Where `few_products` with
    it are likely for each component, a matrix that is not small is formed only once there were many.
    """
    n, d = X.shape
    if d > min(gram_ratio * n, GRAM_LIMIT):
        return Data.of(X, mean)
    if not few_products or patience(d) <= AT_ONCE * n_components:
        return Gram.of(X, mean)
    if n * d <= COPIED or is_sparse(X):
        return Data.of(X, mean, patience(d))
    return ImplicitData(CentredMapped(X, mean), patience(d))
