"""The sum of the samples turned to one side of a moving hyperplane, which methods that maximise ``||X w||_1`` need."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.centred import Centred

TIE = 1e-12
"""A sample this near to the hyperplane, relative to its norm, lies in it: rounding must not choose its side."""
REFRESH = 8
"""The sum is computed anew after this many times n corrections, before their rounding errors add up."""


class SignedSum:
    """``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, for deflated samples and a unit vector w that moves.

    Directions are projected instead of the data: with ``P_j = I - w_j w_j'`` the deflated samples ``X P_1 .. P_m``
    enter through ``X (P_1 .. P_m w)`` and ``P_m .. P_1 (X' s)``.

    Parameters
    ----------
    X : ndarray or Centred of shape (n_samples, n_features)
        Centred samples, neither copied nor changed.

    Attributes
    ----------
    norms : ndarray of shape (n_samples,)
        Euclidean norms of the samples.
    squares : ndarray of shape (n_samples,)
        Squared norms of the deflated samples.
    signs : ndarray of shape (n_samples,)
        The sides of the samples.

    Notes
    -----
    A move costs a product with X, the sum of the samples that change sides, and O(d) for each loading removed.
    """

    def __init__(self, X: Array | Centred) -> None:
        self.X = X
        self._begin(X.squared_norms() if isinstance(X, Centred) else np.einsum("ij,ij->i", X, X), X.shape[1])
        self._margins = np.zeros(len(self.signs))

    def _begin(self, squares: Array, d: int) -> None:
        self.squares, self.norms, self.signs = squares, np.sqrt(squares), np.ones(len(squares), np.int8)
        self._tie = TIE * self.norms
        self._w, self._sum = np.zeros(d), np.zeros(d)
        self._corrections = math.inf
        self._removed, self._mixing = np.empty((0, d)), np.empty((0, 0))

    @property
    def n_features(self) -> int:
        """How many features there are."""
        return len(self._w)

    @property
    def exhausted(self) -> bool:
        """Whether deflation left nothing but rounding errors."""
        floor = self.n_features * np.finfo(np.float64).eps
        return bool(self.squares.sum() <= floor * (self.norms @ self.norms))

    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""
        self._w, self._margins = w.copy(), np.asarray(self.X @ self._before(w))
        signs = np.where(self._margins >= -self._tie, np.int8(1), np.int8(-1))
        (changed,) = (signs != self.signs).nonzero()
        self.signs = signs
        self._corrections += len(changed)
        if self._corrections > REFRESH * len(signs) or 2 * len(changed) > len(signs):
            self._sum, self._corrections = np.asarray(self.X.T @ signs.astype(np.float64)), 0.0
        elif isinstance(self.X, Centred):
            self._sum = self._sum + self.X.sum_of_rows(changed, 2.0 * signs[changed])
        else:
            self._sum = self._sum + 2.0 * (signs[changed] @ self.X[changed])
        return self._after(self._sum)

    def deflate(self, w: Array) -> None:
        """Remove the unit vector `w` from the samples: X becomes ``X (I - w w')``."""
        self.squares = np.maximum(self.squares - (self.X @ self._before(w)) ** 2, 0.0)
        self._remove(w)

    def row(self, i: int) -> Array:
        """Return one deflated sample."""
        return self._after(self.X.row(i) if isinstance(self.X, Centred) else self.X[i])

    def undecided(self) -> bool:
        """Return whether some deflated sample lies in the hyperplane although its support meets that of w."""
        support = self._w != 0.0
        near = np.flatnonzero((self._rooms() <= self._tie) & (self.norms > 0.0))
        return any(np.abs(self.row(int(i))[support]).max() > 1e-10 * self.norms[i] for i in near)

    def _rooms(self) -> Array:
        """Return how far the deflated samples are from the hyperplane at least."""
        return np.abs(self._margins)

    def _remove(self, w: Array) -> None:
        """Take in a projection: ``P_1 .. P_m`` is I - W'T W, with the loadings as rows of W and a triangular T."""
        m = len(self._removed)
        mixing = np.eye(m + 1)
        mixing[:m, :m] = self._mixing
        mixing[:m, m] = -self._mixing @ (self._removed @ w)
        self._removed, self._mixing = np.vstack([self._removed, w]), mixing

    def _before(self, v: Array) -> Array:
        return v - (self._mixing @ (self._removed @ v)) @ self._removed

    def _after(self, v: Array) -> Array:
        return v - ((self._removed @ v) @ self._mixing) @ self._removed
