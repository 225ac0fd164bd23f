"""The best loading on a support, its cosines with others limited, by small eigenproblems; compiled.

There are loops over numbers only: lines on whole arrays take longer to compile than all else.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner

SINGULAR = 1e-8
"""Directions in which the denominator of a quotient is less than this share of its largest value are left out."""

DEFINITE = 1e-4
"""A matrix whose pivots exceed this share of its diagonal is far from singular."""

MILDEST, HARDEST, HALVINGS = -3.0, 3.0, 7
"""Powers of ten between which a penalty on cosines lies, as a share of the largest eigenvalue."""

ROUNDING = 1e-9
"""A cosine may exceed its limit by this."""

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
def congruent(T: Array, A: Array) -> Array:
    """Return T'AT."""
    k, m = T.shape
    half, found = np.zeros((k, m)), np.zeros((m, m))
    for i in range(k):
        for j in range(k):
            for a in range(m):
                half[i, a] += A[i, j] * T[j, a]
    for i in range(k):
        for a in range(m):
            for b in range(m):
                found[a, b] += T[i, a] * half[i, b]
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def lifted(T: Array, v: Array, V: Array, limits: Array) -> tuple[Array, bool]:
    """Return T v, scaled, and whether none of its cosines with the rows of V exceeds its limit."""
    w, inside = product(T, v), True
    length = math.sqrt(inner(w, w))
    for i in range(len(w)):
        w[i] /= length
    for i in range(len(limits)):
        inside = inside and abs(inner(V[i], w)) <= limits[i]
    return w, inside


@njit(cache=True, nogil=True, error_model="numpy")
def limited_quotient(A: Array, M: Array, V: Array, limits: Array, least: float) -> tuple[float, Array]:
    """Return the largest w'Aw / w'Mw and its unit w, whose cosines with the rows of V are limited.

    Where that is no more than `least`, it is -inf.
    """
    k = len(A)
    B = np.empty((k, k))
    for a in range(k):
        for b in range(k):
            B[a, b] = least * M[a, b] - A[a, b]
    if triangle(B, 0.0)[1]:  # no quotient exceeds it
        return NOTHING, np.zeros(k)
    T = inverse_root(M)
    m = T.shape[1]
    if m == 0:
        return NOTHING, np.zeros(k)
    B = congruent(T, A)
    values, vectors = spectrum(B)
    w, inside = lifted(T, vectors[m - 1], V, limits)
    if inside or values[m - 1] <= least:
        return values[m - 1] if values[m - 1] > least else NOTHING, w
    return penalised_quotient(T, B, values[m - 1], V, limits, least)


@njit(cache=True, nogil=True, error_model="numpy")
def penalised_quotient(T: Array, B: Array, top: float, V: Array, limits: Array, least: float) -> tuple[float, Array]:
    """Return the largest v'Bv of a unit v and T v, which is penalised for its cosines as little as will do.

    Where nothing does, or the quotient is no more than `least` anyway, it is -inf.
    """
    k, m, most = len(T), len(B), np.inf
    best, found, low, high = NOTHING, np.zeros(k), MILDEST, HARDEST
    near, C = np.zeros((k, k)), np.empty((m, m))
    for i in range(len(V)):
        most = min(most, limits[i])
        for a in range(k):
            for b in range(k):
                near[a, b] += V[i, a] * V[i, b] / limits[i] ** 2
    near = congruent(T, near)
    for _ in range(HALVINGS):
        exponent = 0.5 * (low + high)
        penalty = top * 10.0**exponent * most**2
        for a in range(m):
            for b in range(m):
                C[a, b] = B[a, b] - penalty * near[a, b]
        values, vectors = spectrum(C)
        if values[m - 1] + penalty * len(V) <= least:  # nothing within the limits exceeds that
            return NOTHING, found
        w, inside = lifted(T, vectors[m - 1], V, limits)
        if inside:
            high, value = exponent, inner(vectors[m - 1], product(B, vectors[m - 1]))
            if value > best:
                best, found = value, w
        else:
            low = exponent
    return best, found


def orthogonal_quotient(A: Array, V: Array) -> tuple[float, Array]:
    """Return the largest w'Aw of a unit w that is orthogonal to the rows of V, and w."""
    _, sizes, right = np.linalg.svd(V)
    free = right[np.count_nonzero(sizes > ROUNDING * max(sizes.max(initial=0.0), ROUNDING)) :]
    if not len(free):
        return NOTHING, np.zeros(len(A))
    values, vectors = np.linalg.eigh(free @ A @ free.T)
    return float(values[-1]), vectors[:, -1] @ free
