"""The index of sparseness: explained variance times the share of zeros."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.explained import adjusted_variances


def index_of_sparseness(X: Array, W: Array) -> float:
    """Return the index of loadings; larger is better.

    ``(V_a V_s / V_o^2) (zeros / (d r))``: V_a is the adjusted variance of the r components, V_s the sum of the
    variances of their scores, V_o the variance of as many principal components.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    W : ndarray of shape (n_features, n_components)
        Unit columns.

    References
    ----------
    N. T. Trendafilov, From simple structure to sparse components: a review, Computational Statistics 29, 2014, 431-454.
    """
    scores = X @ W
    S = scores.T @ scores / len(X)
    values = np.linalg.svd(X, compute_uv=False)[: W.shape[1]] ** 2 / len(X)
    dense = float(values.sum()) ** 2
    return float(adjusted_variances(S).sum() * np.trace(S) / dense * np.mean(W == 0)) if dense else 0.0
