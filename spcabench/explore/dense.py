"""Dense principal components, which sparse ones are measured against."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from spcabench.specs import Array

TINY = 1e-300


def directions(X: Array, count: int) -> Array:
    """Return the leading principal directions of rows, shape (count, n_features), from the smaller Gram matrix."""
    tall = len(X) >= X.shape[1]
    gram = X.T @ X if tall else X @ X.T
    values, vectors = eigh(gram, subset_by_index=[max(len(gram) - count, 0), len(gram) - 1])
    found = vectors.T[::-1]
    return np.asarray(found if tall else (found @ X) / np.sqrt(np.maximum(values[::-1], TINY))[:, None])
