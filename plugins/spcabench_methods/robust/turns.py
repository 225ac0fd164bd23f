"""The passes over samples of a turn, compiled.

Samples that are read in double precision are read four at a time: they are scattered over the memory, and fetching one
hides the wait for the others.  Rounded rows are asked for ahead of their turn, for the same reason.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.robust.prefetch import fetch_row
from spcabench_methods.robust.rounded import FAST, FINER, round_step

AHEAD = 8
"""So many rounded rows before it is used a row is asked for: reading them takes about a third of the time then."""


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
        fetch_row(rows, due[min(q + AHEAD, n_due - 1)])
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
    n_turned: int,
) -> tuple[int, int]:
    """Write to `near` which samples may lie on either side, and to `turned` which others lie on another than `signs`.

    Return how many are near, and how many turned with those before.
    """
    n_near = 0
    for i in which:
        is_near = abs(products[i]) - blur[i] <= tie[i]
        near[n_near] = turned[n_turned] = i  # written always and counted where it holds, which needs no branch
        n_near += is_near
        n_turned += (not is_near) & ((products[i] > 0.0) != (signs[i] > 0))
    return n_near, n_turned


@njit(cache=True, nogil=True, fastmath=FAST)
def refine(
    rows: NDArray[np.int8],
    rests: NDArray[np.int8],
    scale: Array,
    lost: Array,
    norms: Array,
    whole: NDArray[np.int16],
    unit: float,
    length: float,
    rest: float,
    which: Indices,
    products: Array,
    blur: Array,
) -> None:
    """Compute the products of some samples with the rounded direction ``unit whole`` from twice as many bits."""
    for q, i in enumerate(which):
        fetch_row(rests, which[min(q + AHEAD, len(which) - 1)])
        most, least = np.int32(0), np.int32(0)
        for j in range(len(whole)):
            most = np.int32(most + np.int32(rows[i, j]) * np.int32(whole[j]))
            least = np.int32(least + np.int32(rests[i, j]) * np.int32(whole[j]))
        products[i] = scale[i] * unit * (most + least / FINER)
        blur[i] = lost[i] * length + (norms[i] + lost[i]) * rest


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
