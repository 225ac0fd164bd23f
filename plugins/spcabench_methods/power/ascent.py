"""The ascent of GPower from one start with one penalty."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import TIE, Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.starts import first_variance
from spcabench_methods.core.unit import unit
from spcabench_methods.power.ascent_steps import ascent_steps, entering
from spcabench_methods.power.passed import UNSEEN, Passed
from spcabench_methods.power.span import Iterate, best_in_span
from spcabench_methods.truncations import Threshold

ALONE = 32
"""An ascent that takes more steps is slow."""


def penalised_ascent(
    moments: SecondMoments,
    penalty: Threshold,
    rho: float,
    start: Array,
    tol: float,
    max_iter: int,
    passed: Passed = UNSEEN,
    alone: int = ALONE,
) -> Component:
    """Repeat ``t = truncate(c)``, ``c = S t / sqrt(t'St)`` until the objective settles; if slow, go `farther`.

    Parameters
    ----------
    moments : SecondMoments
    penalty : Threshold
    rho : float
        The penalty, relative to the one that leaves nothing.
    start : ndarray of shape (n_features,)
        Features that cannot enter are left out of it.
    tol : float
        Of the objective, as a share.
    max_iter : int
    passed : Passed
        Takes in the limits within which the threshold may change.
    alone : int
        So many steps are made before the ascent goes farther where compiled loops make them; at least `ALONE`.
    """
    d = moments.n_features
    largest, level, n_active = entering(moments.diagonal, penalty.of_penalty(rho))
    if not n_active:
        passed.see(math.sqrt(largest), math.inf)
        return Component(np.zeros(d), 0.0)
    passed.begin(moments.diagonal, start)
    if 2 * n_active > d:  # the threshold leaves the others out too, without a copy of most features
        return ascent(moments, penalty, level, start, largest, tol, max_iter, passed, alone)
    (active,) = (moments.diagonal > level * level).nonzero()
    passed.leave_out(moments.diagonal, level)
    found = ascent(moments.restricted(active), penalty, level, start[active], largest, tol, max_iter, passed, alone)
    loading = np.zeros(d)
    loading[active] = found.loading
    return found._replace(loading=loading)


def ascent(
    moments: SecondMoments,
    penalty: Threshold,
    level: float,
    start: Array,
    largest: float,
    tol: float,
    max_iter: int,
    passed: Passed,
    alone: int,
) -> Component:
    """Ascend with the threshold `level`; `largest` is the largest variance of a feature."""
    n_iter, objective = 0, 0.0
    small = compact(moments)
    if small is not None:
        steps = ascent_steps(penalty)
        ended = steps(*small, start, largest, level, tol, min(max_iter, alone - 2))
        loading, c, objective, n_iter, converged, low, high, count = ended
        passed.compiled(n_iter, low, high, count)
        if converged:
            return Component(loading, objective, n_iter)
    if not n_iter:
        c = gradient(moments, start, largest)
    converged = False
    past: list[Iterate] = []
    while not converged and n_iter < max_iter:
        n_iter += 1
        t, old = penalty.compiled(c, level), objective
        passed.step(c, t)
        objective = penalty.gain(c, t, level)
        if objective <= 0.0:
            return Component(np.zeros_like(t), 0.0, n_iter)
        St = moments.matvec(t)
        length = math.sqrt(t @ St)
        c = St / length
        converged = n_iter > 2 and abs(objective - old) < tol * old
        if n_iter > 2:
            passed.settle(level, tol, objective, old)
        if not converged:
            past = [*past[-2:], Iterate(t / length, c)]
            if n_iter > ALONE and len(past) == 3:
                past[-1] = farther(past, penalty, level)
                c = past[-1].c
    t = penalty.compiled(c, level)
    passed.step(c, t)
    return Component(unit(t), objective, n_iter, converged)


def farther(past: Sequence[Iterate], penalty: Threshold, level: float) -> Iterate:
    """Return the best point in the span of the last three iterates; the last of them if that is no better.

    Where a threshold lets entries jump to zero, the objective has many maxima.  Then the last iterate is also returned
    as long as entries come and go, so that the ascent alone chooses the support.
    """
    last = past[-1]
    t = penalty.compiled(last.c, level)
    kept = t != 0.0
    if penalty.shrunk(level, level) > 0.0 and any(not np.array_equal(kept, one.y != 0.0) for one in past):
        return last
    found = best_in_span(last, past[-2], past[-3], t)
    if found is None:
        return last
    better = penalty.gain(found.c, penalty.compiled(found.c, level), level) > penalty.gain(last.c, t, level)
    return found if better else last


def gradient(moments: SecondMoments, w: Array, largest: float) -> Array:
    """Return ``S w / sqrt(w'Sw)`` at the start; a start without variance makes way for the feature of the largest."""
    Sw = moments.matvec(w)
    variance = float(w @ Sw)
    if variance <= TIE * largest:
        w = first_variance(moments, 1)
        Sw, variance = moments.matvec(w), largest
    return np.asarray(Sw / math.sqrt(variance))
