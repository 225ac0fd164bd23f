"""What one loading adds to a criterion while the others are fixed, w'Aw / w'Mw, and the criteria themselves; compiled.

Loadings are the rows of W, and SW has S w in its rows.  A is ``scale S - L'K - K'L``, M is ``I - P'P``; for
"regression" A is ``S S - L'K - K'L``, M is ``S - P'P``.

There are loops over numbers only: lines on whole arrays take longer to compile than all else.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import add, inner
from spcabench_methods.joint.limited import SINGULAR, combined, inverse_root

CRITERIA = ("span", "regression", "adjusted", "orthogonal")
"""The names of criteria, which compiled code knows by their places."""

SPAN, REGRESSION, ADJUSTED, ORTHOGONAL = range(len(CRITERIA))

Parts = tuple[Array, Array, Array, float]


@njit(cache=True, nogil=True, error_model="numpy")
def products(V: Array, W: Array) -> Array:
    """Return V W'."""
    found = np.empty((len(V), len(W)))
    for i in range(len(V)):
        for j in range(len(W)):
            found[i, j] = inner(V[i], W[j])
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def without(W: Array, j: int) -> Array:
    """Return all rows but one."""
    rest: Array = W[np.arange(len(W)) != j]
    return rest


@njit(cache=True, nogil=True, error_model="numpy")
def quotient(criterion: int, W: Array, SW: Array, SSW: Array, j: int) -> Parts:
    """Return L, K, P and the scale for loading j.

    - "span" and "orthogonal": A = M S M, M = I - Q'Q, Q an orthonormal basis of the other loadings;
    - "regression": A = M M, M the covariance that the scores of the others leave;
    - "adjusted": see `adjusted_quotient`.
    """
    if criterion == ADJUSTED:
        return adjusted_quotient(W, SW, j)
    V, SV = without(W, j), without(SW, j)
    if criterion == REGRESSION:
        T = inverse_root(products(V, SV))
        P = combined(T, SV)
        K, G = combined(T, without(SSW, j)), products(P, P)
    else:
        T = inverse_root(products(V, V))
        P, K = combined(T, V), combined(T, SV)
        G = products(P, K)
    half = combined(G, P)
    for m in range(len(K)):
        add(K[m], -0.5, half[m])
    return P, K, P, 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def adjusted_quotient(W: Array, SW: Array, j: int) -> Parts:
    """Return a quotient with the gradient that the sum of adjusted variances has at loading j.

    With B_l the covariance that the scores before l leave, but for that of j, the sum is, up to a constant,
    ``w'B_jw / w'w - sum over l > j of t_l^2 / v_l``, ``t_l = w_l'B_l w``, ``v_l = w'B_l w``.  Its gradient at a unit w
    is that of the quotient of ``B_j - sum of b_l b_l' / v_l + sum of (t_l / v_l)^2 B_l``, ``b_l = B_l w_l``, and of I.
    With ``z_l = b_l / sqrt(w_l'b_l)`` B_l is S without the z_i z_i' before l, so that all of this is a multiple of S
    without multiples of the z_l z_l'.
    """
    r, d = W.shape
    Z, half, weights, scale = np.zeros((r, d)), np.zeros((r, d)), np.zeros(r), 1.0
    own = inner(W[j], SW[j])
    v = own
    for m in range(r):
        if m == j:
            continue
        add(Z[m], 1.0, SW[m])
        for i in range(m):
            add(Z[m], -inner(Z[i], W[m]), Z[i])
        pivot = inner(Z[m], W[m])
        settled = pivot > SINGULAR * inner(W[m], SW[m])
        add(Z[m], (1.0 / math.sqrt(pivot) if settled else 0.0) - 1.0, Z[m])
        along = inner(Z[m], W[j])
        if m < j:
            weights[m] = 1.0
        elif v > SINGULAR * own:
            share = pivot * (along / v) ** 2
            scale += share
            for i in range(m):
                weights[i] += share
            weights[m] = pivot / v
        v -= along**2
    for m in range(r):
        add(Z[m], math.sqrt(weights[m]) - 1.0, Z[m])
        add(half[m], 0.5, Z[m])
    return Z, half, np.empty((0, d)), scale


@njit(cache=True, nogil=True, error_model="numpy")
def adjusted(G: Array) -> float:
    """Return the sum of adjusted variances of unit loadings from W S W'."""
    left, total, size = G.copy(), 0.0, 0.0
    for i in range(len(G)):
        size += G[i, i]
    for i in range(len(G)):
        pivot = left[i, i]
        total += max(pivot, 0.0)
        if pivot > SINGULAR * size:
            for a in range(i + 1, len(G)):
                for b in range(i + 1, len(G)):
                    left[a, b] -= left[a, i] * left[i, b] / pivot
    return total


def value_of(criterion: int, W: Array, SW: Array) -> float:
    """Return the criterion of loadings."""
    G = W @ SW.T
    if criterion == ADJUSTED:
        return float(adjusted(G))
    T = inverse_root(G if criterion == REGRESSION else W @ W.T).T
    return float(np.sum((T @ SW) ** 2)) if criterion == REGRESSION else float(np.sum((T @ W) * (T @ SW)))


def nearness(W: Array) -> float:
    """Return the largest magnitude of a cosine of two unit rows."""
    return float(np.abs(np.triu(W @ W.T, 1)).max())
