"""Upper bounds of tr(W'SW) over several sparse loadings W that are orthogonal, or share no feature."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.certified.search import Search
from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.moments import Gram

MOST_EVALUATED, MOST_ENUMERATED = 5_000, 100_000
"""Up to so many supports all are evaluated in each step; up to so many, once."""

ROUNDS = ((0.5, 0.03), (0.0, 0.03), (None, 0.01), (None, 0.003))
"""A round of steps begins at this share of S, or at the best split so far, and aims this far below the best bound."""

FADING = 0.99
"""Each step aims at this share of the distance of the step before."""

SEARCH_TOL, SEARCH_NODES = 1e-6, 2_000
"""The search of a support in a step ends at this gap, or after so many nodes; its bound is valid anyway."""


def eigenvalue_bound(S: Array, r: int) -> float:
    """Return the sum of the r largest eigenvalues, which bounds tr(W'SW) for r orthogonal loadings (Ky Fan)."""
    return float(np.linalg.eigvalsh(S)[-r:].sum()) + rounding(S, r)


def rounding(S: Array, r: int) -> float:
    """Return what rounding may take from the sum of r eigenvalues."""
    return 4.0 * r * len(S) * EPS * float(np.linalg.norm(S))


def split_bound(S: Array, counts: Sequence[int], value: float, n_steps: int, end: float) -> float:
    """Bound by parts: ``sum_t phi_{k_t}(S - M)`` and the sum of the r largest eigenvalues of M, for a symmetric M.

    For each M it is a bound, as loadings are k-sparse, and orthogonal.  M = 0 drops orthogonality and M = S sparsity.
    It is convex in M; steps against a subgradient lead down.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric.
    counts : sequence of int
        The cardinality of each loading.
    value : float
        What W reaches: the bound cannot be lower.
    n_steps : int
        Steps of each of four rounds.
    end : float
        When to stop, as `time.monotonic` has it.
    """
    best, lowest = 0.5 * S, math.inf
    for share, hope in ROUNDS:
        M = best if share is None else share * S
        for n in range(n_steps):
            bound, gradient = parts(S, M, counts)
            if bound < lowest:
                best, lowest = M, bound
            aim = max(lowest * (1.0 - hope * FADING**n), value)
            length = float(np.sum(gradient**2))
            if length == 0.0 or time.monotonic() > end:
                break
            M = M - (bound - aim) / length * gradient
    return lowest


def parts(S: Array, M: Array, counts: Sequence[int]) -> tuple[float, Array]:
    """Return the bound of a split and a subgradient with respect to M."""
    r = len(counts)
    values, vectors = np.linalg.eigh(M)
    bound = float(values[-r:].sum()) + rounding(M, r) + rounding(S - M, r)
    gradient = vectors[:, -r:] @ vectors[:, -r:].T
    for k, times in Counter(counts).items():
        largest, w = sparse_eigenvalue(S - M, k)
        bound += times * largest
        gradient -= times * np.outer(w, w)
    return bound, gradient


def sparse_eigenvalue(T: Array, k: int) -> tuple[float, Array]:
    """Bound the largest eigenvalue of a symmetric matrix on k features; return a vector that comes near it too."""
    d = len(T)
    if math.comb(d, k) <= MOST_EVALUATED:
        found = supports(d, k)
        values = np.linalg.eigvalsh(T[found[:, :, None], found[:, None, :]])[:, -1]
        bound, support = float(values.max()), found[int(np.argmax(values))]
    else:
        shift = max(0.0, -float(np.linalg.eigvalsh(T)[0]))
        search = Search(Gram(T + shift * np.eye(d)), k, SEARCH_TOL)
        search.run(SEARCH_NODES, math.inf)
        bound, support = search.upper_bound - shift, search.support
    w = np.zeros(d)
    w[support] = np.linalg.eigh(T[np.ix_(support, support)])[1][:, -1]
    return bound, w


@cache
def supports(d: int, k: int) -> NDArray[np.intp]:
    """Return all sets of k of d features, in rows."""
    return np.array(list(itertools.combinations(range(d), k)), dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Disjoint:
    """What is proved of loadings that share no feature.

    Parameters
    ----------
    bound : float
        No such loadings explain more in sum; infinite if there are too many supports to evaluate them all.
    value : float
        What the best known ones explain in sum.
    supports : ndarray of int, shape (r, k)
        Their supports; empty if none are known.
    """

    bound: float
    value: float
    supports: Indices


def disjoint_bound(S: Array, k: int, r: int, value: float, n_steps: int) -> Disjoint:
    """Bound tr(W'SW) for r loadings of k features each that share none: a Lagrangian relaxation of sharing none.

    For prices mu >= 0 of the features it is ``r max_I [l_max(S_II) - mu(I)] + sum mu`` over all sets I of k features.
    The sets that are worth most at these prices, each without the features of those before, are candidates.  Steps lead
    towards `value`, what disjoint loadings are known to reach, or the best candidate.
    """
    d = len(S)
    known = Disjoint(math.inf, value, np.empty((0, k), dtype=np.intp))
    if math.comb(d, k) > MOST_ENUMERATED:
        return known
    found = supports(d, k)
    values = np.concatenate([largest_eigenvalues(S, part) for part in np.array_split(found, len(found) // 1000 + 1)])
    inside = np.zeros((len(found), d))
    np.put_along_axis(inside, found, 1.0, axis=1)
    slack, prices = rounding(S, r), np.zeros(d)
    for _ in range(n_steps):
        net = values - inside @ prices
        chosen = apart(inside, net, r)
        reached = float(values[chosen].sum())
        if len(chosen) == r and reached > known.value:
            known = replace(known, value=reached, supports=found[chosen])
        bound = float(r * net[chosen[0]] + prices.sum())
        known = replace(known, bound=min(known.bound, max(bound + slack, known.value)))
        gradient = 1.0 - r * inside[chosen[0]]
        if bound <= known.value or not gradient.any():
            break
        prices = np.maximum(prices - (bound - known.value) / float(gradient @ gradient) * gradient, 0.0)
    return known


def apart(inside: Array, net: Array, r: int) -> list[int]:
    """Choose up to r sets of largest net value, each apart from those before."""
    chosen: list[int] = []
    left = net
    while len(chosen) < r and np.isfinite(left).any():
        chosen.append(int(np.argmax(left)))
        left = np.where(inside @ inside[chosen[-1]] > 0.0, -np.inf, left)
    return chosen


def largest_eigenvalues(S: Array, found: Indices) -> Array:
    """Return the largest eigenvalue of S on each of some sets of features."""
    return np.asarray(np.linalg.eigvalsh(S[found[:, :, None], found[:, None, :]])[:, -1])
