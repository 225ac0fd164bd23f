"""The passes over samples of a turn, compiled.

Samples that are read in double precision are read four at a time: they are scattered over the memory, and fetching one
hides the wait for the others.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.robust.rounded import FAST


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def move(
    rows: NDArray[np.int8],
    scale: Array,
    lost: Array,
    norms: Array,
    whole: NDArray[np.int16],
    unit: float,
    length: float,
    rest: float,
    tie: Array,
    products: Array,
    blur: Array,
    signs: NDArray[np.int8],
    near: Indices,
    turned: Indices,
) -> tuple[int, int]:
    """Move by the rounded step ``unit whole``: update `products`, which are ``x_i' z`` up to `blur`, and `blur`.

    Return how many samples may lie on either side, which are written to `near`, and how many others lie on another
    side than `signs` has, which are written to `turned`.
    """
    n, d = rows.shape
    n_near, n_turned = 0, 0
    for i in range(n):
        change = np.int32(0)
        for j in range(d):
            change = np.int32(change + np.int32(rows[i, j]) * np.int32(whole[j]))
        products[i] += scale[i] * unit * change
        blur[i] += lost[i] * length + (norms[i] + lost[i]) * rest
        is_near = abs(products[i]) - blur[i] <= tie[i]
        near[n_near] = turned[n_turned] = i  # written always and counted where it holds, which needs no branch
        n_near += is_near
        n_turned += (not is_near) & ((products[i] > 0.0) != (signs[i] > 0))
    return n_near, n_turned


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def exact(X: Array, mean: Array, z: Array, which: Indices) -> Array:
    """Return the products of some centred rows with z."""
    d, m = len(z), len(which)
    products = np.empty(m)
    for q in range(0, m, 4):
        second, third, last = min(q + 1, m - 1), min(q + 2, m - 1), min(q + 3, m - 1)
        a, b, c, e = which[q], which[second], which[third], which[last]
        of_a = of_b = of_c = of_e = 0.0
        for j in range(d):
            of_a += (X[a, j] - mean[j]) * z[j]
            of_b += (X[b, j] - mean[j]) * z[j]
            of_c += (X[c, j] - mean[j]) * z[j]
            of_e += (X[e, j] - mean[j]) * z[j]
        products[q], products[second], products[third], products[last] = of_a, of_b, of_c, of_e
    return products


@numba.njit(cache=True, nogil=True)
def settle(
    products: Array,
    near: Indices,
    turned: Indices,
    n_turned: int,
    tie: Array,
    known: Array,
    blur: Array,
    signs: NDArray[np.int8],
) -> int:
    """Keep the exact `products` of the samples `near` among those `known`, and change the signs of all that turned.

    Return how many did; those of `near` are written to `turned` after the first `n_turned`.
    """
    for q, i in enumerate(near):
        known[i] = products[q]
        blur[i] = 0.0
        turned[n_turned] = i
        n_turned += (products[q] >= -tie[i]) != (signs[i] > 0)
    for i in turned[:n_turned]:
        signs[i] = -signs[i]
    return n_turned


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def add(X: Array, mean: Array, which: Indices, weights: Array, total: Array) -> None:
    """Add some centred rows, times their weights, to `total`."""
    d, m = len(total), len(which)
    for q in range(0, m - m % 4, 4):
        a, b, c, e = which[q], which[q + 1], which[q + 2], which[q + 3]
        for j in range(d):
            total[j] += (
                weights[q] * (X[a, j] - mean[j])
                + weights[q + 1] * (X[b, j] - mean[j])
                + weights[q + 2] * (X[c, j] - mean[j])
                + weights[q + 3] * (X[e, j] - mean[j])
            )
    for q in range(m - m % 4, m):
        for j in range(d):
            total[j] += weights[q] * (X[which[q], j] - mean[j])


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def projected(v: Array, loadings: Array, order: Indices) -> Array:
    """Multiply v by ``P_i = I - w_i w_i'`` for the rows w_i of `loadings`, one after another in `order`."""
    v = v.copy()
    for i in order:
        product = 0.0
        for j in range(len(v)):
            product += loadings[i, j] * v[j]
        for j in range(len(v)):
            v[j] -= product * loadings[i, j]
    return v
