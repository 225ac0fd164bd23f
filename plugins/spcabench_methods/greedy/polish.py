"""Exchanges of single features that better a support: until none does, or those that cost little."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.base import Component
from spcabench_methods.core.default_starts import no_choice
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.greedy.leading_pair import LeadingPair, bordered, others

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


def first_better_swap(moments: SecondMoments, found: LeadingPair) -> LeadingPair | None:
    """Try all exchanges of one feature, in the order of their losses; return the first that explains more, or None."""
    rows, tried = np.ascontiguousarray(moments.columns(found.support).T), 0
    while True:
        tried, goes, comes = better_swap(rows, moments.diagonal, *found, tried)
        if not tried:
            return None
        better = LeadingPair.on(moments, np.sort(np.append(np.delete(found.support, goes), comes)))
        if better.variance > (1.0 + TIE) * found.variance:
            return better


@njit(cache=True, error_model="numpy")
def better_swap(
    rows: Array, variances: Array, support: Indices, weights: Array, variance: float, tried: int
) -> tuple[int, int, int]:
    """Return how many features of a support were tried as the one that goes, its place, and the feature that comes.

    Parameters
    ----------
    rows : ndarray of shape (k, n_features)
        Of S, for the support.
    variances : ndarray of shape (n_features,)
        The diagonal of S.
    support, weights, variance
        The `LeadingPair`.
    tried : int
        So many were tried before.

    Returns
    -------
    tuple of int
        Zeros if no exchange explains more.
    """
    outside = variances > 0.0
    outside[support] = False
    (candidates,) = outside.nonzero()
    bounds = exchanged(rows, variances, candidates, support, weights, variance)
    order = np.argsort(np.abs(weights), kind="mergesort")
    for place in range(tried, len(order)):
        if (bounds[order[place]] <= variance).all():
            continue
        kept = np.delete(np.arange(len(order)), order[place])
        values = variances[candidates]
        if len(kept):
            staying = rows[kept]
            spectrum, vectors = np.linalg.eigh(staying[:, support[kept]])
            values = bordered(spectrum, (staying[:, candidates].T @ vectors) ** 2, values)
        best = values.argmax()
        if values[best] > (1.0 + TIE) * variance:
            return place + 1, order[place], candidates[best]
    return 0, 0, 0


@njit(cache=True, error_model="numpy")
def exchanged(
    rows: Array, variances: Array, outside: Indices, support: Indices, weights: Array, variance: float
) -> Array:
    """Return what exceeds the eigenvalue v of a support if and only if that after an exchange does.

    If j goes and i comes it is ``S_ii + b'R b``.  R is the pseudo-inverse of ``v I - S_II``, and b is S_Ii changed at j
    such that it is orthogonal to the leading eigenvector w: ``b = S_Ii - e_j w'S_Ii / w_j``.

    Returns
    -------
    ndarray of shape (k, n_outside)
        Not a number, or infinite, where w_j or the gap to the next eigenvalue is zero.
    """
    values, vectors = np.linalg.eigh(rows[:, support])
    factor = vectors[:, :-1] / np.sqrt(np.maximum(variance - values[:-1], 0.0))
    R, B = factor @ factor.T, rows[:, outside]
    RB, products, bounds = R @ B, weights @ B, np.empty(B.shape)
    lengths = variances[outside] + (B * RB).sum(axis=0)
    for j in range(len(weights)):
        share = products / weights[j]
        bounds[j] = lengths + share * (share * R[j, j] - 2.0 * RB[j])
    return bounds
