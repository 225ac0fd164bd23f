"""The sum of samples turned to one side of a moving hyperplane, by plain products.

It serves samples that are neither dense rows in double precision nor copied: sparse ones, whose products cost no more
than rounding would save, and those in a mapped file with another layout or type.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.centred import Centred
from spcabench_methods.robust.signed_sum import REFRESH, TurnedSamples


class PlainSignedSum(TurnedSamples[Centred]):
    """``X' s`` with ``s_i = +1`` if ``x_i' w >= 0`` else ``-1``, for samples with implicit means.

    Parameters
    ----------
    X : Centred of shape (n_samples, n_features)
        Neither copied nor changed.
    n_components : int
        How often they can be deflated.

    Notes
    -----
    A move costs a product with X, the sum of the samples that change sides, and O(d) for each loading removed.
    """

    def __init__(self, X: Centred, n_components: int) -> None:
        super().__init__(X, X.squared_norms(), X.shape[1], n_components)
        self._room: Array = np.zeros(len(self.signs))
        self._sum: Array = np.zeros(self.n_features)
        self._corrections = math.inf

    def turn(self, w: Array) -> Array:
        """Move to the unit vector `w` and return the sum of the deflated samples."""
        margins = self._margins(self._backwards(w))
        self._w, self._room = w.copy(), np.abs(margins)
        signs = np.where(margins >= -self._tie, 1.0, -1.0)
        (changed,) = (signs != self.signs).nonzero()
        self.signs[changed] *= -1
        self._corrections += len(changed)
        if self._corrections > REFRESH * len(signs):
            self._sum = np.asarray(self.X.T @ signs)
            self._corrections = 0.0
        else:
            self._sum += self.X.sum_of_rows(changed, 2.0 * signs[changed])
        return self._forwards(self._sum)

    def _rooms(self) -> Array:
        return self._room

    def _margins(self, z: Array) -> Array:
        return np.asarray(self.X @ z)

    def _row(self, i: int) -> Array:
        return self.X.row(i)
