"""Truncations: what turns a dense vector into a sparse one.  Each writes exact zeros."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array


def soft(v: Array, threshold: float) -> Array:
    """Soft threshold: ``sign(v) max(|v| - threshold, 0)``."""
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


def hard(v: Array, threshold: float) -> Array:
    """Hard threshold: keep the entries with ``|v| > threshold``, strictly."""
    return np.where(np.abs(v) > threshold, v, 0.0)


def scad(v: Array, threshold: float, a: float = 3.7) -> Array:
    """Threshold of the smoothly clipped absolute deviation: soft for small entries, none for large ones."""
    size = np.abs(v)
    middle = ((a - 1.0) * v - np.sign(v) * a * threshold) / (a - 2.0)
    return np.where(size > a * threshold, v, np.where(size > 2.0 * threshold, middle, soft(v, threshold)))


def top_k(v: Array, k: int) -> Array:
    """Keep the `k` entries of largest magnitude, of tied ones those with the smallest index."""
    if k >= len(v):
        return v.copy()
    size = np.abs(v)
    cut = magnitude(v, k)
    keep = size > cut
    keep[np.flatnonzero(size == cut)[: k - np.count_nonzero(keep)]] = True
    return np.where(keep, v, 0.0)


def magnitude(v: Array, k: int) -> float:
    """Return the k-th largest magnitude of `v`, counted from 1; 0 past the end."""
    if k > len(v):
        return 0.0
    return float(np.partition(np.abs(v), len(v) - k)[len(v) - k])


def unit(v: Array) -> Array:
    """Scale to unit length; zero stays zero."""
    norm = math.sqrt(v @ v)
    return v / norm if norm > 0.0 else np.zeros_like(v)
