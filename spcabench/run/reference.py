"""A tiny fixed fit, timed at the start of a run: times of two machines are compared as ratios to it."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

SHAPE = (400, 200)
STEPS = 100
KEPT = 10
REPEATS = 20


def reference_seconds() -> float:
    """Return the wall seconds of the reference fit with one thread of BLAS: the shortest of twenty.

    The fit is one component of fixed samples by a power method that keeps the ten largest entries, 100 steps: products
    of a matrix and a vector, and short calls of numpy, as most methods consist of.
    """
    samples = np.random.default_rng(0).standard_normal(SHAPE)
    with threadpool_limits(1, user_api="blas"):
        return min(_seconds(samples) for _ in range(REPEATS))


def _seconds(samples: NDArray[np.float64]) -> float:
    start = time.perf_counter()
    _fit(samples)
    return time.perf_counter() - start


def _fit(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one component with `KEPT` nonzeros, shape (n_features,)."""
    w = np.full(samples.shape[1], samples.shape[1] ** -0.5)
    for _ in range(STEPS):
        v = samples.T @ (samples @ w)
        w = np.zeros_like(v)
        largest = np.argpartition(np.abs(v), -KEPT)[-KEPT:]
        w[largest] = v[largest]
        w /= np.linalg.norm(w)
    return w
