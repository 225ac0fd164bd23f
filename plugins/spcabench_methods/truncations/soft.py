"""Soft thresholds: what stays is smaller by the threshold."""

from __future__ import annotations

from typing import Any

from spcabench_methods.truncations.contract import Threshold


def shrunk(size: Any, threshold: float) -> Any:
    """Subtract the threshold."""
    return size - threshold


def price(size: Any, threshold: float) -> Any:
    """Penalise the sum of magnitudes."""
    return threshold * size


soft = Threshold(
    name="soft",
    symbol="l1",
    words="soft thresholds",
    source="Donoho, IEEE Transactions on Information Theory 41, 1995, 613-627",
    shrunk=shrunk,
    price=price,
    p=1.0,
)
"""``sign(v) max(|v| - threshold, 0)``."""
