"""The passes over samples of a turn, compiled.

Samples that are read in double precision are read four at a time: they are scattered over the memory, and fetching one
hides the wait for the others.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit

LEVELS = 2**7 - 1
"""The largest entry of a rounded row."""

PEAK = 2**15 - 1
"""The largest entry of a rounded step; less if sums could exceed 2**31."""

DRIFT = 1e-15
"""More than rounding errors of double precision add to a product with a step, relative to the norm of the sample."""

FAST = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, fastmath=FAST | {"nnan"})
def round_step(step: Array, whole: NDArray[np.int16]) -> tuple[float, float, float]:
    """Write a vector as ``unit whole + e``, with numbers so small that products with rounded rows stay below 2**31.

    Return the unit, the length of the vector, and at least ``||e||`` and what double precision loses.
    """
    d = len(step)
    square, largest, lost = 0.0, 0.0, 0.0
    for j in range(d):
        square += step[j] * step[j]
        largest = max(largest, abs(step[j]))
    length, root = math.sqrt(square), math.sqrt(d)
    longest = max(2**31 / (LEVELS * root) - root, 1.0)  # rounding adds at most sqrt(d) / 2 to the length
    unit = max(largest / PEAK, length / longest) or 1.0
    inverse = 1.0 / unit
    for j in range(d):
        nearest = np.rint(step[j] * inverse)
        whole[j] = np.int16(nearest)
        lost += (step[j] - unit * nearest) ** 2
    return unit, length, math.sqrt(lost) + DRIFT


@njit(cache=True, nogil=True, fastmath=FAST)
def round_rows(X: Array, mean: Array) -> tuple[NDArray[np.int8], Array, Array, Array]:
    """Write centred rows as ``x_i = scale_i row_i + e_i`` in whole numbers of at most `LEVELS`.

    Return rows, scales, ``||e_i||`` and ``||x_i||^2``.
    """
    n, d = X.shape
    rows = np.zeros((n, d), dtype=np.int8)
    scale, lost, squares = np.zeros(n), np.zeros(n), np.zeros(n)
    for i in range(n):
        largest = 0.0
        for j in range(d):
            x = X[i, j] - mean[j]
            largest = max(largest, abs(x))
            squares[i] += x * x
        scale[i] = largest / LEVELS
        if scale[i] > 0.0:
            for j in range(d):
                x = X[i, j] - mean[j]
                whole = np.rint(x / scale[i])
                rows[i, j] = np.int8(whole)
                lost[i] += (x - scale[i] * whole) ** 2
            lost[i] = np.sqrt(lost[i])
    return rows, scale, lost, squares


@njit(cache=True, nogil=True, fastmath=FAST)
def move(
    rows: NDArray[np.int8],
    scale: Array,
    lost: Array,
    norms: Array,
    reach: Array,
    z: Array,
    last: int,
    past_z: Array,
    distances: Array,
    turns: Indices,
    tie: Array,
    products: Array,
    blur: Array,
    due: Indices,
) -> int:
    """Move the samples that may lie on another side by now to z, in the place `last` of the past directions.

    Sample i has the product `products[i]`, up to `blur[i]`, with ``past_z[turns[i]]``, which is z for a direction
    ``distances[turns[i]]`` away.  It moves by a rounded step from there, or from zero if that is nearer.  So do those
    whose direction is in the `last` place.

    Return how many samples moved, which are written to `due`.
    """
    n, d = past_z.shape
    kept, unit, length, rest = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for s in range(n):
        kept[s] = -1.0
    n_due = 0
    for i in range(len(turns)):
        room = abs(products[i]) - blur[i] - tie[i]
        due[n_due] = i
        n_due += (room <= reach[i] * distances[turns[i]]) | (turns[i] == last)
    whole, step = np.empty((n, d), np.int16), np.empty(d)
    for q in range(n_due):
        i = due[q]
        s = turns[i]
        if kept[s] < 0.0:
            nearer = 0.0
            for j in range(d):
                step[j] = z[j] - past_z[s, j]
                nearer += z[j] * z[j] - step[j] * step[j]
            kept[s] = 1.0 if nearer > 0.0 else 0.0
            unit[s], length[s], rest[s] = round_step(step if nearer > 0.0 else z, whole[s])
        change = np.int32(0)
        for j in range(d):
            change = np.int32(change + np.int32(rows[i, j]) * np.int32(whole[s, j]))
        products[i] = kept[s] * products[i] + scale[i] * unit[s] * change
        blur[i] = kept[s] * blur[i] + lost[i] * length[s] + (norms[i] + lost[i]) * rest[s]
        turns[i] = last
    return n_due


@njit(cache=True, nogil=True)
def sides(
    which: Indices,
    tie: Array,
    products: Array,
    blur: Array,
    signs: NDArray[np.int8],
    near: Indices,
    turned: Indices,
) -> tuple[int, int]:
    """Write to `near` which samples may lie on either side, and to `turned` which others lie on another than `signs`.

    Return how many are near, and how many turned.
    """
    n_near, n_turned = 0, 0
    for i in which:
        is_near = abs(products[i]) - blur[i] <= tie[i]
        near[n_near] = turned[n_turned] = i  # written always and counted where it holds, which needs no branch
        n_near += is_near
        n_turned += (not is_near) & ((products[i] > 0.0) != (signs[i] > 0))
    return n_near, n_turned


@njit(cache=True, nogil=True, fastmath=FAST)
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


@njit(cache=True, nogil=True, fastmath=FAST)
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
