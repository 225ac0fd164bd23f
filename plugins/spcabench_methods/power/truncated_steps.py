"""The steps of the truncated power method, compiled: on few features calls would take longer."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.core.largest_entries import largest
from spcabench_methods.core.products import product


@njit(cache=True, nogil=True)
def truncated_steps(
    A: Array, whole: bool, z: Array, w: Array, k: int, tol: float, max_iter: int
) -> tuple[Array, float, int, bool]:
    """Repeat ``w = unit(top_k(S w, k))`` until w'Sw or w settles.

    Parameters
    ----------
    A, whole
        See `Compact`.
    z, w : ndarray of shape (n_features,)
        S times the start, and the start.
    k : int
        The nonzeros.
    tol : float
        Of w'Sw, as a share; a hundredth of it is that of w.
    max_iter : int

    Returns
    -------
    w, w'Sw, how many steps, and whether they settled.
    """
    d = len(z)
    support, variance = np.empty(k if k < d else d, np.intp), -np.inf
    for n_iter in range(1, max_iter + 1):
        largest(z, support)
        old, w = w, truncated(z, support)
        z = product(A, whole, w)
        old_variance, variance = variance, 0.0
        for i in support:
            variance += w[i] * z[i]
        moved = 0.0
        for j in range(d):
            moved += (w[j] - old[j]) * (w[j] - old[j])
        if abs(variance - old_variance) < tol * variance or math.sqrt(moved) <= 1e-2 * tol:
            return w, variance, n_iter, True
    return w, variance, max_iter, False


@njit(cache=True)
def unit_top(z: Array, k: int) -> Array:
    """Return the k largest entries of z, scaled to unit length."""
    support = np.empty(k if k < len(z) else len(z), np.intp)
    largest(z, support)
    return truncated(z, support)


@njit(cache=True)
def truncated(z: Array, support: Indices) -> Array:
    """Return z on a support, scaled to unit length."""
    w, length = np.empty(len(z)), 0.0
    for i in range(len(z)):
        w[i] = 0.0
    for i in support:
        length += z[i] * z[i]
    length = math.sqrt(length)
    for i in support:
        w[i] = z[i] / length if length > 0.0 else 0.0
    return w
