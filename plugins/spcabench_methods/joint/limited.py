"""The best loading on a support, its cosines with others limited, by small eigenproblems; compiled.

There are loops over numbers only: lines on whole arrays take longer to compile than all else.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import add, inner

SINGULAR = 1e-8
"""Directions in which the denominator of a quotient is less than this share of its largest value are left out."""

DEFINITE = 1e-4
"""A matrix whose pivots exceed this share of its diagonal is far from singular."""

MILDEST, HARDEST, HALVINGS = -3.0, 3.0, 7
"""Powers of ten between which a penalty on cosines lies, as a share of the largest eigenvalue; how many are tried."""

UNEVEN, NEAR = 0.1, 0.999
"""The next one divides these no more unevenly; a cosine that has so large a share of its limit is near enough."""

ROUNDING = 1e-9
"""A cosine may exceed its limit by this."""

TIED, ROUNDED, MOST_SOLUTIONS = 1e-10, 2.0**-51, 40
"""Eigenvalues that differ by no more than this share are one; the residual, as a share, of an eigenvector that is exact
but for rounding; the most solutions of equations for one."""

NOTHING = -math.inf


@njit(cache=True, nogil=True)
def spectrum(A: Array) -> tuple[Array, Array]:
    """Return the eigenvalues of a symmetric matrix, ascending, and its eigenvectors in rows."""
    values, vectors = np.linalg.eigh(A)
    return values, vectors.T


@njit(cache=True, nogil=True, error_model="numpy")
def triangle(G: Array, least: float) -> tuple[Array, bool]:
    """Return L with LL' = G, and whether there is one whose pivots exceed a share of the diagonal."""
    L = np.zeros(G.shape)
    for i in range(len(G)):
        for j in range(i + 1):
            left = G[i, j] - inner(L[i, :j], L[j, :j])
            if i > j:
                L[i, j] = left / L[j, j]
            elif left > least * G[i, i]:
                L[i, i] = math.sqrt(left)
            else:
                return L, False
    return L, True


@njit(cache=True, nogil=True, error_model="numpy")
def inverse_root(G: Array) -> Array:
    """Return T with T'GT = I on the span of a semidefinite matrix G, as many columns as its rank."""
    n, first = len(G), 0
    L, definite = triangle(G, DEFINITE)
    if definite:
        T = np.zeros((n, n))
        for j in range(n):
            T[j, j] = 1.0 / L[j, j]
            for i in range(j + 1, n):
                T[j, i] = -inner(L[i, j:i], T[j, j:i]) / L[i, i]
        return T
    values, vectors = spectrum(G)
    while first < n and values[first] <= SINGULAR * max(values[n - 1], SINGULAR):
        first += 1
    T = np.empty((n, n - first))
    for i in range(n):
        for m in range(first, n):
            T[i, m - first] = vectors[m, i] / math.sqrt(values[m])
    return T


@njit(cache=True, nogil=True, error_model="numpy")
def product(A: Array, w: Array) -> Array:
    """Return A w."""
    found = np.empty(len(A))
    for i in range(len(A)):
        found[i] = inner(A[i, : len(w)], w)
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def combined(T: Array, V: Array) -> Array:
    """Return T'V."""
    found = np.zeros((T.shape[1], V.shape[1]))
    for m in range(len(found)):
        for i in range(len(V)):
            add(found[m], T[i, m], V[i])
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def congruent(T: Array, A: Array) -> Array:
    """Return T'AT, symmetric to the last bit."""
    found = combined(T, combined(A, T))
    for i in range(len(found)):
        for j in range(i):
            found[j, i] = found[i, j]
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def leading(A: Array, M: Array, start: Array) -> tuple[float, Array]:
    """Return the largest w'Aw / w'Mw, A not zero, M definite, and its w with w'Mw = 1; all of them would take longer.

    Iterate with the inverse of ``s M - A``, s a little larger than the quotient: where that is definite no quotient is
    larger than s.  Where it is not, w may be near another eigenvector, and is moved.
    """
    w, high = start.copy(), np.inf
    size, length = math.sqrt(inner(A.ravel(), A.ravel())), math.sqrt(inner(M.ravel(), M.ravel()))
    for _ in range(MOST_SOLUTIONS):
        Mw = product(M, w)
        root = math.sqrt(inner(w, Mw))
        for a in range(len(w)):
            w[a], Mw[a] = w[a] / root, Mw[a] / root
        rest = product(A, w)
        value = inner(w, rest)
        add(rest, -value, Mw)
        residual, wide = math.sqrt(inner(rest, rest)), math.sqrt(inner(w, w))
        scale = wide * (size + abs(value) * length)
        step = max(residual * wide, 0.5 * TIED * wide * scale)
        settled = residual <= ROUNDED * scale
        if settled and high - value <= TIED * wide * scale:
            return value, w
        L, definite = triangle(mixed(value + step, M, -1.0, A), 0.0)
        while not definite and step < np.inf:
            for a in range(len(w)):
                Mw[a] += (residual / size + TIED) / (a + 1.5)
            step *= 4.0
            L, definite = triangle(mixed(value + step, M, -1.0, A), 0.0)
        high = value + step
        w = solve(L, Mw)
    T = inverse_root(M)
    values, vectors = spectrum(congruent(T, A))
    return values[-1], product(T, vectors[-1])


@njit(cache=True, nogil=True, error_model="numpy")
def mixed(s: float, M: Array, t: float, A: Array) -> Array:
    """Return s M + t A."""
    B = np.empty(A.shape)
    for a in range(len(A)):
        for b in range(len(A)):
            B[a, b] = s * M[a, b] + t * A[a, b]
    return B


@njit(cache=True, nogil=True, error_model="numpy")
def solve(L: Array, w: Array) -> Array:
    """Solve LL'v = w, in place."""
    for a in range(len(w)):
        w[a] = (w[a] - inner(L[a, :a], w[:a])) / L[a, a]
    for a in range(len(w) - 1, -1, -1):
        w[a] /= L[a, a]
        for b in range(a):
            w[b] -= L[a, b] * w[a]
    return w


@njit(cache=True, nogil=True, error_model="numpy")
def lifted(T: Array, v: Array, V: Array, limits: Array) -> tuple[Array, float]:
    """Return T v, scaled, and the largest share that its cosines with the rows of V have of their limits."""
    w, share = product(T, v), 0.0
    length = math.sqrt(inner(w, w))
    for i in range(len(w)):
        w[i] /= length
    for i in range(len(limits)):
        share = max(share, abs(inner(V[i], w)) / limits[i])
    return w, share


@njit(cache=True, nogil=True, error_model="numpy")
def limited_quotient(A: Array, M: Array, V: Array, limits: Array, least: float, w: Array) -> tuple[float, Array]:
    """Return the largest w'Aw / w'Mw and its unit w, whose cosines with the rows of V are limited.

    Where that is no more than `least`, it is -inf.  The search begins at a given w.
    """
    if triangle(mixed(least, M, -1.0, A), 0.0)[1]:  # no quotient exceeds it
        return NOTHING, w
    T, v = np.eye(len(A)), product(A, w)
    if not triangle(M, DEFINITE)[1]:
        T = inverse_root(M)
        A, M, v = congruent(T, A), np.eye(T.shape[1]), np.zeros(T.shape[1])
    if not inner(v, v) > 0.0:
        for a in range(len(v)):
            v[a] = A[a, a]
    if not inner(v, v) > 0.0:
        return NOTHING, w
    top, v = leading(A, M, v)
    w, share = lifted(T, v, V, limits)
    if share <= 1.0 or top <= least:
        return top if top > least else NOTHING, w
    return penalised_quotient(T, A, M, v, share, V, limits, least)


@njit(cache=True, nogil=True, error_model="numpy")
def penalised_quotient(
    T: Array, A: Array, M: Array, v: Array, over: float, V: Array, limits: Array, least: float
) -> tuple[float, Array]:
    """Return the largest v'Av / v'Mv and T v, which is penalised for its cosines as little as will do.

    Without a penalty it is that of the given v, whose cosines are up to so many times `over` their limits.  Where
    nothing will do, or the quotient is no more than `least` anyway, it is -inf.
    """
    k, most, top, over, under = len(T), np.inf, inner(v, product(A, v)), math.log(over), 0.0
    best, found, low, high = NOTHING, np.zeros(k), MILDEST, HARDEST
    near = np.zeros((k, k))
    for i in range(len(V)):
        most = min(most, limits[i])
        for a in range(k):
            for b in range(k):
                near[a, b] += V[i, a] * V[i, b] / limits[i] ** 2
    near = congruent(T, near)
    for _ in range(HALVINGS):
        part = min(max(over / (over - under), UNEVEN), 1.0 - UNEVEN) if under < 0.0 else 0.5
        exponent = low + part * (high - low)
        penalty = top * 10.0**exponent * most**2
        value, v = leading(mixed(-penalty, near, 1.0, A), M, v)
        if value + penalty * len(V) <= least:  # nothing within the limits exceeds that
            return NOTHING, found
        w, share = lifted(T, v, V, limits)
        if share > 1.0:
            low, over = exponent, math.log(share)
            continue
        high, under, value = exponent, math.log(max(share, 1e-9)), inner(v, product(A, v))
        if value > best:
            best, found = value, w
        if share > NEAR:
            break
    return best, found


@njit(cache=True, nogil=True, error_model="numpy")
def orthogonal_quotient(A: Array, V: Array) -> tuple[float, Array]:
    """Return the largest w'Aw of a unit w that is orthogonal to the rows of V, and w."""
    k, m = len(A), 0
    free = np.eye(k)
    if len(V):
        _, sizes, right = np.linalg.svd(V)
        while m < len(sizes) and sizes[m] > ROUNDING * max(sizes[0], ROUNDING):
            m += 1
        free = right[m:].T.copy()
    if m == k:
        return NOTHING, np.zeros(k)
    values, vectors = spectrum(congruent(free, A))
    return values[-1], product(free, vectors[-1])
