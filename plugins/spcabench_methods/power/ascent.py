"""The ascent of GPower from one start with one penalty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import TIE, first_largest
from spcabench_methods.core.unit import unit
from spcabench_methods.power.span import Iterate, best_in_span
from spcabench_methods.truncations import Threshold

ALONE = 32
"""An ascent that takes more steps is slow."""


def penalised_ascent(
    moments: SecondMoments, penalty: Threshold, rho: float, start: Array, tol: float, max_iter: int
) -> Component:
    """Repeat ``t = truncate(c)``, ``c = S t / sqrt(t'St)`` until the objective settles; if slow, go `farther`."""
    deviations = np.sqrt(moments.diagonal)
    level = penalty.of_penalty(rho) * float(deviations.max())
    active = np.flatnonzero(deviations > level)
    if not active.size:
        return Component(np.zeros(moments.n_features), 0.0)
    if 2 * active.size > moments.n_features:  # the threshold leaves the others out too, without a copy of most features
        active = np.arange(moments.n_features)
    inner = moments.restricted(active)
    c = gradient(inner, start[active], deviations[active])
    past: list[Iterate] = []
    objective = 0.0
    converged = False
    for n_iter in range(1, max_iter + 1):
        t, old = penalty.compiled(c, level), objective
        objective = penalty.gain(c, t, level)
        if objective <= 0.0:
            return Component(np.zeros(moments.n_features), 0.0, n_iter)
        St = inner.matvec(t)
        length = np.sqrt(t @ St)
        c = St / length
        converged = n_iter > 2 and abs(objective - old) < tol * old
        if converged:
            break
        past = [*past[-2:], Iterate(t / length, c)]
        if n_iter > ALONE:
            past[-1] = farther(past, penalty, level)
            c = past[-1].c
    loading = np.zeros(moments.n_features)
    loading[active] = unit(penalty.compiled(c, level))
    return Component(loading, objective, n_iter, converged)


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


def gradient(moments: SecondMoments, w: Array, deviations: Array) -> Array:
    """Return ``S w / sqrt(w'Sw)`` at the start; a start without variance makes way for the feature of the largest."""
    (support,) = w.nonzero()
    if len(support) != 1:
        Sw = moments.matvec(w)
        variance = float(w @ Sw)
        if variance > TIE * float(deviations.max()) ** 2:
            return np.asarray(Sw / np.sqrt(variance))
    if len(support) != 1 or deviations[support[0]] == 0:
        support = np.array([first_largest(deviations)])
    return np.asarray(moments.columns(support)[:, 0] / deviations[support[0]])
