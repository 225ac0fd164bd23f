"""Hard thresholds: what stays is as it was."""

from __future__ import annotations

import math
from typing import Any

from spcabench_methods.truncations.contract import Threshold


def shrunk(size: Any, threshold: float) -> Any:
    """Leave a magnitude as it is."""
    return size


def price(size: Any, threshold: float) -> Any:
    """Penalise the number of nonzeros."""
    return threshold**2


hard = Threshold(
    name="hard",
    symbol="l0",
    words="hard thresholds",
    source="Donoho and Johnstone, Biometrika 81, 1994, 425-455",
    shrunk=shrunk,
    price=price,
    weight=1.0,
    p=0.0,
    of_penalty=math.sqrt,
    to_penalty=lambda threshold: threshold**2,
)
"""The entries with ``|v| > threshold``, strictly; the penalty on a nonzero is the square of the threshold."""
