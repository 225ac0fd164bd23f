"""Dense principal components, which sparse ones are measured against."""

from __future__ import annotations

import numpy as np

from spcabench.specs import Array

TINY = 1e-300


def directions(X: Array, count: int) -> Array:
    """Return the leading principal directions of rows, shape (count, n_features), from the smaller Gram matrix."""
    if len(X) >= X.shape[1]:
        return np.asarray(np.linalg.eigh(X.T @ X)[1].T[::-1][:count])
    values, U = np.linalg.eigh(X @ X.T)
    scales = np.sqrt(np.maximum(values[::-1][:count], TINY))
    return np.asarray((U.T[::-1][:count] @ X) / scales[:, None])
