"""The extended Bayesian information criterion of the model with one spike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import EPS, Array


def ebic(explained: Array, total: float, grid: Sequence[int], n_samples: int, n_features: int) -> Array:
    """Return the criterion at each cardinality; the smallest is the best.

    ``n [log f_k + (d - 1) log((T - f_k)/(d - 1))] + k log n + 2 k log d``, with f_k the variance at k nonzeros and T
    the total variance.  The last term pays for choosing k of d features.

    Parameters
    ----------
    explained : ndarray of shape (n_cardinalities,)
        The variances f_k.
    total : float
        The total variance T.
    grid : sequence of int
        The cardinalities k.
    n_samples, n_features : int
        The numbers n and d; of component j it is d - j + 1.

    References
    ----------
    J. Chen and Z. Chen, Extended Bayesian information criteria for model selection with large model spaces, Biometrika
    95, 2008, 759-771; the likelihood is that of Tipping and Bishop 1999 with one component.
    """
    k = np.asarray(grid, dtype=np.float64)
    return np.asarray(bic(explained, total, grid, n_samples, n_features) + 2 * k * np.log(max(n_features, 2)))


def bic(explained: Array, total: float, grid: Sequence[int], n_samples: int, n_features: int) -> Array:
    """Return the criterion of `ebic` without its last term, which pays for the choice of features."""
    k = np.asarray(grid, dtype=np.float64)
    d = max(n_features, 2)
    floor = EPS * total or 1.0
    rest = np.maximum(total - explained, floor) / (d - 1)
    fit = n_samples * (np.log(np.maximum(explained, floor)) + (d - 1) * np.log(rest))
    return np.asarray(fit + k * np.log(n_samples))
