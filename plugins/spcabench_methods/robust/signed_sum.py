"""The sum of the samples turned to one side of a moving hyperplane, without reading most of the data.

Methods that maximise ``||X w||_1`` need ``X' s`` with ``s_i = sign(x_i' w)`` at each step: two plain passes over the
data, and a third one to deflate the data by each component.  Bounds make most of this work unnecessary, and the signs
are still those of exact products:

1. *Movement.*  ``|x_i' w|`` shrinks by no more than ``||x_i||`` times the length of the step.  A sample farther
   than that from the hyperplane keeps its sign, and its row is not read.
2. *Rounded rows.*  For the others the product is first computed in whole numbers, with the row and w rounded to 12
   and 16 bits: a quarter of the memory, more products per instruction, and an error with a known bound.  That decides
   nearly all signs.
3. *Exact products* for the few that remain.
4. The sum is corrected by the samples that changed sides, and no others.
5. Directions are projected instead of the data: with ``P_j = I - w_j w_j'`` the deflated samples ``X P_1 .. P_m``
   enter through ``X (P_1 .. P_m w)`` and ``P_m .. P_1 (X' s)``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices

TIE = 1e-12
"""A sample this near to the hyperplane, relative to its norm, lies in it: rounding must not choose its side."""

REFRESH = 8
"""The sum is computed anew after this many times n corrections, before their rounding errors add up."""

LEVELS = 2**11 - 1
"""The largest entry of a rounded row; less if sums could exceed 2**31."""

UNIT = 2**15 - 1
"""The whole number that stands for 1 in a rounded direction."""

FAST = {"reassoc", "contract", "nsz"}


T = TypeVar("T")


class TurnedSamples(ABC, Generic[T]):
    """The sum of the samples, ``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, and deflation.

    Parameters
    ----------
    X : ndarray or Centred, of shape (n_samples, n_features)
        Centred samples, neither copied nor changed.
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
        self._room: Array = np.full(len(squares), -math.inf)

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
        self._room[:] = -math.inf

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


class SignedSum(TurnedSamples[Array]):
    """``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, for deflated samples and a unit vector w that moves.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples, as contiguous rows.  They are neither copied nor changed.
    n_components : int
        How often they can be deflated.

    Notes
    -----
    A move costs O(n), O(d) for each loading removed and for each sample near the hyperplane, and at worst
    O(n d).  The rounded rows take a quarter of the memory of X.
    """

    def __init__(self, X: Array, n_components: int) -> None:
        d = X.shape[1]
        levels = max(1, min(LEVELS, int(2**31 / (math.sqrt(d) * (UNIT + math.sqrt(d)))) - 1))
        super().__init__(X, np.einsum("ij,ij->i", X, X), d, n_components)
        self._rows, scale, self._lost = _round_rows(X, levels)
        self._scale = scale / UNIT
        self._sum = np.zeros(d)
        self._corrections = math.inf
        self._reach = self.norms

    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""
        step = float(np.linalg.norm(w - self._w))
        z = self._backwards(w)
        whole = np.rint(UNIT * z)
        if self._corrections > REFRESH * len(self.X):
            self._sum[:] = self.signs @ self.X
            self._corrections = 0.0
        self._room -= self._reach * step
        blur = self._lost * np.linalg.norm(z) + (self.norms + self._lost) * np.linalg.norm(z - whole / UNIT)
        rounded = (self._rows, self._scale, whole.astype(np.int16), blur)
        self._corrections += _turn(self.X, z, *rounded, self._tie, self._room, self.signs, self._sum)
        self._w = w.copy()
        return self._forwards(self._sum)

    def deflate(self, w: Array) -> None:
        """Remove the unit vector `w` from the samples: X becomes ``X (I - w w')``."""
        super().deflate(w)
        self._reach = np.sqrt(self.squares) + 1e-7 * self.norms

    def _margins(self, z: Array) -> Array:
        return np.asarray(self.X @ z)

    def _row(self, i: int) -> Array:
        return np.asarray(self.X[i])


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _round_rows(X: Array, levels: int) -> tuple[NDArray[np.int16], Array, Array]:
    """Write ``x_i = scale_i row_i + e_i`` with whole numbers up to `levels`; return rows, scales and ``||e_i||``."""
    n, d = X.shape
    rows, scale, lost = np.zeros((n, d), dtype=np.int16), np.zeros(n), np.zeros(n)
    for i in range(n):
        largest = 0.0
        for j in range(d):
            largest = max(largest, abs(X[i, j]))
        scale[i] = largest / levels
        if scale[i] > 0.0:
            for j in range(d):
                whole = np.rint(X[i, j] / scale[i])
                rows[i, j] = np.int16(whole)
                lost[i] += (X[i, j] - scale[i] * whole) ** 2
            lost[i] = np.sqrt(lost[i])
    return rows, scale, lost


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _turn(
    X: Array,
    z: Array,
    rows: NDArray[np.int16],
    scale: Array,
    whole: NDArray[np.int16],
    blur: Array,
    tie: Array,
    room: Array,
    signs: NDArray[np.int8],
    total: Array,
) -> int:
    """Move to z: update `room` (lower bounds of ``|x_i' z|``), `signs` and `total`; count the corrections."""
    n, d = X.shape
    corrections = 0
    for i in range(n):
        if room[i] > tie[i]:
            continue
        product = np.int32(0)
        for j in range(d):
            product = np.int32(product + np.int32(rows[i, j]) * np.int32(whole[j]))
        margin = scale[i] * product
        room[i] = abs(margin) - blur[i]
        if room[i] <= tie[i]:
            margin = 0.0
            for j in range(d):
                margin += X[i, j] * z[j]
            room[i] = abs(margin)
        sign = 1 if margin >= -tie[i] else -1
        if sign != signs[i]:
            signs[i] = sign
            corrections += 1
            for j in range(d):
                total[j] += 2 * sign * X[i, j]
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
