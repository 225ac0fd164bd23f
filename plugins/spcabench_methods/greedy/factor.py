"""A factor of the second moments: what searches work on that need the scores of features."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import Data, SecondMoments


def factor(moments: SecondMoments) -> Array:
    """Give A with A'A = S: the samples over sqrt(n), or as many rows as the rank of a matrix S."""
    if isinstance(moments, Data):
        return np.asarray(moments.samples(np.arange(moments.n_features)) / np.sqrt(len(moments.T)))
    values, vectors = moments.principal(moments.n_features)
    rank = np.count_nonzero(values)
    return np.asarray(np.sqrt(values[:rank, None]) * vectors[:, :rank].T)
