"""Compiled exchanges of the features of a loading: the promising ones are tried, the best one is found.

There are loops over numbers only: lines on whole arrays take longer to compile than all else.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import add, inner
from spcabench_methods.joint.limited import (
    NOTHING,
    ROUNDING,
    SINGULAR,
    limited_quotient,
    orthogonal_quotient,
    product,
)
from spcabench_methods.joint.quotients import (
    ADJUSTED,
    ORTHOGONAL,
    REGRESSION,
    Parts,
    adjusted,
    products,
    quotient,
    without,
)

GOING, COMING, TRIED = 3, 8, 5
"""Exchanges of so many features of least weight with so many of largest gradient; the most promising are tried."""

SETTLED = 1.0001
"""A loading is made anew while that multiplies the criterion by more than this."""


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
    criterion: int, varying: Array, loadings: tuple[Array, Array, Array], j: int, support: Indices
) -> tuple[Indices, float, Parts]:
    """Return the support and the features of largest gradient outside it, and the quotient and its parts.

    Parameters
    ----------
    criterion : int
    varying : ndarray of shape (n_features,)
        1.0 where a feature varies, else 0.0.
    loadings : tuple of ndarray of shape (r, n_features)
        W, S W and S S W in rows.
    j : int
    support : ndarray of int
        Of loading j.
    """
    W, SW, SSW = loadings
    parts = quotient(criterion, W, SW, SSW, j)
    L, K, P, scale = parts
    d, k, w = W.shape[1], len(support), W[j]
    top, bottom = np.empty(d), np.empty(d)
    Lw, Kw, Pw = product(L, w), product(K, w), product(P, w)
    for i in range(d):
        top[i], bottom[i] = (SSW[j, i], SW[j, i]) if criterion == REGRESSION else (scale * SW[j, i], w[i])
    for m in range(len(L)):
        add(top, -Kw[m], L[m])
        add(top, -Lw[m], K[m])
    for m in range(len(P)):
        add(bottom, -Pw[m], P[m])
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
    return pool, value, parts


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
def put(
    loadings: tuple[Array, Array, Array],
    j: int,
    support: Indices,
    weights: Array,
    places: Indices,
    rows: Array,
    squares: Array,
) -> None:
    """Replace loading j in W, S W and S S W, with the rows of S and S S that have these places."""
    W, SW, SSW = loadings
    for matrix in loadings:
        add(matrix[j], -1.0, matrix[j])
    for i in range(len(support)):
        W[j, support[i]] = weights[i]
        add(SW[j], weights[i], rows[places[i]])
        if len(squares):
            add(SSW[j], weights[i], squares[places[i]])


@njit(cache=True, nogil=True, error_model="numpy")
def others(W: Array, j: int, pool: Indices, limit: float) -> tuple[Array, Array]:
    """Return the loadings but j on the features of a pool, and the limits of the magnitudes of their cosines with j."""
    V = without(W, j)
    limits = np.empty(len(V))
    for i in range(len(V)):
        limits[i] = max(abs(inner(V[i], W[j])), limit) + ROUNDING
    return V[:, pool], limits


@njit(cache=True, nogil=True, error_model="numpy")
def adjusted_with(G: Array, SW: Array, j: int, support: Indices, weights: Array, S: Array) -> float:
    """Return the sum of adjusted variances with another loading j, on whose support S is, and G = W S W' without it."""
    for i in range(len(G)):
        G[i, j] = 0.0
        for a in range(len(support)):
            G[i, j] += SW[i, support[a]] * weights[a]
        G[j, i] = G[i, j]
    G[j, j] = inner(weights, product(S, weights))
    return float(adjusted(G))


@njit(cache=True, nogil=True, error_model="numpy")
def improved(
    criterion: int,
    values: tuple[float, float, float],
    limit: float,
    loadings: tuple[Array, Array, Array],
    j: int,
    k: int,
    pool: Indices,
    places: Indices,
    rows: Array,
    squares: Array,
    parts: Parts,
) -> tuple[float, Indices, bool]:
    """Make loading j the best on its support or after a promising exchange, if that improves the criterion.

    Parameters
    ----------
    criterion : int
    values : tuple of float
        What the criterion is, what it must exceed, and the quotient of the loading.
    limit : float
        Of magnitudes of cosines, where they are not larger already.
    loadings : tuple of ndarray of shape (r, n_features)
        W, S W and S S W in rows, changed in place.
    j, k : int
        The loading and its number of features.
    pool, places : ndarray of int
        These features and those that may come, and where they are among the rows.
    rows, squares : ndarray
        Of S and S S.
    parts : tuple
        What `quotient` returned.

    Returns
    -------
    value : float
        The criterion.
    support : ndarray of int
        Of the loading.
    goes_on : bool
        Whether it is another one, or the criterion gained much.
    """
    A, M = matrices(criterion == REGRESSION, places, pool, rows, squares, parts)
    W, SW, _ = loadings
    value, best, old = values
    won, chosen = -1, np.arange(k)
    w = weights = W[:, pool[:k]][j]
    V, limits = others(W, j, pool, limit)
    G = products(W, SW) if criterion == ADJUSTED else A
    going, coming = promising(A, M, w)
    for e in range(1 + len(going)):
        inside, start = np.arange(k), w.copy()
        if e > 0:
            inside[going[e - 1]] = coming[e - 1]
            start[going[e - 1]] = 0.0
        A_in, V_in = A[inside][:, inside], V[:, inside]
        if criterion == ORTHOGONAL:
            reached, found = orthogonal_quotient(A_in, V_in)
        else:
            least = NOTHING if criterion == ADJUSTED else best - value + old
            reached, found = limited_quotient(A_in, M[inside][:, inside], V_in, limits, least, start)
        total = value - old + reached
        if criterion == ADJUSTED and reached > NOTHING:
            support = pool[inside]
            total = adjusted_with(G, SW, j, support, found, rows[places[inside]][:, support])
        if total > best:
            best, chosen, weights, won = total, inside, found, e
    support = pool[chosen]
    if won < 0:
        return value, support, False
    put(loadings, j, support, weights, places[chosen], rows, squares)
    return best, support, won > 0 or best > value * SETTLED
