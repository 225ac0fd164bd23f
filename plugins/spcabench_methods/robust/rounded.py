"""Rows rounded to 8 bits or to twice as many, and steps rounded to 16, with what rounding loses of them.

The product of a row and a step is that of the rounded ones, in whole numbers, up to the length of what is lost of the
row times the length of the step, and the length of the row times that of what is lost of the step.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit

LEVELS = 2**7 - 1
"""The largest entry of a rounded row."""

FINER = 2 * LEVELS
"""What is left of a row is at most half of its unit, so the unit of what is left is this many times smaller."""

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
def round_rows(X: Array, mean: Array, rests: NDArray[np.int8]) -> tuple[NDArray[np.int8], Array, Array, Array, Array]:
    """Write centred rows as ``x_i = scale_i row_i + e_i`` and ``e_i = scale_i / FINER rest_i + f_i`` in whole numbers.

    They are at most `LEVELS`.  The rests are written to `rests`, over each other if it has a single row.  Return rows,
    scales, ``||e_i||``, ``||f_i||`` and ``||x_i||^2``.
    """
    n, d = X.shape
    rows = np.zeros((n, d), dtype=np.int8)
    scale, lost, lost_of_both, squares = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for i in range(n):
        largest = 0.0
        for j in range(d):
            x = X[i, j] - mean[j]
            largest = max(largest, abs(x))
            squares[i] += x * x
        scale[i] = largest / LEVELS
        if scale[i] > 0.0:
            finer, place = scale[i] / FINER, i % len(rests)
            for j in range(d):
                x = X[i, j] - mean[j]
                whole = np.rint(x / scale[i])
                left = x - scale[i] * whole
                rest = np.rint(left / finer)
                rows[i, j], rests[place, j] = np.int8(whole), np.int8(rest)
                lost[i] += left * left
                lost_of_both[i] += (left - finer * rest) ** 2
            lost[i], lost_of_both[i] = np.sqrt(lost[i]), np.sqrt(lost_of_both[i])
    return rows, scale, lost, lost_of_both, squares
