"""The types of arrays, the rounding errors of both precisions, ties that they must not decide, and vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Single = NDArray[np.float32]
Indices = NDArray[np.intp]

EPS = float(np.finfo(np.float64).eps)
EPS_SINGLE = float(np.finfo(np.float32).eps)

TIE = 1e-12
"""Values tie with the largest if their relative difference is below this."""


def read_only(X: NDArray[Any]) -> Array:
    """Return a view that cannot be written, so that there is one compiled form for all arrays."""
    view = X.view()
    view.flags.writeable = False
    return view


def largest(values: Array, k: int) -> Indices:
    """Return where the k largest values are, ascending; of those that tie the first."""
    if k >= len(values):
        return np.arange(len(values))
    least = np.partition(values, len(values) - k)[len(values) - k]
    (found,) = (values >= least).nonzero()
    if len(found) > k:
        tied = found[values[found] == least]
        found = np.setdiff1d(found, tied[k - len(found) :], assume_unique=True)
    return np.asarray(found)


def unit(v: Array) -> Array:
    """Scale to unit length; zero stays zero."""
    norm = math.sqrt(v @ v)
    return v / norm if norm > 0.0 else np.zeros_like(v)


def spread(values: Array, places: Indices, n: int) -> Array:
    """Return n entries, or n rows: `values` in some places, and zeros in the others."""
    found = np.zeros((n, *values.shape[1:]))
    found[places] = values
    return found


def largest_sums(values: Array, k: int) -> Array:
    """Sum the k largest along the last axis."""
    n = values.shape[-1]
    if k >= n:
        return np.asarray(values.sum(axis=-1))
    return np.asarray(np.partition(values, min(n - k, n - 1), axis=-1)[..., n - k :].sum(axis=-1))
