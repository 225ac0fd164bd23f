"""A support with its leading eigenvector, which searches over supports go by, and the features outside it."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments import SecondMoments


class LeadingPair(NamedTuple):
    """A support, ascending, the leading eigenvector on it, and its eigenvalue."""

    support: Indices
    weights: Array
    variance: float

    @classmethod
    def on(cls, moments: SecondMoments, support: Indices) -> Self:
        """Find the leading eigenvector on a support of features that vary."""
        variance, weights = moments.leading_pair(support)
        return cls(support, weights, variance)

    def same(self, other: LeadingPair) -> bool:
        """Return whether the supports are the same; variances mostly show it at once."""
        return self.variance == other.variance and np.array_equal(self.support, other.support)

    def loading(self, n_features: int) -> Array:
        """Return the loading, of shape (n_features,)."""
        w = np.zeros(n_features)
        w[self.support] = self.weights
        return w


@njit(cache=True)
def ascending(support: Indices, n_features: int) -> Indices:
    """Sort features."""
    inside, m = np.zeros(n_features, np.bool_), 0
    for i in support:
        inside[i] = True
    features = np.empty(len(support), np.intp)
    for i in range(n_features):
        if inside[i]:
            features[m] = i
            m += 1
    return features


def others(moments: SecondMoments, support: Indices) -> Indices:
    """Return the varying features outside `support`."""
    outside = moments.diagonal > 0.0
    outside[support] = False
    return outside.nonzero()[0]
