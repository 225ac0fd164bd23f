"""Second moments of samples with missing values, under a Gaussian model of few factors or from pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.linalg import eigh

from spcabench_methods.core.arrays import EPS, Array


@dataclass(frozen=True)
class Gaussian:
    """Mean mu and covariance W W' + sigma2 I.

    Parameters
    ----------
    mean : ndarray of shape (n_features,)
    factors : ndarray of shape (n_features, rank)
        W.
    noise : float
        sigma2, positive.

    Notes
    -----
    For a sample x with the values o, and ``C = (I + W_o' W_o / sigma2)^-1``, the factors z have the mean
    ``C W_o' (x_o - mu_o) / sigma2`` and the covariance C, and what is missing has the mean ``mu_m + W_m E z`` and the
    covariance ``W_m C W_m' + sigma2 I``.

    References
    ----------
    M. E. Tipping and C. M. Bishop, Probabilistic principal component analysis, Journal of the Royal Statistical Society
    B 61, 1999, 611-622: equations (3) to (9), here for the values that are there.
    """

    mean: Array
    factors: Array
    noise: float

    @classmethod
    def of(cls, mean: Array, S: Array, rank: int) -> Self:
        """Return the likeliest one of second moments: their leading factors, the rest of the variance in the ridge."""
        d = len(S)
        rank = min(rank, d - 1)
        values, vectors = eigh(S, subset_by_index=[d - rank, d - 1]) if rank else (np.empty(0), np.empty((d, 0)))
        rest = max(float(np.trace(S) - values.sum()), 0.0) / (d - rank)
        noise = max(rest, EPS * float(np.trace(S)), np.finfo(float).tiny)
        return cls(mean, vectors * np.sqrt(np.maximum(values - noise, 0.0)), noise)

    def completed(self, X: Array) -> Array:
        """Return samples with the conditional means of what they lack (nan)."""
        return self._expected(X)[0]

    def _expected(self, X: Array) -> tuple[Array, Array]:
        """Return the completed samples, and the covariance of the factors of each: (n_samples, rank, rank)."""
        seen = ~np.isnan(X)
        rank = self.factors.shape[1]
        outer = (self.factors[:, :, None] * self.factors[:, None, :]).reshape(len(self.mean), rank * rank)
        precision = np.eye(rank) + (seen @ outer).reshape(len(X), rank, rank) / self.noise
        covariance = np.asarray(np.linalg.inv(precision), dtype=np.float64)
        centred = np.where(seen, X - self.mean, 0.0)
        factors = np.einsum("nij,nj->ni", covariance, centred @ self.factors / self.noise)
        return np.where(seen, X, self.mean + factors @ self.factors.T), covariance

    def moments(self, X: Array, weights: Array) -> tuple[Array, Array]:
        """Return the mean and the second moments that the model expects of samples, with weights that add up to 1.

        The covariances of what is missing are added: without them variances would shrink by what is missing.
        """
        whole, covariance = self._expected(X)
        mean = whole[0] + weights @ (whole - whole[0])  # exactly the constant of a constant column
        centred = np.sqrt(weights)[:, None] * (whole - mean)
        S = centred.T @ centred
        lacks = np.isnan(X)
        rows = np.flatnonzero(lacks.any(axis=1))
        if len(rows) and self.factors.shape[1]:
            roots = np.sqrt(weights[rows])[:, None, None] * np.linalg.cholesky(covariance[rows])
            spread = np.einsum("dk,nkl->nld", self.factors, roots) * lacks[rows][:, None, :]
            spread = spread.reshape(-1, len(mean))
            S += spread.T @ spread
        S[np.diag_indices_from(S)] += self.noise * (weights @ lacks)
        return mean, S


def _mean(X: Array, weighted: Array) -> Array:
    """Return the mean of what is there; of a constant column exactly the constant."""
    first = X[(weighted > 0).argmax(axis=0), np.arange(X.shape[1])]
    return np.asarray(first + np.nansum((X - first) * weighted, axis=0) / weighted.sum(axis=0))


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
    mean = _mean(X, weighted)
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
    mean = _mean(X, weighted)
    centred = np.where(seen, X - mean, 0.0)
    S = np.diag((weights @ centred**2) / weighted.sum(axis=0))
    for iteration in range(1, max_iter + 1):
        mean, updated = Gaussian.of(mean, S, rank).moments(X, weights)
        change, S = float(np.abs(updated - S).max()), updated
        if change <= tol * float(np.abs(S).max()):
            return mean, S, iteration, True
    return mean, S, max_iter, False
