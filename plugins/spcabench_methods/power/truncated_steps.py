"""The steps of the truncated power method with a matrix, compiled: on few features calls would take longer."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import Array, Indices


@njit(cache=True)
def truncated_steps(S: Array, z: Array, w: Array, k: int, tol: float, max_iter: int) -> tuple[Array, float, int, bool]:
    """Repeat ``w = unit(top_k(S w, k))`` until w'Sw or w settles.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric.
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
    support = np.empty(min(k, d), np.intp)
    variance = -np.inf
    for n_iter in range(1, max_iter + 1):
        largest(z, support)
        old, w = w, truncated(z, support)
        z = product(S, w, support)
        old_variance, variance = variance, 0.0
        for i in support:
            variance += w[i] * z[i]
        moved = 0.0
        for j in range(d):
            moved += (w[j] - old[j]) ** 2
        if abs(variance - old_variance) < tol * variance or math.sqrt(moved) <= 1e-2 * tol:
            return w, variance, n_iter, True
    return w, variance, max_iter, False


@njit(cache=True)
def unit_top(z: Array, k: int) -> Array:
    """Return the k largest entries of z, scaled to unit length."""
    support = np.empty(min(k, len(z)), np.intp)
    largest(z, support)
    return truncated(z, support)


@njit(cache=True)
def truncated(z: Array, support: Indices) -> Array:
    """Return z on a support, scaled to unit length."""
    w, length = np.zeros(len(z)), 0.0
    for i in support:
        length += z[i] * z[i]
    if length > 0.0:
        length = math.sqrt(length)
        for i in support:
            w[i] = z[i] / length
    return w


@njit(cache=True)
def product(S: Array, w: Array, support: Indices) -> Array:
    """Return S w from the rows of S in the support of w."""
    z = np.zeros(len(w))
    for i in support:
        row, weight = S[i], w[i]
        for j in range(len(z)):
            z[j] += weight * row[j]
    return z


@njit(cache=True)
def largest(v: Array, heap: Indices) -> None:
    """Fill `heap` with the entries of largest magnitude, the smallest of these first; of tied ones the first stay."""
    k = len(heap)
    for i in range(k):
        heap[i] = i
    for top in range(k // 2 - 1, -1, -1):
        sift(v, heap, top)
    for i in range(k, len(v)):
        if abs(v[i]) > abs(v[heap[0]]):
            heap[0] = i
            sift(v, heap, 0)


@njit(cache=True)
def sift(v: Array, heap: Indices, top: int) -> None:
    """Move the entry at `top` down until those below it are not smaller; of tied ones the last is the smallest."""
    child = 2 * top + 1
    while child < len(heap):
        if child + 1 < len(heap) and smaller(v, heap[child + 1], heap[child]):
            child += 1
        if not smaller(v, heap[child], heap[top]):
            break
        heap[top], heap[child] = heap[child], heap[top]
        top, child = child, 2 * child + 1


@njit(cache=True)
def smaller(v: Array, i: int, j: int) -> bool:
    """Return whether entry i goes before entry j."""
    return abs(v[i]) < abs(v[j]) or (abs(v[i]) == abs(v[j]) and i > j)
