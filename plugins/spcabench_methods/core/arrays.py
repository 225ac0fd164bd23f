"""The types of arrays, the rounding error of double precision, and ties that it must not decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

EPS = float(np.finfo(np.float64).eps)

TIE = 1e-12
"""Values tie with the largest if their relative difference is below this."""
