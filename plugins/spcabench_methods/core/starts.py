"""The starts of the search for a component."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.unit import unit
from spcabench_methods.truncations.top_k import top_k


def max_variance(moments: SecondMoments, k: int) -> Array:
    """Start from the feature of largest variance."""
    w = np.zeros(moments.n_features)
    w[first_largest(moments.diagonal)] = 1.0
    return w


def top_variance(moments: SecondMoments, k: int) -> Array:
    """Start from the k features of largest variance, with equal weights."""
    return unit(np.sign(top_k(moments.diagonal, k)))


def pca(moments: SecondMoments, k: int) -> Array:
    """Start from the leading eigenvector."""
    return moments.principal(1)[1][:, 0]


STARTS: Mapping[str, Callable[[SecondMoments, int], Array]] = {
    "max_variance": max_variance,
    "top_variance": top_variance,
    "pca": pca,
}
"""By name; each returns a unit vector for a component of k nonzeros."""


def multiplied(moments: SecondMoments, w: Array) -> tuple[Array, Array]:
    """Return a start w and S w; if that is zero, start from the feature of largest variance instead."""
    Sw = moments.matvec(w)
    if not Sw.any():
        w = max_variance(moments, 1)
        Sw = moments.matvec(w)
    return w, Sw
