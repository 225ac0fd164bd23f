"""The sign of a loading, and ties that rounding must not decide."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array

TIE = 1e-12
"""Values tie with the largest if their relative difference is below this."""


def first_largest(values: Array) -> int:
    """Return the index of the largest of nonnegative `values`, the first of those that tie up to rounding."""
    return int((values >= (1.0 - TIE) * values.max()).argmax())


def positive_peak(loading: Array) -> Array:
    """Return `loading` or its negative: its entry of largest magnitude (the first on ties) is positive."""
    return 0.0 - loading if loading[first_largest(np.abs(loading))] < 0 else loading
