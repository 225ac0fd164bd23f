"""Mean and second moments of weighted samples with missing values: pairwise, or by expectation maximisation."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from spcabench_methods.core.arrays import Array
from spcabench_methods.incomplete.gaussian import Gaussian


def pairwise_moments(X: Array, weights: Array) -> tuple[Array, Array]:
    """Return the mean of what is there, and the mean products over the samples that have both features.

    ``S_ij = sum_n w_n x_ni x_nj / sum_n w_n`` over the samples n that have i and j, each feature centred at its own
    mean; negative eigenvalues are set to zero.

    Raises
    ------
    ValueError
        If no sample has two of the features.
    """
    seen = (~np.isnan(X)).astype(float)
    weighted = seen * weights[:, None]
    mean = np.nansum(X * weights[:, None], axis=0) / weighted.sum(axis=0)
    centred = np.where(seen > 0, X - mean, 0.0)
    pairs = weighted.T @ seen
    if not (pairs > 0).all():
        i, j = np.argwhere(pairs == 0)[0]
        raise ValueError(f"no sample has both feature {i} and feature {j}; missing='em' needs none")
    S = (centred * weights[:, None]).T @ centred / pairs
    values, vectors = eigh(S)
    return mean, S if values[0] >= 0 else (vectors * np.maximum(values, 0.0)) @ vectors.T


def em_moments(X: Array, weights: Array, rank: int, max_iter: int, tol: float) -> tuple[Array, Array, int, bool]:
    """Return the mean and second moments by expectation maximisation, the iterations, and whether they ended.

    Each iteration takes the likeliest Gaussian model of `rank` factors and a ridge, and the moments that it expects,
    with the covariances of what is missing.  Complete samples have their own moments after one iteration.

    References
    ----------
    A. P. Dempster, N. M. Laird and D. B. Rubin, Journal of the Royal Statistical Society B 39, 1977, 1-38; J. Josse and
    F. Husson, Handling missing values in exploratory multivariate data analysis methods, Journal de la Societe
    Francaise de Statistique 153, 2012, 79-99, for the ridge.
    """
    seen = ~np.isnan(X)
    weighted = seen * weights[:, None]
    mean = np.nansum(X * weights[:, None], axis=0) / weighted.sum(axis=0)
    centred = np.where(seen, X - mean, 0.0)
    S = np.diag((weights @ centred**2) / weighted.sum(axis=0))
    for iteration in range(1, max_iter + 1):
        mean, updated = Gaussian.of(mean, S, rank).moments(X, weights)
        change, S = float(np.abs(updated - S).max()), updated
        if change <= tol * float(np.abs(S).max()):
            return mean, S, iteration, True
    return mean, S, max_iter, False
