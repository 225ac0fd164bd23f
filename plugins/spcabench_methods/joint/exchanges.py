"""Compiled exchanges of features: the promising ones, and the best loadings on supports, by small eigenproblems."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner, scaled
from spcabench_methods.joint.quotients import (
    ADJUSTED,
    ORTHOGONAL,
    REGRESSION,
    SINGULAR,
    adjusted,
    inverse_root,
    spectrum,
)

GOING, COMING, TRIED = 3, 8, 5
"""Exchanges of so many features of least weight with so many of largest gradient; the most promising are tried."""

MILDEST, HARDEST, HALVINGS = -3.0, 3.0, 7
"""Powers of ten between which a penalty on cosines lies, as a share of the largest eigenvalue."""

ROUNDING = 1e-9
"""A cosine may exceed its limit by this."""

LEAST = 1e-10
"""A step must add more than this share of the value."""

MOST_STEPS = 1000
"""The most steps of a loading in a sweep; sums that rounding lifts would never end."""

NOTHING = -math.inf


@njit(cache=True, nogil=True)
def congruent(T: Array, A: Array) -> Array:
    """Return T'AT."""
    found = np.empty((T.shape[1], T.shape[1]))
    for m in range(T.shape[1]):
        AT = product_of(A, T[:, m])
        for i in range(T.shape[1]):
            found[i, m] = inner(T[:, i], AT)
    return found


@njit(cache=True, nogil=True)
def product_of(A: Array, w: Array) -> Array:
    """Return A w."""
    found = np.empty(len(A))
    for i in range(len(A)):
        found[i] = inner(A[i], w)
    return found


@njit(cache=True, nogil=True)
def largest_quotient(A: Array, M: Array) -> tuple[float, Array]:
    """Return the largest w'Aw / w'Mw and its unit w."""
    T = inverse_root(M)
    if not T.shape[1]:
        return NOTHING, np.zeros(len(A))
    values, vectors = spectrum(congruent(T, A))
    return values[-1], scaled(product_of(T, vectors[:, -1]))


@njit(cache=True, nogil=True)
def orthogonal_quotient(A: Array, M: Array, V: Array) -> tuple[float, Array]:
    """Return the largest w'Aw / w'Mw and its unit w among those orthogonal to the columns of V."""
    if not V.shape[1]:
        return largest_quotient(A, M)
    left, sizes, _ = np.linalg.svd(V)
    first = 0
    while first < len(sizes) and sizes[first] > ROUNDING * max(sizes[0], ROUNDING):
        first += 1
    free = np.ascontiguousarray(left[:, first:])
    if not free.shape[1]:
        return NOTHING, np.zeros(len(A))
    value, w = largest_quotient(congruent(free, A), congruent(free, M))
    return value, product_of(free, w)


@njit(cache=True, nogil=True)
def within(w: Array, V: Array, limits: Array) -> bool:
    """Return whether no cosine with a column of V exceeds its limit."""
    inside = True
    for i in range(len(limits)):
        inside = inside and abs(inner(w, V[:, i])) <= limits[i]
    return inside


@njit(cache=True, nogil=True)
def block(A: Array, rows: Indices, columns: Indices) -> Array:
    """Return some rows and columns of a matrix."""
    found = np.empty((len(rows), len(columns)))
    for i in range(len(rows)):
        for j in range(len(columns)):
            found[i, j] = A[rows[i], columns[j]]
    return found


@njit(cache=True, nogil=True)
def limited_quotient(
    A: Array, M: Array, V: Array, limits: Array, least: float, orthogonal: bool
) -> tuple[float, Array]:
    """Return the largest w'Aw / w'Mw and its unit w, whose cosines with the columns of V are limited.

    One that is too near is penalised for the squares of its cosines, as little as will do.  Where nothing does, or the
    quotient is no more than `least` anyway, it is -inf.
    """
    if orthogonal:
        return orthogonal_quotient(A, M, V)
    T = inverse_root(M)
    if not T.shape[1]:
        return NOTHING, np.zeros(len(A))
    B = congruent(T, A)
    values, vectors = spectrum(B)
    w = scaled(product_of(T, vectors[:, -1]))
    top = values[-1]
    if top <= least:
        return NOTHING, w
    if within(w, V, limits):
        return top, w
    most = limits.min()
    near = np.empty((V.shape[1], T.shape[1]))
    for i in range(len(near)):
        near[i] = product_of(T.T, V[:, i]) * (most / limits[i])
    C = congruent(near, np.eye(len(near)))
    best, low, high = NOTHING, MILDEST, HARDEST
    for _ in range(HALVINGS):
        exponent = 0.5 * (low + high)
        penalty = top * 10.0**exponent
        bounds, inside = spectrum(B - penalty * C)
        if bounds[-1] + penalty * len(limits) * most**2 <= least:  # nothing within the limits exceeds that
            return NOTHING, w
        penalised = scaled(product_of(T, inside[:, -1]))
        if within(penalised, V, limits):
            high, value = exponent, inner(inside[:, -1], product_of(B, inside[:, -1]))
            if value > best:
                best, w = value, penalised
        else:
            low = exponent
    return best, w


@njit(cache=True, nogil=True)
def promises(A: Array, M: Array, w: Array) -> tuple[Indices, Array]:
    """Return the features of w that may go, and what the exchange of each with each that may come promises.

    The first k features of A and M are those of w.  What an exchange promises is the largest quotient of the loadings
    in the plane of w without the feature that goes and the unit vector of the one that comes.
    """
    k, n = len(w), len(A)
    going = np.argsort(np.abs(w), kind="mergesort")[:GOING]
    found = np.zeros((len(going), n - k))
    for g in range(len(going)):
        rest = w.copy()
        rest[going[g]] = 0.0
        Ar, Mr = product_of(A[:, :k], rest), product_of(M[:, :k], rest)
        a, b = inner(rest, Ar[:k]), inner(rest, Mr[:k])
        for i in range(k, n):
            c, d = A[i, i], M[i, i]
            det, half = b * d - Mr[i] ** 2, 0.5 * (a * d + b * c) - Ar[i] * Mr[i]
            if det > SINGULAR * b * d:
                found[g, i - k] = (half + math.sqrt(max(half * half - det * (a * c - Ar[i] ** 2), 0.0))) / det
    return going, found


@njit(cache=True, nogil=True)
def foremost(values: Array, n: int) -> Indices:
    """Return where the n largest of positive values are, of those that tie the first, largest first."""
    found, m = np.empty(n, np.intp), 0
    for i in range(len(values)):
        if values[i] > 0.0 and (m < n or values[i] > values[found[m - 1]]):
            at = m if m < n else m - 1
            while at > 0 and values[i] > values[found[at - 1]]:
                if at < n:
                    found[at] = found[at - 1]
                at -= 1
            found[at] = i
            m = min(m + 1, n)
    return found[:m]


@njit(cache=True, nogil=True)
def pooled(
    criterion: int,
    varying: Array,
    w: Array,
    Sw: Array,
    SSw: Array,
    support: Indices,
    parts: tuple[Array, Array, Array, float],
) -> tuple[Indices, float]:
    """Return the support and the features of largest gradient outside it, and the quotient."""
    L, K, P, scale = parts
    bottom = (Sw if criterion == REGRESSION else w) - (P @ w) @ P
    top = scale * (SSw if criterion == REGRESSION else Sw) - (K @ w) @ L - (L @ w) @ K
    length = inner(w, bottom)
    value = inner(w, top) / length if length > SINGULAR**2 else 0.0
    gains = np.abs(top - value * bottom) * varying
    gains[support] = 0.0
    return np.concatenate((support, foremost(gains, COMING))), value


@njit(cache=True, nogil=True)
def places_of(A: Array, M: Array, w: Array) -> Indices:
    """Return supports by their places in A and M, in rows: that of w, and the most promising exchanges."""
    going, promised = promises(A, M, w)
    order = foremost(promised.ravel(), TRIED)
    places = np.empty((1 + len(order), len(w)), np.intp)
    for tried in range(len(places)):
        places[tried] = np.arange(len(w))
        if tried > 0:
            g, i = divmod(order[tried - 1], promised.shape[1])
            places[tried, going[g]] = len(w) + i
    return places


@njit(cache=True, nogil=True)
def adjusted_with(W: Array, SW: Array, j: int, support: Indices, weights: Array, S: Array) -> float:
    """Return the sum of adjusted variances with another loading j, S on its support."""
    G = W @ SW.T
    for i in range(len(W)):
        G[i, j] = 0.0
        for m in range(len(support)):
            G[i, j] += SW[i, support[m]] * weights[m]
        G[j, i] = G[i, j]
    G[j, j] = inner(weights, S @ weights)
    return adjusted(G)


@njit(cache=True, nogil=True)
def limits_of(W: Array, j: int, limit: float) -> Array:
    """Return what the magnitudes of the cosines of loading j with the others may not exceed."""
    limits = np.empty(len(W) - 1)
    for i in range(len(W) - 1):
        limits[i] = max(abs(inner(W[j], W[i + (i >= j)])), limit) + ROUNDING
    return limits


@njit(cache=True, nogil=True)
def combined(rows: Array, places: Indices, weights: Array) -> Array:
    """Return the sum of some rows with weights."""
    total = np.zeros(rows.shape[1])
    for i in range(len(places)):
        total += weights[i] * rows[places[i]]
    return total


@njit(cache=True, nogil=True)
def ascended(
    criterion: int,
    parts: tuple[Array, Array, Array, float],
    table: tuple[Array, Array, Indices, Array],
    state: tuple[Array, Array, Array],
    j: int,
    support: Indices,
    limit: float,
    value: float,
    least: float,
) -> tuple[float, bool, Indices]:
    """Make loading j the best on its support, then exchange features; return the criterion, and whether none gains.

    The state and the support are changed in place.  For "adjusted" one step is made, as its quotient changes.  Where
    rows of S are wanting it ends, and returns their features.

    Parameters
    ----------
    criterion : int
    parts : tuple
        The quotient.
    table : tuple of ndarray
        Rows of S, and for "regression" of S S; the place of each feature in them, or -1; 1 where it varies, else 0.
    state : tuple of ndarray
        W, SW, SSW, a loading a row.
    j : int
    support : ndarray of shape (n_nonzero,)
    limit : float
        Of cosines.
    value : float
        The criterion so far.
    least : float
        A step must add more than this share.
    """
    (rows, squares, slot, varying), (W, SW, SSW), regression = table, state, criterion == REGRESSION
    L, K, P, scale = parts
    every, none, w = np.arange(len(L) + len(P) + len(W)), np.empty(0, np.intp), W[j]
    others = np.array([i for i in range(len(W)) if i != j], dtype=np.intp)
    for _ in range(1 if criterion == ADJUSTED else MOST_STEPS):
        pool, old = pooled(criterion, varying, w, SW[j], SSW[j], support, parts)
        places = slot[pool]
        wanting = pool[places < 0]
        if len(wanting):
            return value, False, wanting
        S, Lp, Pp = block(rows, places, pool), block(L, every[: len(L)], pool), block(P, every[: len(P)], pool)
        half = Lp.T @ block(K, every[: len(K)], pool)
        A = (block(squares, places, pool) if regression else scale * S) - half - half.T
        M = (S if regression else np.eye(len(pool))) - Pp.T @ Pp
        limits = limits_of(W, j, limit)
        best, chosen, weights = value * (1.0 + least), support, w[support]
        for inside in places_of(A, M, weights):
            A_in, M_in, V_in = block(A, inside, inside), block(M, inside, inside), block(W.T, pool[inside], others)
            floor = NOTHING if criterion == ADJUSTED else best - value + old
            reached, found = limited_quotient(A_in, M_in, V_in, limits, floor, criterion == ORTHOGONAL)
            if reached == NOTHING:
                continue
            total = value - old + reached
            if criterion == ADJUSTED:
                total = adjusted_with(W, SW, j, pool[inside], found, block(S, inside, inside))
            if total > best:
                best, chosen, weights = total, pool[inside], found
        if best <= value * (1.0 + least):
            return value, True, none
        value = best
        support[:], w[:] = chosen, 0.0
        w[support] = weights
        SW[j] = combined(rows, slot[support], weights)
        if regression:
            SSW[j] = combined(squares, slot[support], weights)
    return value, criterion != ADJUSTED, none
