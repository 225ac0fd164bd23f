"""Exchanges of single features that better a component: all of them, or those that cost little."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.base import Component
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.greedy.exchanges import swapped
from spcabench_methods.greedy.leading_pair import LeadingPair, others

PROMISING = 32
"""How many features outside a support, those with the largest entries of S w, are tried."""
WHOLE = 16
"""Up to so many nonzeros all exchanges with these are tried."""
MOST = 128
"""With more nonzeros there are no cheap exchanges."""

Polish = Callable[[SecondMoments, LeadingPair], LeadingPair]
"""``polish(moments, found)`` returns a support of as many features that explains no less."""


def polish_of(polish: bool | None, by_default: bool) -> Polish | None:
    """Return the exchanges that a parameter `polish` chooses.

    Parameters
    ----------
    polish : bool or None
        True: until no exchange of two features explains more; None: the cheap ones, if `by_default`; False: none.
    by_default : bool
    """
    if polish is None:
        return cheaply if by_default else None
    return swapped if polish else None


def polished(moments: SecondMoments, component: Component, polish: Polish | None) -> Component:
    """Return the component after the exchanges, or itself if there are none; its objective grows as its variance."""
    if polish is None or not component.loading.any():
        return component
    (support,) = component.loading.nonzero()
    if polish is cheaply and len(support) > MOST:
        return component
    found = polish(moments, LeadingPair.on(moments, support))
    weights = component.loading[support]
    gained = found.variance - float(weights @ moments.submatrix(support) @ weights)
    return component._replace(loading=found.loading(moments.n_features), objective=component.objective + gained)


def cheaply(moments: SecondMoments, found: LeadingPair) -> LeadingPair:
    """Exchange single features as long as a bound in two dimensions promises more, or, of few, any exchange does.

    A round costs O(k^3) beyond one product S w and the matrix of the k features and the promising ones.
    """
    better: LeadingPair | None = found
    while better is not None:
        found, better = better, _round(moments, better)
    return found


def _round(moments: SecondMoments, found: LeadingPair) -> LeadingPair | None:
    """Search among the features of the support and the promising ones; return what explains more, or None."""
    outside = others(moments, found.support)
    if not len(outside):
        return None
    gains = np.abs(moments.matvec(found.loading(moments.n_features))[outside])
    promising = outside[np.argpartition(-gains, PROMISING)[:PROMISING]] if len(outside) > PROMISING else outside
    pool = np.sort(np.concatenate([found.support, promising]))
    inner = Gram(moments.submatrix(pool))
    first = LeadingPair(pool.searchsorted(found.support), found.weights, found.variance)
    end = swapped(inner, first) if len(first.support) <= WHOLE else _paired(inner, first)
    return end._replace(support=pool[end.support]) if end.variance > (1.0 + TIE) * found.variance else None


def _paired(moments: Gram, found: LeadingPair) -> LeadingPair:
    """Make the exchange of largest bound, until none promises more."""
    while True:
        outside = others(moments, found.support)
        if not len(outside):
            return found
        bounds = exchange_bounds(moments.S, found, outside)
        j, i = np.unravel_index(int(bounds.argmax()), bounds.shape)
        if bounds[j, i] <= (1.0 + TIE) * found.variance:
            return found
        support = np.sort(np.append(np.delete(found.support, j), outside[i]))
        found = LeadingPair.on(moments, support)


def exchange_bounds(S: Array, found: LeadingPair, outside: Indices) -> Array:
    """Bound the largest eigenvalue from below for each feature that goes, a row, and each that comes, a column.

    It is that on the span of w without the feature that goes and the unit vector of the one that comes.
    """
    support, w, variance = found
    rows = S[support]
    left = np.maximum(1.0 - w**2, 0.0)
    scale = np.where(left > TIE, left, np.inf)
    kept = (variance * (1.0 - 2.0 * w**2) + w**2 * S[support, support]) / scale
    products = (w @ rows)[outside] - w[:, None] * rows[:, outside]
    half = 0.5 * (kept[:, None] - S[outside, outside])
    bounds = half + S[outside, outside] + np.sqrt(half**2 + products**2 / scale[:, None])
    return np.asarray(bounds)
