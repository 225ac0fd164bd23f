"""Sums of the k largest numbers."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array


def largest_sums(values: Array, k: int) -> Array:
    """Sum the k largest along the last axis."""
    n = values.shape[-1]
    if k >= n:
        return np.asarray(values.sum(axis=-1))
    return np.asarray(np.partition(values, min(n - k, n - 1), axis=-1)[..., n - k :].sum(axis=-1))
