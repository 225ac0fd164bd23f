"""What both forms of second moments have in common: their spectra, their variances, and deflation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Self

import numpy as np
from scipy.linalg.lapack import dsyevd

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.eigenvectors import SMALL, leading_eigenvectors

TINY = 16
"""Up to so many features computing all eigenvectors is faster than selecting one."""
EMPTIED = 100.0 * EPS
"""A feature becomes zero if deflation leaves no more than this share of its variance: rounding leaves up to 22 EPS."""
ERRORS = 4.0
"""What deflation leaves has at most so many of the errors of single precision."""


NO_FEATURES: Indices = np.empty(0, dtype=np.intp)
SPARSE = 0.25
"""For a vector with a smaller share of nonzeros only the rows in its support are multiplied."""


class SecondMoments(ABC):
    """S of shape (n_features, n_features), in either form."""

    diagonal: Array
    trace: float
    """The total variance."""
    rounding: float = 0.0
    """What computing in single precision has changed, as a share of variances."""
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

    def views(self, n: int) -> list[SecondMoments]:
        """Return n views for as many fits at once, each with a cache of its own; they must not be deflated."""
        return [copy(self) for _ in range(n)]

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
        if len(support) <= SMALL:
            values, vectors = leading_eigenvectors(self.submatrix(support), 1)
        else:
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
        emptied = max(EMPTIED, ERRORS * self.rounding)
        self._set_variances(np.where(diagonal > emptied * self._undeflated_variances, diagonal, 0.0))
        self._remove(w, v, Sw, variance)

    def _set_variances(self, diagonal: Array) -> None:
        self.diagonal = diagonal
        self.trace = float(diagonal.sum())
        (self._constant,) = (diagonal == 0.0).nonzero()

    def _measure(self, diagonal: Array) -> None:
        self._set_variances(diagonal)
        self._undeflated_variances = diagonal
        self._floor = max(len(diagonal) * EPS, self.rounding) * self.trace


def sparse_support(w: Array, few: int, share: float = SPARSE) -> Indices | None:
    """Return where a vector, or any column of a matrix, is not zero; None if that is no small share of many features.

    Parameters
    ----------
    w : ndarray of shape (n_features,) or (n_features, r)
    few : int
        How many features are not many.
    share : float, default=SPARSE
        What is no longer small.
    """
    if len(w) <= few:
        return None
    (support,) = np.nonzero(w if w.ndim == 1 else w.any(axis=1))
    return support if len(support) < share * len(w) else None
