"""Samples that lack values, as the second moments that a model expects of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

MAX_ITER, TOL = 1000, 1e-5
"""Iterations end when no second moment changes by more than this share of the largest."""


@dataclass(frozen=True)
class Expected:
    """The second moments about the mean, shape (n_features, n_features), and whether the iterations converged."""

    covariance: Matrix
    converged: bool


def expected_moments(X: Matrix, factors: int) -> Expected:
    """Return the second moments that `MomentSPCA` estimates by expectation maximisation.

    The model has one variance of noise for all features.  So they are divided by their standard deviations first, those
    of the values that are there, and the moments are multiplied by them: the unit of a feature changes nothing else.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        nan is a missing value; each sample and each feature has a value.
    factors : int
        Of the Gaussian model.
    """
    from spcabench_methods.incomplete.moments import em_moments

    scale = np.nanstd(X, axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    scaled = (X - np.nanmean(X, axis=0)) / scale
    _, S, _, converged = em_moments(scaled, np.full(len(X), 1.0 / len(X)), factors, MAX_ITER, TOL)
    return Expected(S * np.outer(scale, scale), converged)
