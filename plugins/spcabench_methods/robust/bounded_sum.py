"""The sum of many samples turned to one side of a moving hyperplane, without reading most of the data.

Plain products take two passes over the data at each step.  Bounds make most of this work unnecessary, and the signs are
still those of exact products:

1. *Length.*  ``x_i' w`` changes at most by the length of the sample times that of the step.  A sample that was farther
   from the hyperplane when its product was last computed has its side for certain and is not read.  The last directions
   are kept for it, as the step of a sample leads from the one that its product belongs to.
2. *Movement.*  Of the others the product with the step is computed in whole numbers, with the row rounded to 8 bits and
   the step to 16: an eighth of the memory, and an error of at most the length of what rounding lost of the row times
   the length of the step.
3. *Bounds.*  These errors add up to a bound for each sample.  A sample that is farther than that from the hyperplane
   has its side for certain.
4. *Exact products* for the few that remain, after which their bound is zero again.  They are read four at a time, as
   are the samples of the next step: one scattered over the memory costs less where others are fetched meanwhile.
5. The sum is corrected by the samples that changed sides, and no others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, read_only
from spcabench_methods.robust.signed_sum import REFRESH, SignedSum
from spcabench_methods.robust.turns import add, exact, move, round_rows, sides

LARGE = 2**20
"""Samples of fewer numbers are multiplied plainly, which takes less."""

PAST, SAMPLES_EACH = 8, 256
"""The most directions that are kept, and for how many samples one: so they take little memory beside those."""

SLACK = 1e-12
"""More than rounding errors add to the squared length of a deflated sample, relative to that of the sample."""


class Rows(NamedTuple):
    """Samples as contiguous rows in double precision, which are centred when they are read.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    mean : ndarray of shape (n_features,)
    """

    X: Array
    mean: Array


class BoundedSum(SignedSum):
    """``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, for deflated samples and a unit vector w that moves.

    Parameters
    ----------
    rows : Rows
        They are neither copied nor changed.

    Notes
    -----
    A move costs O(n d) products of small whole numbers, O(d) for each direction kept, for each loading removed and for
    each sample near the hyperplane, and at worst O(n d) more.  The rounded rows take an eighth of the memory of X.
    """

    def __init__(self, rows: Rows) -> None:
        X = read_only(rows.X)
        n, d = X.shape
        self._rows, self._scale, self._lost, squares = round_rows(X, rows.mean)
        self.rows = Rows(X, rows.mean)
        self._begin(squares, d)
        n_past = 1 + min(PAST, max(1, n // SAMPLES_EACH))
        self._past, self._past_z, self._distances = np.zeros((n_past, d)), np.zeros((n_past, d)), np.zeros(n_past)
        self._products, self._blur, self._turns = np.zeros(n), np.zeros(n), np.empty(n, dtype=np.intp)
        self._all, self._near, self._turned = np.arange(n), np.empty(n + 1, dtype=int), np.empty(n + 1, dtype=int)
        self._last = 0
        self._forget()

    def _forget(self) -> None:
        """Move all samples to the zero vector, which is the last of the past directions."""
        self._products[:] = self._blur[:] = 0.0
        self._turns[:] = len(self._past) - 1
        self._reach = np.sqrt(self.squares + SLACK * self.norms**2)

    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""
        if self._corrections > REFRESH * len(self.signs):
            self._sum[:] = 0.0
            add(*self.rows, self._all, self.signs.astype(np.float64), self._sum)
            self._corrections = 0.0
        turned = self._turned_by(w, self._before(w))
        add(*self.rows, turned, np.asarray(2.0 * self.signs[turned], dtype=np.float64), self._sum)
        self._corrections += len(turned)
        self._w = w.copy()
        return self._after(self._sum)

    def _turned_by(self, w: Array, z: Array) -> Indices:
        """Move to w, which is z before deflation, and return the samples that change sides."""
        known = (self._tie, self._products, self._blur, self.signs)
        self._distances = np.sqrt(((self._past - w) ** 2).sum(axis=1))
        past = (self._last, self._past_z, self._distances, self._turns)
        near, turned = self._near, self._turned
        n_due = move(self._rows, self._scale, self._lost, self.norms, self._reach, z, *past, *known[:3], near)
        self._past[self._last], self._past_z[self._last], self._distances[self._last] = w, z, 0.0
        self._last = (self._last + 1) % (len(self._past) - 1)
        n_near, n_turned = sides(near[:n_due], *known, near, turned)
        return self._settled(near[:n_near], turned[:n_turned], exact(*self.rows, z, near[:n_near]))

    def _settled(self, near: Indices, turned: Indices, products: Array) -> Indices:
        """Keep exact products of the samples `near`, change the signs of all that turned, and return these."""
        self._products[near], self._blur[near] = products, 0.0
        others = near[(products >= -self._tie[near]) != (self.signs[near] > 0)]
        turned = np.concatenate([turned, others])
        self.signs[turned] *= -1
        return np.asarray(turned)

    def deflate(self, w: Array) -> None:
        """Remove the unit vector `w` from the samples: X becomes ``X (I - w w')``."""
        margins = exact(*self.rows, self._before(w), self._all)
        self.squares = np.maximum(self.squares - margins**2, 0.0)
        self._remove(w)
        self._forget()

    def row(self, i: int) -> Array:
        """Return one deflated sample."""
        return self._after(self.rows.X[i] - self.rows.mean)

    def _rooms(self) -> Array:
        moved = self._reach * self._distances[self._turns]
        return np.asarray(np.abs(self._products) - self._blur - moved)


def is_double_rows(X: Any) -> bool:
    """Return whether X is an array of contiguous rows in double precision, which are read where they are."""
    return type(X) is np.ndarray and X.dtype == np.float64 and bool(X.flags.c_contiguous)
