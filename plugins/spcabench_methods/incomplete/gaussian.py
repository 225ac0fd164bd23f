"""A Gaussian model of a few factors and a ridge: what it expects of the values that a sample lacks."""

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
        mean = weights @ whole
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
