"""Given cardinalities: the largest entries stay."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.truncations.contract import Level, Selection


def share(size: float) -> float:
    """Count an entry."""
    return 1.0


def limit(k: float, n_entries: int, squared_length: float) -> float:
    """Return how many entries go."""
    return float(max(n_entries - k, 0))


def level_of(limit: float, n_entries: int, squared_length: float) -> float:
    """Return how many entries stay."""
    return n_entries - limit


top_k = Selection(
    name="top_k",
    symbol="sp",
    words="given cardinalities",
    source="Yuan and Zhang, Journal of Machine Learning Research 14, 2013, 899-925",
    level=Level("n_nonzero", lambda n_features: math.ceil(math.sqrt(n_features))),
    share=share,
    limit=limit,
    level_of=level_of,
)
"""The k entries of largest magnitude, of tied ones those with the smallest index."""


def magnitude(v: Array, k: int) -> float:
    """Return the k-th largest magnitude of `v`, counted from 1; 0 past the end."""
    if k > len(v):
        return 0.0
    return float(np.partition(np.abs(v), len(v) - k)[len(v) - k])
