"""Rows rounded to 8 bits and steps rounded to 16, with what rounding loses of them.

The product of a row and a step is that of the rounded ones, in whole numbers, up to the length of what is lost of the
row times the length of the step, and the length of the row times that of what is lost of the step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array

LEVELS = 2**7 - 1
"""The largest entry of a rounded row."""

PEAK = 2**15 - 1
"""The largest entry of a rounded step; less if sums could exceed 2**31."""

DRIFT = 1e-15
"""More than rounding errors of double precision add to a product with a step, relative to the norm of the sample."""

FAST = {"reassoc", "contract", "nsz"}


class RoundedStep(NamedTuple):
    """A vector as ``unit whole + e``.

    Parameters
    ----------
    whole : ndarray of int16, shape (n_features,)
    unit : float
    length : float
        Of the vector.
    lost : float
        At least ``||e||``, and what double precision loses.
    """

    whole: NDArray[np.int16]
    unit: float
    length: float
    lost: float


def rounded_step(step: Array) -> RoundedStep:
    """Round a vector to whole numbers so small that their products with rounded rows stay below 2**31."""
    length, root = math.sqrt(step @ step), math.sqrt(len(step))
    longest = max(2**31 / (LEVELS * root) - root, 1.0)  # rounding adds at most sqrt(d) / 2 to the length
    unit = max(float(np.abs(step).max()) / PEAK, length / longest) or 1.0
    whole = np.rint(step / unit)
    rest = step - unit * whole
    return RoundedStep(whole.astype(np.int16), unit, length, math.sqrt(rest @ rest) + DRIFT)


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def round_rows(X: Array, mean: Array) -> tuple[NDArray[np.int8], Array, Array, Array]:
    """Write centred rows as ``x_i = scale_i row_i + e_i`` with whole numbers up to `LEVELS`.

    Return rows, scales, ``||e_i||`` and ``||x_i||^2``.
    """
    n, d = X.shape
    rows, scale, lost, squares = np.zeros((n, d), dtype=np.int8), np.zeros(n), np.zeros(n), np.zeros(n)
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
