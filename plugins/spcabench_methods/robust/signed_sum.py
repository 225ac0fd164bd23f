"""The sum of the samples turned to one side of a moving hyperplane, without reading most of the data.

Methods that maximise ``||X w||_1`` need ``X' s`` with ``s_i = sign(x_i' w)`` at each step: two plain passes over the
data, and a third one to deflate the data by each component.  Bounds make most of this work unnecessary, and the signs
are still those of exact products:

1. *Movement.*  From step to step ``x_i' w`` changes by a product with the step, which is short near the end.  That
   product is computed in whole numbers, with the row rounded to 8 bits and the step to 16: an eighth of the memory, and
   an error of at most the length of what rounding lost of the row times the length of the step.
2. *Bounds.*  These errors add up to a bound for each sample.  A sample that is farther than that from the hyperplane
   has its side for certain.
3. *Exact products* for the few that remain, after which their bound is zero again.  They are read four at a time, as
   are the samples of the next step: one scattered over the memory costs less where others are fetched meanwhile.
4. The sum is corrected by the samples that changed sides, and no others.
5. Directions are projected instead of the data: with ``P_j = I - w_j w_j'`` the deflated samples ``X P_1 .. P_m``
   enter through ``X (P_1 .. P_m w)`` and ``P_m .. P_1 (X' s)``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.robust.rounded import round_rows, rounded_step
from spcabench_methods.robust.turns import add, exact, move, projected, settle

TIE = 1e-12
"""A sample this near to the hyperplane, relative to its norm, lies in it: rounding must not choose its side."""

REFRESH = 8
"""The sum is computed anew after this many times n corrections, before their rounding errors add up."""


T = TypeVar("T")


class TurnedSamples(ABC, Generic[T]):
    """The sum of the samples, ``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, and deflation.

    Parameters
    ----------
    X : Rows or Centred
        The samples, neither copied nor changed.
    squares : ndarray of shape (n_samples,)
        Their squared norms.
    n_features : int
    n_components : int
        How often they can be deflated.

    Attributes
    ----------
    norms : ndarray of shape (n_samples,)
        Euclidean norms of the samples.
    squares : ndarray of shape (n_samples,)
        Squared norms of the deflated samples.
    signs : ndarray of int8, shape (n_samples,)
        The sides of the samples.
    """

    def __init__(self, X: T, squares: Array, n_features: int, n_components: int) -> None:
        self.X = X
        self.n_features = n_features
        self.squares = squares
        self.norms = np.sqrt(squares)
        self.signs = np.ones(len(squares), dtype=np.int8)
        self._tie = TIE * self.norms
        self._removed = np.empty((n_components, n_features))
        self._n_removed = 0
        self._w: Array = np.zeros(n_features)

    @abstractmethod
    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""

    @abstractmethod
    def _margins(self, z: Array) -> Array:
        """Return X z."""

    @abstractmethod
    def _rooms(self) -> Array:
        """Return how far the deflated samples are from the hyperplane at least."""

    @abstractmethod
    def _row(self, i: int) -> Array:
        """Return one sample."""

    @property
    def exhausted(self) -> bool:
        """Whether deflation left nothing but rounding errors."""
        floor = self.n_features * np.finfo(np.float64).eps
        return bool(self.squares.sum() <= floor * (self.norms @ self.norms))

    def deflate(self, w: Array) -> None:
        """Remove the unit vector `w` from the samples: X becomes ``X (I - w w')``."""
        margins = self._margins(self._backwards(w))
        self.squares = np.maximum(self.squares - margins**2, 0.0)
        self._removed[self._n_removed] = w
        self._n_removed += 1

    def row(self, i: int) -> Array:
        """Return one deflated sample."""
        return self._forwards(self._row(i))

    def undecided(self) -> bool:
        """Return whether some deflated sample lies in the hyperplane although its support meets that of w."""
        support = self._w != 0.0
        near = np.flatnonzero((self._rooms() <= self._tie) & (self.norms > 0.0))
        return any(np.abs(self.row(int(i))[support]).max() > 1e-10 * self.norms[i] for i in near)

    def _forwards(self, v: Array) -> Array:
        return np.asarray(projected(v, self._removed, np.arange(self._n_removed)))

    def _backwards(self, v: Array) -> Array:
        return np.asarray(projected(v, self._removed, np.arange(self._n_removed)[::-1]))


class Rows(NamedTuple):
    """Samples as contiguous rows in double precision, which are centred when they are read.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    mean : ndarray of shape (n_features,)
    """

    X: Array
    mean: Array


class SignedSum(TurnedSamples[Rows]):
    """``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, for deflated samples and a unit vector w that moves.

    Parameters
    ----------
    rows : Rows
        They are neither copied nor changed.
    n_components : int
        How often they can be deflated.

    Notes
    -----
    A move costs O(n d) products of small whole numbers, O(d) for each loading removed and for each sample near the
    hyperplane, and at worst O(n d) more.  The rounded rows take an eighth of the memory of X.
    """

    def __init__(self, rows: Rows, n_components: int) -> None:
        X = rows.X.view()
        X.flags.writeable = False  # so that kernels are compiled for one type of array
        n, d = X.shape
        self._rows, self._scale, self._lost, squares = round_rows(X, rows.mean)
        super().__init__(Rows(X, rows.mean), squares, d, n_components)
        self._z, self._products, self._blur = np.zeros(d), np.zeros(n), np.zeros(n)
        self._all, self._near, self._turned = np.arange(n), np.empty(n + 1, dtype=int), np.empty(n + 1, dtype=int)
        self._sum = np.zeros(d)
        self._corrections = math.inf

    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""
        if self._corrections > REFRESH * len(self.signs):
            self._sum[:] = 0.0
            add(*self.X, self._all, self.signs.astype(np.float64), self._sum)
            self._corrections = 0.0
        z = self._backwards(w)
        turned = self._turned_by(z)
        add(*self.X, turned, 2.0 * self.signs[turned].astype(np.float64), self._sum)
        self._corrections += len(turned)
        self._w, self._z = w.copy(), z
        return self._forwards(self._sum)

    def _turned_by(self, z: Array) -> Indices:
        """Move to z and return the samples that change sides."""
        whole, unit, length, rest = rounded_step(self._step_to(z))
        rounded = (self._rows, self._scale, self._lost, self.norms)
        known = (self._tie, self._products, self._blur, self.signs)
        n_near, n_turned = move(*rounded, whole, unit, length, rest, *known, self._near, self._turned)
        near = self._near[:n_near]
        n_turned = settle(exact(*self.X, z, near), near, self._turned, n_turned, *known)
        return self._turned[:n_turned]

    def _step_to(self, z: Array) -> Array:
        """Return the step to z, from zero if that is nearer than the last direction, after a deflation for example."""
        step = z - self._z
        if step @ step < z @ z:
            return step
        self._products[:] = 0.0
        self._blur[:] = 0.0
        return z

    def _rooms(self) -> Array:
        return np.abs(self._products) - self._blur

    def _margins(self, z: Array) -> Array:
        return np.asarray(exact(*self.X, z, self._all))

    def _row(self, i: int) -> Array:
        return np.asarray(self.X.X[i] - self.X.mean)
