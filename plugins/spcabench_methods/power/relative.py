"""rSVD-GP from one start at one level, and which other levels lead to the same end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.starts import multiplied
from spcabench_methods.power.relative_steps import RETURNED, Steps


class Relative(NamedTuple):
    """The end of relative steps.

    Parameters
    ----------
    component : Component
    low, high : float
        Levels from `low` to below `high` keep the same entries in each step.
    """

    component: Component
    low: float
    high: float


def relative_power(
    moments: SecondMoments, steps: Steps, level: float, start: Array, tol: float, max_iter: int
) -> Relative:
    """Repeat ``w = unit(truncate(unit(S w)))`` until w settles, or returns to where it was 1, 2, 4, ... steps ago."""
    w, z = multiplied(moments, start)
    small = compact(moments)
    if small is not None:
        *end, low, high = steps.all(*small, w, z, level, tol, max_iter)
        return Relative(Component(*end), low, high)
    past, low, high = w, 0.0, np.inf
    for n_iter in range(1, max_iter + 1):
        old = w
        w, least, most = steps.one(z, level)
        low, high = max(low, least), min(high, most)
        if not w.any():
            return Relative(Component(w, 0.0, n_iter), low, high)
        z = moments.matvec(w)
        converged = bool(np.linalg.norm(w - old) <= tol)
        if converged or np.linalg.norm(w - past) <= RETURNED * tol:
            break
        if n_iter & (n_iter - 1) == 0:
            past = w
    return Relative(Component(w, float(w @ z), n_iter, converged), low, high)


def best_relative(ends: Sequence[Relative]) -> Relative:
    """Return the end of largest variance, with the levels that lead all starts to the same ends."""
    best = best_of([end.component for end in ends])
    return Relative(best, max(end.low for end in ends), min(end.high for end in ends))
