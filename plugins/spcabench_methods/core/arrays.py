"""The types of arrays, the rounding errors of both precisions, and ties that they must not decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Single = NDArray[np.float32]
Indices = NDArray[np.intp]

EPS = float(np.finfo(np.float64).eps)
EPS_SINGLE = float(np.finfo(np.float32).eps)

TIE = 1e-12
"""Values tie with the largest if their relative difference is below this."""
