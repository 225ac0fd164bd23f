"""Thresholds of the smoothly clipped absolute deviation: soft for small entries, none for large ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench_methods.truncations.contract import Threshold

A = 3.7
"""So many thresholds from zero on entries stay as they are; the value of the paper."""


def shrunk(size: Any, threshold: float) -> Any:
    """Subtract the threshold up to twice the threshold, nothing from `A` times the threshold on, and less between."""
    between = ((A - 1.0) * size - A * threshold) / (A - 2.0)
    return np.minimum(np.maximum(size - threshold, between), size)


def price(size: Any, threshold: float) -> Any:
    """Penalise magnitudes, the less the larger, and from ``A threshold`` on no more."""
    first, size = np.minimum(size, threshold), np.minimum(size, A * threshold)
    beyond = np.maximum(size - threshold, 0.0)
    return threshold * first + beyond * (threshold - 0.5 * beyond / (A - 1.0))


scad = Threshold(
    name="scad",
    symbol="scad",
    words="thresholds of the smoothly clipped absolute deviation",
    source="Fan and Li, Journal of the American Statistical Association 96, 2001, 1348-1360",
    shrunk=shrunk,
    price=price,
    methods=("rsvd",),
)
