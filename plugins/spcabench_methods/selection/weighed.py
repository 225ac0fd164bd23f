"""Likelihood weighed with stability: an extended criterion less a multiple of the index of half-samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import betaln

from spcabench_methods.core.arrays import Array
from spcabench_methods.selection.ebic import bic

WEIGHT = 60.0
"""What a stability of 1 is worth, in the unit of the deviance; 40 to 80 do about as well on planted data."""


def weighed(
    explained: Array, total: float, grid: Sequence[int], n_samples: int, n_features: int, stabilities: Array
) -> Array:
    """Return the criterion at each cardinality; the smallest is the best.

    ``BIC(k) + 2 log C(d, k) - 60 Phi(k)``: the number of ways to choose k of d features in place of its bound in
    `spcabench_methods.selection.ebic.ebic`, which finds too few where the signal is weak, and the stability of
    `spcabench_methods.selection.stability.nogueira` against the noise that the milder term lets in.

    Parameters
    ----------
    explained, total, grid, n_samples, n_features
        As of `spcabench_methods.selection.ebic.ebic`.
    stabilities : ndarray of shape (n_cardinalities,)
        The stability at each cardinality; nan, where it is not defined, counts as the worst, -1.
    """
    d = max(n_features, 2)
    k = np.minimum(np.asarray(grid, dtype=np.float64), d)
    choices = -np.log(d + 1.0) - betaln(d - k + 1.0, k + 1.0)
    known = np.where(np.isnan(stabilities), -1.0, stabilities)
    return np.asarray(bic(explained, total, grid, n_samples, n_features) + 2 * choices - WEIGHT * known)
