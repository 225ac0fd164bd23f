"""The ascent of GPower from one start with one penalty."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, spread, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner, jitable, kth_largest, product, scaled
from spcabench_methods.core.moments import SecondMoments, small
from spcabench_methods.core.searches import AT_REST, MARGIN, MAX_STEPS, threshold_for
from spcabench_methods.core.starts import first_variance
from spcabench_methods.truncations import Threshold

FEW = 128
"""Of so few features none are left out of the products."""

Truncate = Callable[[Array, float], tuple[Array, float]]
Steps = Callable[[Array, bool, Array, float, int, float, int], tuple[Array, float, int, bool]]


def penalised_ascent(
    moments: SecondMoments, penalty: Threshold, share: float, start: Array, tol: float, max_iter: int
) -> Component:
    """Repeat ``t = truncate(c)``, ``c = S t / sqrt(t'St)`` until the objective settles.

    Parameters
    ----------
    moments : SecondMoments
    penalty : Threshold
    share : float
        The threshold, as a share of the largest deviation of a feature.
    start : ndarray of shape (n_features,)
        Features that cannot enter are left out of it.
    tol : float
        Of the objective, as a share.
    max_iter : int
    """
    d, largest = moments.n_features, float(moments.diagonal.max())
    level = share * math.sqrt(largest)
    (active,) = (moments.diagonal > level * level).nonzero()
    if not len(active):
        return Component(np.zeros(d), 0.0)
    if 2 * len(active) > d or d <= FEW:  # the threshold leaves the others out too, without a copy
        start = start if len(active) == d else np.where(moments.diagonal > level * level, start, 0.0)
        return ascent(moments, penalty, level, start, tol, max_iter)
    found = ascent(moments.restricted(active), penalty, level, start[active], tol, max_iter)
    return found._replace(loading=spread(found.loading, active, d))


def ascent(
    moments: SecondMoments, penalty: Threshold, level: float, start: Array, tol: float, max_iter: int
) -> Component:
    """Ascend with the threshold `level`; a start without variance makes way for the feature of the largest."""
    w, Sw = start, moments.matvec(start)
    if float(w @ Sw) <= TIE * moments.diagonal.max():
        w = first_variance(moments, 1)
        Sw = moments.matvec(w)
    c = correlations(w, Sw)
    few = small(moments)
    if few is not None:
        return Component(*ascent_steps(penalty)(*few, c, level, 0, tol, max_iter))
    truncate, objective, converged = truncation(penalty), 0.0, False
    for n_iter in range(1, max_iter + 1):
        old, (t, objective) = objective, truncate(c, level)
        if objective <= 0.0:
            return Component(np.zeros_like(t), 0.0, n_iter)
        c = correlations(t, moments.matvec(t))
        converged = n_iter > 2 and abs(objective - old) < tol * old
        if converged:
            break
    return Component(unit(truncate(c, level)[0]), objective, n_iter, converged)


def resting_threshold(moments: SecondMoments, penalty: Threshold, k: int, start: Array) -> float:
    """Return the threshold at which the ascent comes to rest if it moves such that k nonzeros stay."""
    few = small(moments)
    if few is None:
        return threshold_for(moments, penalty, k, start, correlations)
    c = correlations(start, moments.matvec(start))
    t = ascent_steps(penalty)(*few, c, 0.0, k, AT_REST, MAX_STEPS)[0]
    return penalty.leaving(correlations(t, moments.matvec(t)), k, MARGIN)


def correlations(w: Array, Sw: Array) -> Array:
    """Return ``S w / sqrt(w'Sw)``, or zero if w has no variance."""
    variance = float(w @ Sw)
    return Sw / math.sqrt(variance) if variance > 0.0 else np.zeros_like(Sw)


@cache
def truncation(penalty: Threshold) -> Truncate:
    """Compile a threshold, which returns t and what GPower maximises, ``penalty.gain(c, t, level)``."""
    shrunk, price, weight = jitable(penalty.shrunk), jitable(penalty.price), penalty.weight

    @njit(cache=True, nogil=True, error_model="numpy")
    def truncate(c: Array, level: float) -> tuple[Array, float]:
        t, gained = np.zeros(len(c)), 0.0
        for i in range(len(c)):
            size = abs(c[i])
            if size > level:
                new = shrunk(size, level)
                gained += new * (2.0 * size - new) - price(new, level) / weight
                t[i] = math.copysign(new, c[i])
        return t, gained

    return truncate


@cache
def ascent_steps(penalty: Threshold) -> Steps:
    """Compile the steps for a threshold, with S or few samples: calls would take longer than they do.

    With a number k above 0 the level moves such that k entries stay, and the steps settle once it does.
    """
    truncate = truncation(penalty)

    @njit(cache=True, nogil=True, error_model="numpy")
    def steps(
        A: Array, whole: bool, c: Array, level: float, k: int, tol: float, max_iter: int
    ) -> tuple[Array, float, int, bool]:
        objective, n_iter, converged = 0.0, 0, False
        while True:
            if k > 0:
                last, level = level, kth_largest(np.abs(c), k + 1)
                converged = abs(level - last) <= tol * level
            t, gained = truncate(c, level)
            if converged or n_iter == max_iter:
                return scaled(t), objective, n_iter, converged
            old, objective, n_iter = objective, gained, n_iter + 1
            if objective <= 0.0:
                return np.zeros(len(c)), 0.0, n_iter, True
            c = product(A, whole, t)
            length = math.sqrt(inner(t, c))
            for i in range(len(c)):
                c[i] /= length
            converged = n_iter > 2 and k == 0 and abs(objective - old) < tol * old

    return steps
