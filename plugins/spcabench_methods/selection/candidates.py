"""The fits among which a cardinality is chosen: one component of the data at each number of nonzeros."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, clone

from spcabench_methods.core.arrays import Array

GRID = (*range(1, 14), 15, 17, 20, 25, 30, 40)
"""The cardinalities that are tried if none are given."""

Path = Callable[[Array], Array]
"""``path(X)`` returns the loadings of one component at each cardinality, shape (n_cardinalities, n_features)."""


@dataclass(frozen=True)
class Fits:
    """Fits one component at each cardinality; called with samples, it is a `Path`.

    Parameters
    ----------
    estimator : estimator
        Its parameters ``n_components`` and ``n_nonzero`` are set.  One with the parameter ``covariance`` gets the
        second moments, computed once, where there are more samples than features.
    grid : sequence of int
        The cardinalities, rising.
    """

    estimator: BaseEstimator
    grid: Sequence[int]

    def __call__(self, X: Array) -> Array:
        """Return unit loadings, or zero, of shape (len(grid), n_features)."""
        estimator = clone(self.estimator).set_params(n_components=1)
        if len(X) > X.shape[1] and "covariance" in estimator.get_params(deep=False):
            estimator.set_params(covariance="precomputed")
            X = np.asarray(X.T @ X / len(X))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit that is kept says what is wrong with it
            return np.array([clone(estimator).set_params(n_nonzero=k).fit(X).components_[0] for k in self.grid])


def grid_of(given: Sequence[int] | None, n_features: int) -> tuple[int, ...]:
    """Return the cardinalities to choose from, rising, each once, none above the number of features."""
    wanted = GRID if given is None else given
    return tuple(sorted({min(int(k), n_features) for k in wanted}))


def variances(X: Array, W: Array) -> Array:
    """Return the variance of centred samples along each row of W, shape (len(W),)."""
    return np.asarray(np.mean((X @ W.T) ** 2, axis=0))


def without(X: Array, w: Array) -> Array:
    """Return samples without their part along a unit loading."""
    return np.asarray(X - np.outer(X @ w, w))
