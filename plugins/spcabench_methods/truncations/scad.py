"""Thresholds of the smoothly clipped absolute deviation: soft for small entries, none for large ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.truncations.contract import Threshold

A = 3.7
"""So many thresholds from zero on entries stay as they are; the value of the paper."""


def shrunk(size: Any, threshold: float) -> Any:
    """Subtract the threshold up to twice the threshold, nothing from `A` times the threshold on, and less between."""
    between = ((A - 1.0) * size - A * threshold) / (A - 2.0)
    return np.minimum(np.maximum(size - threshold, between), size)


def cost(w: Array, threshold: float) -> float:
    """Penalise magnitudes, the less the larger, and from ``A threshold`` on no more."""
    size = np.abs(w)
    between = (2.0 * A * threshold * size - size**2 - threshold**2) / (2.0 * (A - 1.0))
    most = 0.5 * (A + 1.0) * threshold**2
    each = np.where(size <= threshold, threshold * size, np.where(size <= A * threshold, between, most))
    return float(each.sum())


scad = Threshold(
    name="scad",
    symbol="scad",
    words="thresholds of the smoothly clipped absolute deviation",
    source="Fan and Li, Journal of the American Statistical Association 96, 2001, 1348-1360",
    shrunk=shrunk,
    cost=cost,
    methods=("rsvd",),
)
