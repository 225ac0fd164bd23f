"""Second moments that compiled loops multiply: the matrix S, or few samples, for which calls would take longer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import Data, Gram, SecondMoments
from spcabench_methods.core.passes import unwritten

LARGEST = 2**17
"""More samples times features are left to BLAS."""


class Compact(NamedTuple):
    """What `product` multiplies.

    Parameters
    ----------
    A : ndarray of shape (n_features, n_features) or (n_samples, n_features)
        S, or centred samples.
    whole : bool
        Whether it is S.
    """

    A: Array
    whole: bool


def compact(moments: SecondMoments) -> Compact | None:
    """Return a matrix S, or few samples that were not deflated; None for others."""
    if isinstance(moments, Gram):
        return Compact(unwritten(moments.S), True)
    if type(moments) is Data and moments.X.size <= LARGEST and not moments.W.size:
        return Compact(unwritten(np.ascontiguousarray(moments.X)), False)
    return None
