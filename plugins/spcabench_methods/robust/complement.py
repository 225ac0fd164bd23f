"""The orthogonal complement of the loadings that SPCAGrid has found, and the search in it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import EPS, Array, Indices, unit
from spcabench_methods.core.moments import Data
from spcabench_methods.core.starts import Starts
from spcabench_methods.robust.grid_turns import search
from spcabench_methods.robust.scales import scale_of

DIGITS = 12
"""Scales tie if they agree to so many digits, relative to the largest."""
TINY = 1e-10
"""Entries of a loading below this are rounding errors of the rotations."""


class Direction(NamedTuple):
    """A direction of large scale: its loading, its coordinates in the complement, its scale and its objective."""

    loading: Array
    coordinates: Array
    scale: float
    objective: float


class Basis(NamedTuple):
    """An orthonormal basis, as reflected unit vectors of d features: row j is ``e_i - weights_j normals``.

    This takes the memory of a few rows, not of a matrix of features by features.

    Parameters
    ----------
    origin : ndarray of int, shape (q,)
        The feature i of each row.
    weights : ndarray of shape (q, n_reflections)
    normals : ndarray of shape (n_reflections, d)
    """

    origin: Indices
    weights: Array
    normals: Array

    @classmethod
    def of(cls, features: Indices, d: int) -> Basis:
        """Return the unit vectors of some features."""
        return cls(features, np.empty((len(features), 0)), np.empty((0, d)))

    @property
    def touched(self) -> Indices:
        """The features that reflections moved, ascending."""
        return np.flatnonzero(self.normals.any(axis=0))

    @property
    def n_features(self) -> int:
        """How many features a vector of the span can have."""
        return len(np.union1d(self.origin, self.touched))

    def vector(self, a: Array) -> Array:
        """Return the vector with coordinates a."""
        w = -(a @ self.weights) @ self.normals
        w[self.origin] += a
        return np.asarray(w)

    def reflected(self, normal: Array) -> Basis:
        """Subtract from all rows twice their part along a unit vector, whose coordinates are `normal`."""
        return Basis(
            self.origin,
            np.column_stack([self.weights, 2.0 * normal]),
            np.vstack([self.normals, self.vector(normal)]),
        )

    def without(self, j: int) -> Basis:
        """Return the basis without row j."""
        return Basis(np.delete(self.origin, j), np.delete(self.weights, j, axis=0), self.normals)


class Complement:
    """The orthogonal complement of the loadings found: an orthonormal basis, and the samples in its coordinates.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    kind : int
        Which scale, of `SCALES`.
    """

    def __init__(self, X: Array, kind: int) -> None:
        self.kind = kind
        varying = np.flatnonzero(X.any(axis=0))
        self.basis = Basis.of(varying, X.shape[1])
        self.samples = np.ascontiguousarray(X.T[varying])
        self._rank()
        self.mean_square = float(self.scales @ self.scales) / X.shape[1]
        self._floor = math.sqrt(X.shape[1] * EPS * float(self.scales @ self.scales))

    @property
    def exhausted(self) -> bool:
        """Whether no coordinate has a scale."""
        return bool(self.scales.max(initial=0.0) <= self._floor)

    def _rank(self) -> None:
        """Find the scales of the coordinates and their order: by decreasing scale, and by `leading` where these tie."""
        self.scales = np.array([scale_of(y, self.kind) for y in self.samples])
        rough = np.round(self.scales / (self.scales.max(initial=0.0) or 1.0), DIGITS)
        tied = len(np.unique(rough[rough > 0.0])) < np.count_nonzero(rough)
        self.order: Indices = np.lexsort((-np.abs(self.leading()) if tied else -self.scales, -rough))

    def leading(self) -> Array:
        """Return the coordinates of the leading eigenvector of the samples about their means, or zeros if none vary."""
        return Data(self.samples.T - self.samples.mean(axis=1)).principal(1)[1][:, 0]

    def peak(self) -> Array:
        """Return the coordinates of the direction of a coordinate alone, the one of largest scale."""
        a = np.zeros(len(self.scales))
        a[self.order[0]] = 1.0
        return a

    def coordinates(self, w: Array) -> Array:
        """Return the coordinates of a vector, scaled to unit length; `peak` if it has no part in the complement."""
        a = w[self.basis.origin] - self.basis.weights @ (self.basis.normals @ w)
        return unit(a) if np.linalg.norm(a) > TINY * np.linalg.norm(w) else self.peak()

    def best(self, lam: float, first: Array, n_angles: int, n_halvings: int) -> Direction:
        """Search the best direction under a penalty, from the coordinates `first`."""
        penalty = lam * self.mean_square
        touched = self.basis.touched
        place = np.full(self.basis.normals.shape[1], -1)
        place[touched] = np.arange(len(touched))
        rows = place[self.basis.origin], self.basis.weights, np.ascontiguousarray(self.basis.normals[:, touched])
        a, scale, objective = search(self.samples, *rows, self.order, first, penalty, self.kind, n_angles, n_halvings)
        loading = self.basis.vector(a)
        loading = unit(np.where(np.abs(loading) < TINY, 0.0, loading))
        return Direction(loading, a, scale, objective)

    def remove(self, a: Array) -> None:
        """Reflect so that the first coordinate of the order becomes a, and remove that coordinate."""
        first = int(self.order[0])
        normal = -a
        normal[first] += 1.0
        if np.linalg.norm(normal) > EPS:
            normal = unit(normal)
            self.basis = self.basis.reflected(normal)
            moved = np.flatnonzero(normal)
            self.samples[moved] -= 2.0 * np.outer(normal[moved], normal @ self.samples)
        self.basis, self.samples = self.basis.without(first), np.delete(self.samples, first, axis=0)
        self._rank()


def coordinates(starts: Starts, rest: Complement, j: int) -> list[Array]:
    """Return the unit vectors of coordinates from which component j starts, counted from 0."""
    d = rest.basis.normals.shape[1]
    if starts.given is not None:
        return [rest.coordinates(starts.given[j])]
    if starts.word == "random":
        return [rest.coordinates(w) for w in starts.random.standard_normal((starts.n_init, d))]
    if starts.word == "ones":
        return [rest.coordinates(np.ones(d))]
    if starts.word == "pca":
        leading = rest.leading()
        return [leading if leading.any() else rest.peak()]
    return [rest.peak()]
