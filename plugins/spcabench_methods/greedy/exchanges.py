"""Searches from a support to better ones of as many features: splicing, and exchanges of single features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dsyevd

from spcabench_methods.core.arrays import TIE, Array, Indices, read_only
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.greedy.leading_pair import LeadingPair, ascending, others
from spcabench_methods.greedy.neighbours import with_one_more


class Spliced(NamedTuple):
    """The result of rounds of exchanges, and how many there were."""

    found: LeadingPair
    n_iter: int
    converged: bool


def best_end(moments: SecondMoments, starts: Sequence[Indices], max_exchange: int, max_iter: int) -> Spliced:
    """Splice from each start; return the result of largest variance, the first of those that tie up to rounding.

    The final support of an earlier start is not searched again.  The result counts as converged only if all starts
    converged: one whose rounds ran out might have become the best.
    """
    best = splice(moments, starts[0], max_exchange, max_iter)
    converged = best.converged
    for start in starts[1:]:
        end = splice(moments, start, max_exchange, max_iter, best.found)
        converged = converged and end.converged
        if end.found.variance > (1.0 + TIE) * best.found.variance:
            best = end
    return best._replace(converged=converged)


def splice(
    moments: SecondMoments, support: Indices, max_exchange: int, max_iter: int, end: LeadingPair | None = None
) -> Spliced:
    """Exchange features until no exchange raises the largest eigenvalue, or the support is that of a known `end`."""
    found = LeadingPair.on(moments, support)
    for n_iter in range(1, max_iter + 1):
        better = None if end and found.same(end) else first_better_exchange(moments, found, max_exchange)
        if better is None:
            return Spliced(found, n_iter, True)
        found = better
    return Spliced(found, max_iter, False)


def first_better_exchange(moments: SecondMoments, found: LeadingPair, m: int) -> LeadingPair | None:
    """Exchange m, m/2, ..., 1 features; return the first result that explains more, or None."""
    Sw = moments.matvec(found.loading(moments.n_features))
    kept, promising = ranked(found.support, found.weights, found.variance, Sw, moments.diagonal)
    m = min(m, len(kept), len(promising))
    while m := next_exchange(moments, kept, promising, m, found.variance):
        better = LeadingPair.on(moments, after_exchange(kept, promising, m, moments.n_features))
        if better.variance > (1.0 + TIE) * found.variance:
            return better
        m //= 2
    return None


@njit(cache=True)
def after_exchange(kept: Indices, promising: Indices, m: int, n_features: int) -> Indices:
    """Return the support, ascending, with the last m of its features exchanged for the first m promising ones."""
    trial = kept.copy()
    trial[len(kept) - m :] = promising[:m]
    return ascending(trial, n_features)


def next_exchange(moments: SecondMoments, kept: Indices, promising: Indices, m: int, variance: float) -> int:
    """Return the first of m, m/2, ..., 1 exchanges after which the largest eigenvalue may exceed `variance`, or 0."""
    if not m or not isinstance(moments, Gram):
        return m
    return int(hopeful(read_only(moments.S), kept, promising, m, variance))


@njit(cache=True)
def hopeful(S: Array, kept: Indices, promising: Indices, m: int, variance: float) -> int:
    """Return the same for the matrix S: its norm on a support bounds its largest eigenvalue there."""
    while m and squared_norm(S, after_exchange(kept, promising, m, len(S))) <= variance * variance:
        m //= 2
    return m


@njit(cache=True)
def squared_norm(S: Array, support: Indices) -> float:
    """Return the sum of the squares of the entries of S on a support."""
    total = 0.0
    for i in support:
        for j in support:
            total += S[i, j] ** 2
    return total


@njit(cache=True)
def ranked(support: Indices, weights: Array, variance: float, Sw: Array, diagonal: Array) -> tuple[Indices, Indices]:
    """Sort a support by the loss from removing each feature, and the other varying features by their promised gain.

    Both are in descending order; ties are in the order of the indices.
    """
    outside = diagonal > 0.0
    outside[support] = False
    others = np.flatnonzero(outside)
    losses = weights**2 * (2.0 * variance - diagonal[support])
    kept = support[np.argsort(-losses, kind="mergesort")]
    return kept, others[np.argsort(-np.abs(Sw[others]), kind="mergesort")]


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
    columns = np.ascontiguousarray(moments.columns(found.support))
    values, vectors, unsettled = dsyevd(columns[found.support], lower=1)
    if unsettled:
        values, vectors = np.linalg.eigh(columns[found.support])
    reached, R = np.empty((len(values), len(outside))), np.zeros(vectors.shape)
    _exchange(
        columns,
        np.ascontiguousarray(vectors),
        values,
        found.weights,
        found.variance,
        moments.diagonal,
        outside,
        R,
        reached,
    )
    return reached


@njit(cache=True, error_model="numpy")
def _exchange(
    columns: Array,
    vectors: Array,
    values: Array,
    w: Array,
    variance: float,
    diagonal: Array,
    outside: Indices,
    R: Array,
    reached: Array,
) -> None:
    k = len(w)
    for m in range(k - 1):
        gap = variance - values[m] if variance > values[m] else 0.0
        for j in range(k):
            for i in range(k):
                R[j, i] += vectors[j, m] * vectors[i, m] / gap
    for i in range(len(outside)):
        b, along, length = columns[outside[i]], 0.0, 0.0
        for j in range(k):
            along += w[j] * b[j]
            reached[j, i] = 0.0
            for m in range(k):
                reached[j, i] += R[j, m] * b[m]
            length += b[j] * reached[j, i]
        for j in range(k):
            share = along / w[j]
            reached[j, i] = diagonal[outside[i]] + length + share * (share * R[j, j] - 2.0 * reached[j, i])


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
