"""rSVD-GP from one start at one level, and which other levels lead to the same end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.products import product
from spcabench_methods.core.starts import multiplied
from spcabench_methods.power.relative_steps import Step, distance

RETURNED = 1e-3
"""Iterations cycle if a loading comes back closer than this share of the tolerance."""
NEAR = 0.1
"""A cardinality is near another one if it differs by no more than 1 and this share."""


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


class Stop(NamedTuple):
    """When relative steps end.

    Parameters
    ----------
    tol : float
        When the loading changes by no more.
    max_iter : int
        At the latest.
    k : int
    loose : float
        Also when the loading changes by no more than this, if it is `far` from k nonzeros.
    """

    tol: float
    max_iter: int
    k: int = 0
    loose: float = 0.0

    def far(self, w: Array, moved: float) -> bool:
        """Return whether a loading that changed by `moved` is not near k nonzeros, and settles."""
        return moved <= self.loose and bool(abs(np.count_nonzero(w) - self.k) > 1 + NEAR * self.k)


def relative_power(moments: SecondMoments, step: Step, level: float, start: Array, stop: Stop) -> Relative:
    """Repeat ``w = unit(truncate(unit(S w)))`` until w settles, or returns to where it was 1, 2, 4, ... steps ago."""
    w, z = multiplied(moments, start)
    small = compact(moments)
    past, low, high = w, 0.0, np.inf
    for n_iter in range(1, stop.max_iter + 1):
        old = w
        w, least, most = step(z, level)
        low, high = max(low, least), min(high, most)
        if not w.any():
            return Relative(Component(w, 0.0, n_iter), low, high)
        z = product(*small, w) if small else moments.matvec(w)
        moved = distance(w, old)
        converged = moved <= stop.tol
        if converged or distance(w, past) <= RETURNED * stop.tol or stop.far(w, moved):
            break
        if n_iter & (n_iter - 1) == 0:
            past = w
    return Relative(Component(w, float(w @ z), n_iter, converged), low, high)


def best_relative(ends: Sequence[Relative]) -> Relative:
    """Return the end of largest variance, with the levels that lead all starts to the same ends."""
    best = best_of([end.component for end in ends])
    return Relative(best, max(end.low for end in ends), min(end.high for end in ends))
