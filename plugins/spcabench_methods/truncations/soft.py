"""Soft thresholds: what stays is smaller by the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.truncations.contract import Threshold


def shrunk(size: Any, threshold: float) -> Any:
    """Subtract the threshold."""
    return size - threshold


def cost(w: Array, threshold: float) -> float:
    """Penalise the sum of magnitudes."""
    return threshold * float(np.abs(w).sum())


soft = Threshold(
    name="soft",
    symbol="l1",
    words="soft thresholds",
    source="Donoho, IEEE Transactions on Information Theory 41, 1995, 613-627",
    shrunk=shrunk,
    cost=cost,
    p=1.0,
    closed_gain=lambda w, threshold: float(w @ w),
)
"""``sign(v) max(|v| - threshold, 0)``."""
