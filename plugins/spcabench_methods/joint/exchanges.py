"""Compiled exchanges of the features of a loading: the promising ones are tried, the best one is found.

There are loops over numbers only: lines on whole arrays take longer to compile than all else.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner
from spcabench_methods.joint.limited import SINGULAR, limited_quotient, product
from spcabench_methods.joint.quotients import adjusted

GOING, COMING, TRIED = 3, 8, 5
"""Exchanges of so many features of least weight with so many of largest gradient; the most promising are tried."""

Parts = tuple[Array, Array, Array, float]


@njit(cache=True, nogil=True, error_model="numpy")
def foremost(values: Array, n: int) -> Indices:
    """Return where the n largest of positive values are, of those that tie the first, largest first."""
    found, m = np.empty(n, np.intp), 0
    for i in range(len(values)):
        if values[i] > 0.0 and (m < n or values[i] > values[found[m - 1]]):
            at = m if m < n else m - 1
            while at > 0 and values[i] > values[found[at - 1]]:
                found[at] = found[at - 1]
                at -= 1
            found[at] = i
            m = min(m + 1, n)
    return found[:m]


@njit(cache=True, nogil=True, error_model="numpy")
def pooled(
    regression: bool, varying: Array, w: Array, Sw: Array, SSw: Array, support: Indices, parts: Parts
) -> tuple[Indices, float]:
    """Return the support and the features of largest gradient outside it, and the quotient."""
    L, K, P, scale = parts
    d, k = len(w), len(support)
    top, bottom = np.empty(d), np.empty(d)
    Lw, Kw, Pw = product(L, w), product(K, w), product(P, w)
    for i in range(d):
        top[i], bottom[i] = (SSw[i], Sw[i]) if regression else (scale * Sw[i], w[i])
        for m in range(len(L)):
            top[i] -= Kw[m] * L[m, i] + Lw[m] * K[m, i]
        for m in range(len(P)):
            bottom[i] -= Pw[m] * P[m, i]
    length = inner(w, bottom)
    value = inner(w, top) / length if length > SINGULAR**2 else 0.0
    for i in range(d):
        top[i] = abs(top[i] - value * bottom[i]) * varying[i]
    for i in range(k):
        top[support[i]] = 0.0
    coming = foremost(top, min(COMING, d))
    pool = np.empty(k + len(coming), np.intp)
    for i in range(len(pool)):
        pool[i] = support[i] if i < k else coming[i - k]
    return pool, value


@njit(cache=True, nogil=True, error_model="numpy")
def promising(A: Array, M: Array, w: Array) -> tuple[Indices, Indices]:
    """Return the places of the features that go and that come in the most promising exchanges, largest promise first.

    The first features are those of w.  What an exchange promises is the largest quotient of the loadings in the plane
    of w without the feature that goes and the unit vector of the one that comes.
    """
    k, n = len(w), len(A)
    size = np.empty(k)
    for i in range(k):
        size[i] = 2.0 - abs(w[i])
    going = foremost(size, min(GOING, k))
    promised = np.zeros(len(going) * (n - k))
    for g in range(len(going)):
        rest = w.copy()
        rest[going[g]] = 0.0
        Ar, Mr = product(A, rest), product(M, rest)
        a, b = inner(rest, Ar[:k]), inner(rest, Mr[:k])
        for i in range(k, n):
            c, d = A[i, i], M[i, i]
            det, half = b * d - Mr[i] ** 2, 0.5 * (a * d + b * c) - Ar[i] * Mr[i]
            if det > SINGULAR * b * d:
                root = math.sqrt(max(half * half - det * (a * c - Ar[i] ** 2), 0.0))
                promised[g * (n - k) + i - k] = (half + root) / det
    coming = foremost(promised, min(TRIED, n))
    out = np.empty(len(coming), np.intp)
    for e in range(len(coming)):
        out[e], coming[e] = going[coming[e] // (n - k)], k + coming[e] % (n - k)
    return out, coming


@njit(cache=True, nogil=True, error_model="numpy")
def matrices(
    regression: bool, places: Indices, pool: Indices, rows: Array, squares: Array, parts: Parts
) -> tuple[Array, Array]:
    """Return A and M on some features, whose rows of S, and of S S, have these places."""
    L, K, P, scale = parts
    n = len(pool)
    A, M = np.empty((n, n)), np.empty((n, n))
    for a in range(n):
        for b in range(n):
            s = rows[places[a], pool[b]]
            A[a, b] = squares[places[a], pool[b]] if regression else scale * s
            M[a, b] = s if regression else (1.0 if a == b else 0.0)
            for m in range(len(L)):
                A[a, b] -= L[m, pool[a]] * K[m, pool[b]] + K[m, pool[a]] * L[m, pool[b]]
            for m in range(len(P)):
                M[a, b] -= P[m, pool[a]] * P[m, pool[b]]
    return A, M


@njit(cache=True, nogil=True, error_model="numpy")
def tried(
    A: Array, M: Array, w: Array, V: Array, limits: Array, least: float, rising: bool
) -> tuple[Indices, Array, Array]:
    """Return the best quotients on a support and after the most promising exchanges, where they exceed the least.

    Parameters
    ----------
    A, M : ndarray of shape (n, n)
        Of the support and of features that may come.
    w : ndarray of shape (k,)
        The loading on the support.
    V : ndarray of shape (r - 1, n)
        The other loadings.
    limits : ndarray of shape (r - 1,)
        Of the magnitudes of cosines with them.
    least : float
    rising : bool
        Whether a quotient must exceed those before it too.

    Returns
    -------
    places : ndarray of int, shape (m, k)
        Supports by their places among the features.
    weights : ndarray of shape (m, k)
        The best loadings there.
    reached : ndarray of shape (m,)
        Their quotients, or -inf.
    """
    going, coming = promising(A, M, w)
    k, r = len(w), len(V)
    places, weights, reached = (
        np.empty((1 + len(going), k), np.intp),
        np.zeros((1 + len(going), k)),
        np.empty(1 + len(going)),
    )
    A_in, M_in, V_in = np.empty((k, k)), np.empty((k, k)), np.empty((r, k))
    for e in range(len(places)):
        inside = places[e]
        for a in range(k):
            inside[a] = coming[e - 1] if e > 0 and going[e - 1] == a else a
            for i in range(r):
                V_in[i, a] = V[i, inside[a]]
        for a in range(k):
            for b in range(k):
                A_in[a, b], M_in[a, b] = A[inside[a], inside[b]], M[inside[a], inside[b]]
        reached[e], found = limited_quotient(A_in, M_in, V_in, limits, least)
        for a in range(k):
            weights[e, a] = found[a]
        if rising:
            least = max(least, reached[e])
    return places, weights, reached


@njit(cache=True, nogil=True, error_model="numpy")
def adjusted_with(G: Array, SW: Array, j: int, support: Indices, weights: Array, S: Array) -> float:
    """Return the sum of adjusted variances with another loading j, on whose support S is, and G = W S W' without it."""
    for i in range(len(G)):
        G[i, j] = 0.0
        for a in range(len(support)):
            G[i, j] += SW[i, support[a]] * weights[a]
        G[j, i] = G[i, j]
    G[j, j] = inner(weights, product(S, weights))
    return adjusted(G)
