"""The sum of the samples turned to one side of a moving hyperplane, without reading most of the data.

Methods that maximise ``||X w||_1`` need ``X' s`` with ``s_i = sign(x_i' w)`` at each step: two plain passes over the
data, and a third one to deflate the data by each component.  Bounds make most of this work unnecessary, and the signs
are still those of exact products:

1. *Movement.*  From step to step ``x_i' w`` changes by a product with the step, which is short near the end.  That
   product is computed in whole numbers, with the row rounded to 8 bits and the step to 16: an eighth of the memory, and
   an error of at most the length of what rounding lost of the row times the length of the step.
2. *Bounds.*  These errors add up to a bound for each sample.  A sample that is farther than that from the hyperplane
   has its side for certain.
3. *Exact products* for the few that remain, after which their bound is zero again.
4. The sum is corrected by the samples that changed sides, and no others.
5. Directions are projected instead of the data: with ``P_j = I - w_j w_j'`` the deflated samples ``X P_1 .. P_m``
   enter through ``X (P_1 .. P_m w)`` and ``P_m .. P_1 (X' s)``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.robust.rounded import FAST, round_rows, rounded_step

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
        self._room: Array = np.zeros(len(squares))

    @abstractmethod
    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""

    @abstractmethod
    def _margins(self, z: Array) -> Array:
        """Return X z."""

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
        near = np.flatnonzero((self._room <= self._tie) & (self.norms > 0.0))
        return any(np.abs(self.row(int(i))[support]).max() > 1e-10 * self.norms[i] for i in near)

    def _forwards(self, v: Array) -> Array:
        return np.asarray(_projected(v, self._removed, np.arange(self._n_removed)))

    def _backwards(self, v: Array) -> Array:
        return np.asarray(_projected(v, self._removed, np.arange(self._n_removed)[::-1]))


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
        self._sum = np.zeros(d)
        self._corrections = math.inf

    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""
        if self._corrections > REFRESH * len(self.signs):
            self._sum[:] = _signed_sum(*self.X, self.signs)
            self._corrections = 0.0
        z = self._backwards(w)
        step = rounded_step(self._step_to(z))
        self._blur += self._lost * step.length + (self.norms + self._lost) * step.lost
        rounded = (self._rows, self._scale * step.unit, step.whole)
        X, mean = self.X
        known = (self._products, self._blur, self._tie, self._room)
        self._corrections += _turn(X, mean, z, *rounded, *known, self.signs, self._sum)
        self._w, self._z = w.copy(), z
        return self._forwards(self._sum)

    def _step_to(self, z: Array) -> Array:
        """Return the step to z, from zero if that is nearer than the last direction, after a deflation for example."""
        step = z - self._z
        if np.linalg.norm(step) < np.linalg.norm(z):
            return step
        self._products[:] = 0.0
        self._blur[:] = 0.0
        return z

    def _margins(self, z: Array) -> Array:
        return np.asarray(_margins(*self.X, z))

    def _row(self, i: int) -> Array:
        return np.asarray(self.X.X[i] - self.X.mean)


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _margins(X: Array, mean: Array, z: Array) -> Array:
    """Return the products of the centred rows with z."""
    n, d = X.shape
    margins = np.zeros(n)
    for i in range(n):
        for j in range(d):
            margins[i] += (X[i, j] - mean[j]) * z[j]
    return margins


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _signed_sum(X: Array, mean: Array, signs: NDArray[np.int8]) -> Array:
    """Return the sum of the centred rows, each with its sign."""
    n, d = X.shape
    total = np.zeros(d)
    for i in range(n):
        for j in range(d):
            total[j] += signs[i] * (X[i, j] - mean[j])
    return total


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _turn(
    X: Array,
    mean: Array,
    z: Array,
    rows: NDArray[np.int8],
    scale: Array,
    whole: NDArray[np.int16],
    products: Array,
    blur: Array,
    tie: Array,
    room: Array,
    signs: NDArray[np.int8],
    total: Array,
) -> int:
    """Move to z: update `products`, which are ``x_i' z`` up to `blur`, their lower bounds `room`, `signs` and `total`.

    Return the number of corrections of the sum.
    """
    n, d = X.shape
    corrections = 0
    for i in range(n):
        change = np.int32(0)
        for j in range(d):
            change = np.int32(change + np.int32(rows[i, j]) * np.int32(whole[j]))
        products[i] += scale[i] * change
        room[i] = abs(products[i]) - blur[i]
        if room[i] <= tie[i]:
            exact = 0.0
            for j in range(d):
                exact += (X[i, j] - mean[j]) * z[j]
            products[i] = exact
            blur[i] = 0.0
            room[i] = abs(exact)
        sign = 1 if products[i] >= -tie[i] else -1
        if sign != signs[i]:
            signs[i] = sign
            corrections += 1
            for j in range(d):
                total[j] += 2 * sign * (X[i, j] - mean[j])
    return corrections


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _projected(v: Array, loadings: Array, order: Indices) -> Array:
    """Multiply v by ``P_i = I - w_i w_i'`` for the rows w_i of `loadings`, one after another in `order`."""
    v = v.copy()
    for i in order:
        product = 0.0
        for j in range(len(v)):
            product += loadings[i, j] * v[j]
        for j in range(len(v)):
            v[j] -= product * loadings[i, j]
    return v
