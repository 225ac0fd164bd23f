"""Unit vectors."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array


def unit(v: Array) -> Array:
    """Scale to unit length; zero stays zero."""
    norm = math.sqrt(v @ v)
    return v / norm if norm > 0.0 else np.zeros_like(v)
