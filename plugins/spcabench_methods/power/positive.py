"""The power method that keeps the largest positive entries of S w, so that no loading has a negative one."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.default_starts import axis, distant_features, leader, peak
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.truncations.top_k import top_k

DISTANT = 8
"""So many features, none among the large entries of the row of another, are starts beside a leading vector."""


def positive_starts(moments: SecondMoments, k: int) -> list[Array]:
    """Return both parts of the end of a short ascent, the feature of largest variance, and features far apart."""
    largest = axis(moments, peak(moments, moments.diagonal))
    return [*parts(leader(moments, k)), largest, *distant_features(moments, k, DISTANT)]


def parts(w: Array) -> list[Array]:
    """Return the positive part and the negative one with its sign changed, those that are not zero, unit vectors."""
    return [unit(part) for part in (np.maximum(w, 0.0), np.maximum(-w, 0.0)) if part.any()]


def positive_power(moments: SecondMoments, k: int, start: Array, tol: float, max_iter: int) -> Component:
    """Repeat ``w = unit(top_k(max(S w, 0), k))`` until w'Sw or w settles; w'Sw never decreases.

    Each step maximises the linear function below w'Sw that touches it at the last w, over unit w without negative
    entries.
    """
    w, z, variance = start, moments.matvec(start), 0.0
    for n_iter in range(1, max_iter + 1):
        old, old_variance = w, variance
        w = unit(top_k(np.maximum(z, 0.0), k))
        z = moments.matvec(w)
        variance = float(w @ z)
        if abs(variance - old_variance) <= tol * variance or np.linalg.norm(w - old) <= 1e-2 * tol:
            return Component(w, variance, n_iter)
    return Component(w, variance, max_iter, converged=False)
