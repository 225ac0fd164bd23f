"""Search the one penalty that all components share, for a wanted number of nonzeros over all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench.calibrate import search_penalty
from spcabench.specs import Knob

GROWTH = 4.0
MOST_STEPS = 40


@dataclass(frozen=True)
class Found:
    """An estimator that was fitted at the penalty found, in the form of one that searched inside its ``fit``."""

    calibrated_params_: dict[str, float]
    n_fits_: int


def total_target(n_nonzero: int | Sequence[int], n_components: int, n_features: int) -> int:
    """Return the nonzeros wanted over all components."""
    return int(np.minimum(np.broadcast_to(n_nonzero, n_components), n_features).sum())


def search_joint(fit: Callable[[float], Any], knob: Knob, target: int) -> Found:
    """Search a joint penalty.

    Parameters
    ----------
    fit : callable
        ``fit(penalty)`` returns a fitted estimator.
    knob : Knob
        The parameter and the bounds of its values; the upper one may be infinite.
    target : int
        The wanted number of nonzeros of all components together.

    Returns
    -------
    Found
        The penalty whose fit reaches the target, or comes nearest to it from below.
    """
    fits = 0

    def nonzeros(penalty: float) -> tuple[int, None]:
        nonlocal fits
        fits += 1
        return int(np.count_nonzero(fit(penalty).components_)), None

    low, high = knob.low, knob.high
    if math.isinf(high):
        high = low + 1.0
        for _ in range(MOST_STEPS):
            if nonzeros(high)[0] <= target:
                break
            low, high = high, high * GROWTH
    calibration = search_penalty(nonzeros, low, high, target)
    return Found({knob.parameter: calibration.penalty}, fits)
