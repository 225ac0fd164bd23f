"""Half thresholds, of the penalty ``|w|^(1/2)``: entries jump from zero to two thirds of the threshold."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench_methods.truncations.contract import Threshold


def shrunk(size: Any, threshold: float) -> Any:
    """Return the larger root u of ``u + lambda/2 u^(-1/2) = size``, lambda that of the threshold."""
    ratio = size / threshold
    angle = np.arccos(np.sqrt(0.5) * ratio**-1.5)
    return 2.0 / 3.0 * size * (1.0 + np.cos(2.0 / 3.0 * (np.pi - angle)))


def price(size: Any, threshold: float) -> Any:
    """Penalise the sum of the roots of magnitudes, by the lambda that makes them jump at the threshold."""
    return (2.0 / 3.0 * threshold) ** 1.5 * np.sqrt(size)


half = Threshold(
    name="half",
    symbol="half",
    words="half thresholds",
    source="Xu, Chang, Xu and Zhang, IEEE Transactions on Neural Networks and Learning Systems 23, 2012, 1013-1027",
    shrunk=shrunk,
    price=price,
    p=0.5,
    methods=(),
)
