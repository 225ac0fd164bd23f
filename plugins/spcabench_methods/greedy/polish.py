"""Exchanges of single features that better a support: until none does, or those that cost little."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg.lapack import dsyevd

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.base import Component
from spcabench_methods.core.default_starts import no_choice
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.greedy.leading_pair import LeadingPair, others, with_one_more

PROMISING = 32
"""How many features outside a support, those with the largest entries of S w, are tried."""
WHOLE = 16
"""Up to so many nonzeros all exchanges with these are tried."""

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
    best_alone = len(support) == 1 and bool(moments.diagonal[support] == moments.diagonal.max())
    if best_alone or (polish is cheaply and no_choice(moments.n_features, len(support))):
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


def swapped(moments: SecondMoments, found: LeadingPair) -> LeadingPair:
    """Exchange single features, each with its best substitute, until no exchange raises the eigenvalue."""
    better: LeadingPair | None = found
    while better is not None:
        found, better = better, first_better_swap(moments, better)
    return found


def exchanged(moments: SecondMoments, found: LeadingPair, outside: Indices) -> Array:
    """Return what exceeds the eigenvalue v of a support if and only if that after an exchange does.

    If j goes and i comes it is ``S_ii + b'R b``.  R is the pseudo-inverse of ``v I - S_II``, and b is S_Ii changed at j
    such that it is orthogonal to the leading eigenvector w: ``b = S_Ii - e_j w'S_Ii / w_j``.

    Returns
    -------
    ndarray of shape (k, n_outside)
        Not a number, or infinite, where w_j or the gap to the next eigenvalue is zero.
    """
    support, w, variance = found
    columns = moments.columns(support)
    values, vectors, _ = dsyevd(columns[support], lower=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        R = vectors[:, :-1] / np.maximum(variance - values[:-1], 0.0) @ vectors[:, :-1].T
        B = columns[outside]
        RB = R @ B.T
        share = (B @ w) / w[:, None]
        lengths = moments.diagonal[outside] + np.einsum("ij,ji->i", B, RB)
        return np.asarray(lengths + share * (share * R.diagonal()[:, None] - 2.0 * RB))


def first_better_swap(moments: SecondMoments, found: LeadingPair) -> LeadingPair | None:
    """Try all exchanges of one feature, in the order of their losses; return the first that explains more, or None."""
    support, weights, variance = found
    outside = others(moments, support)
    if not len(outside):
        return None
    promising = np.any(~(exchanged(moments, found, outside) <= variance), axis=1)
    for j in np.argsort(np.abs(weights), kind="stable"):
        if not promising[j]:
            continue
        rest = np.delete(support, j)
        values = with_one_more(moments, rest, outside)
        best = int(np.argmax(values))
        if values[best] > (1.0 + TIE) * variance:
            better = LeadingPair.on(moments, np.sort(np.append(rest, outside[best])))
            if better.variance > (1.0 + TIE) * variance:
                return better
    return None
