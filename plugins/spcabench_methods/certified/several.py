"""How far several sparse loadings together are from the best ones of their cardinalities."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spcabench_methods.certified.bounds import eigenvector_on, largest_eigenvalues, rounding, supports
from spcabench_methods.certified.certify import Certificate, certify, moments_of
from spcabench_methods.certified.joint_search import JointSearch, searchable
from spcabench_methods.certified.search import Search
from spcabench_methods.core.arrays import Array, Indices, spread
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


def split_bound(S: Array, counts: Sequence[int], value: float, n_steps: int, end: float) -> float:
    """Bound by parts: ``sum_t phi_{k_t}(S - M)`` and the sum of the r largest eigenvalues of M, for a symmetric M.

    For each M it is a bound, as loadings are k-sparse, and orthogonal.  M = 0 drops orthogonality and M = S sparsity.
    It is convex in M; four rounds of `n_steps` steps against a subgradient lead down, until the monotonic clock is past
    `end`.  The bound cannot be lower than `value`, what W reaches.
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
        values = largest_eigenvalues(T, found)
        bound, support = float(values.max()), found[int(np.argmax(values))]
    else:
        shift = max(0.0, -float(np.linalg.eigvalsh(T)[0]))
        search = Search(Gram(T + shift * np.eye(d)), k, SEARCH_TOL)
        search.run(SEARCH_NODES, math.inf)
        bound, support = search.upper_bound - shift, search.support
    return bound, spread(eigenvector_on(T, support), support, d)


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


def eigenvectors_on(S: Array, found: Indices) -> Array:
    """Return the leading eigenvector of S on each of some sets of features, in rows."""
    return np.array([spread(eigenvector_on(S, one), one, len(S)) for one in found]).reshape(len(found), len(S))


DISJOINT_STEPS = 10
"""Steps towards the bound of disjoint supports, for each step of the split: they cost far less."""


@dataclass(frozen=True, eq=False)
class JointCertificate:
    """What is proved of several loadings, the rows of W.

    Parameters
    ----------
    each : tuple of Certificate
        What is proved of each loading on its own.
    value : float
        The sum of their w'Sw.
    violation : float
        The sum of magnitudes of WW' - I.  Where it is not small, `value` may exceed the bound.
    upper_bound : float
        No orthogonal loadings with as many nonzeros, or none with disjoint supports, have a larger sum.
    bound_kind : str
        How that was proved: ``singles``, the sum of what each alone can reach; ``eigenvalues``, the sum of the largest
        ones; ``split``, a sum of two such bounds for parts of S; ``search``, such bounds for parts of the supports; or
        ``disjoint``.
    gap : float
        ``(upper_bound - value) / upper_bound``.
    certified : bool
        Whether loadings that are orthogonal, or disjoint, up to `tol` are within `tol` of the bound.
    best_value : float
        The largest sum that is known.
    best : ndarray of shape (n_components, n_features)
        Its loadings, where better ones than W are known; otherwise without rows.
    """

    each: tuple[Certificate, ...]
    value: float
    violation: float
    upper_bound: float
    bound_kind: str
    gap: float
    certified: bool
    best_value: float
    best: Array


def certify_many(
    S: Any, W: Any, *, disjoint: bool = False, tol: float = 1e-7, time_limit: float = 10.0, n_steps: int = 300
) -> JointCertificate:
    """Prove how far several loadings together are from the best ones with as many nonzeros.

    Parameters
    ----------
    S : array_like of shape (n_features, n_features) or (n_samples, n_features)
        A covariance, symmetric and positive semidefinite; or samples, which are centred, and of which X'X/n is taken.
        A square matrix is a covariance.
    W : array_like of shape (n_components, n_features)
        The loadings in rows, such as ``components_``; none is zero, and each is normalised.
    disjoint : bool, default=False
        Compare with loadings that share no feature, instead of orthogonal ones.
    tol : float, default=1e-7
        The relative gap that counts as none, at least 1e-12.
    time_limit : float, default=10.0
        Seconds for the loadings on their own, and again for the search or the split.
    n_steps : int, default=300
        Steps of the split in each of four rounds; ten times as many towards the bound of disjoint supports.

    Returns
    -------
    JointCertificate

    Raises
    ------
    ValueError
        As `certify` does, or if W is not a matrix.

    Notes
    -----
    For each symmetric M, with the largest value phi_k of k nonzeros, no orthogonal loadings exceed
    ``sum_t phi_{k_t}(S - M)`` and the sum of the r largest eigenvalues of M.  M = 0 gives ``singles``, M = S
    ``eigenvalues``; steps along a subgradient give ``split``.  If each loading has at most 300,000 supports, a branch
    and bound over them ends at the optimum, or at the time limit.  For r disjoint supports of equal cardinality, prices
    mu >= 0 of the features bound by ``r max_I [l_max(S_II) - mu(I)] + sum mu``, over all supports I, if these are at
    most 100,000.  No program prints these bounds; they were derived for this package.

    References
    ----------
    R. Cory-Wright and J. Pauphilet, Sparse PCA with multiple components, arXiv:2209.14790, 2022: the problem.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import certify_many
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> proof = certify_many(S, [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])
    >>> round(proof.value, 6), proof.gap < 0.02
    (8.0, True)
    """
    loadings = np.atleast_2d(np.asarray(W, dtype=float))
    if loadings.ndim != 2 or not loadings.size:
        raise ValueError(f"W has shape {loadings.shape}; valid is a matrix with a loading in each row")
    matrix, r = moments_of(S).S, len(loadings)
    each = tuple(certify(S, w, tol=tol, time_limit=time_limit / r) for w in loadings)
    unit = loadings / np.linalg.norm(loadings, axis=1, keepdims=True)
    value = sum(one.value for one in each)
    violation = float(np.abs(unit @ unit.T - np.eye(r)).sum())
    shared = bool((np.count_nonzero(unit, axis=0) > 1).any())
    bounds = {"singles": sum(one.upper_bound for one in each), "eigenvalues": eigenvalue_bound(matrix, r)}
    counts = [len(one.support) for one in each]
    found = Disjoint(np.inf, value if not shared else 0.0, np.empty((0, 0), dtype=np.intp))
    if disjoint and len(set(counts)) == 1:
        found = disjoint_bound(matrix, counts[0], r, found.value, DISJOINT_STEPS * n_steps)
        bounds["disjoint"] = found.bound
    feasible = not shared if disjoint else violation <= tol
    best_value, best = max(found.value, value if feasible else 0.0), eigenvectors_on(matrix, found.supports)
    if min(bounds.values()) > max(value, found.value) * (1 + tol):
        if searchable(len(matrix), counts) and not disjoint:
            search = JointSearch(matrix, counts, tol / 2, [unit.T])
            search.run(time_limit)
            bounds["search"] = search.upper_bound
            if search.value > best_value * (1 + tol):
                best_value, best = search.value, search.W.T
        else:
            end = time.monotonic() + time_limit
            bounds["split"] = split_bound(matrix, counts, max(value, found.value), n_steps, end)
    kind = min(bounds, key=lambda name: bounds[name])
    gap = (bounds[kind] - value) / bounds[kind] if bounds[kind] > 0.0 else 0.0
    return JointCertificate(
        each=each,
        value=value,
        violation=violation,
        upper_bound=bounds[kind],
        bound_kind=kind,
        gap=gap,
        certified=feasible and gap <= tol,
        best_value=best_value,
        best=best,
    )
