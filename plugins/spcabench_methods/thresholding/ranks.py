"""The features of the largest scores, where rounding must not decide."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, Indices

DIGITS = 12
"""Scores tie if they agree to so many digits, relative to the largest."""


def comparable(scores: Array) -> Array:
    """Return nonnegative scores relative to the largest, rounded."""
    return np.asarray(np.round(scores / (scores.max() or 1.0), DIGITS))


def largest(scores: Array, k: int) -> Indices:
    """Return where the k largest of nonnegative scores are, ascending; of those that tie the first."""
    return np.sort(np.argsort(-comparable(scores), kind="stable")[:k])


def undecided(scores: Array, k: int) -> bool:
    """Return whether the order of the features decides which of them are the k largest."""
    ordered = np.sort(comparable(scores))[::-1]
    return k < len(scores) and ordered[k - 1] == ordered[k] > 0.0
