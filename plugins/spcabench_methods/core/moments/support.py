"""Where loadings are not zero."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, Indices

SPARSE = 0.25
"""For a vector with a smaller share of nonzeros only the rows in its support are multiplied."""


SEVERAL = 4
"""Copying columns of samples for a single vector pays at shares so many times smaller, for so many vectors as above."""


def sparse_support(w: Array, few: int, share: float = SPARSE) -> Indices | None:
    """Return where a vector, or any column of a matrix, is not zero; None if that is no small share of many features.

    Parameters
    ----------
    w : ndarray of shape (n_features,) or (n_features, r)
    few : int
        How many features are not many.
    share : float, default=SPARSE
        What is no longer small.
    """
    if len(w) <= few:
        return None
    (support,) = np.nonzero(w if w.ndim == 1 else w.any(axis=1))
    return support if len(support) < share * len(w) else None
