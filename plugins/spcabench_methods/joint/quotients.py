"""What one loading adds to a criterion while the others are fixed, w'Aw / w'Mw, and the criteria themselves.

Loadings are the rows of W, and SW has S w in its rows.  A is ``scale S - L'K - K'L``, M is ``I - P'P``; for
"regression" A is ``S S - L'K - K'L``, M is ``S - P'P``.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner
from spcabench_methods.joint.limited import SINGULAR, inverse_root

CRITERIA = ("span", "regression", "adjusted", "orthogonal")


def quotient(criterion: str, W: Array, SW: Array, SSW: Array, j: int) -> tuple[Array, Array, Array, float]:
    """Return L, K, P and the scale for loading j.

    - "span": A = M S M, M = I - Q'Q, Q an orthonormal basis of the other loadings;
    - "regression": A = M M, M the covariance that the scores of the others leave;
    - "adjusted": see `adjusted_quotient`.
    """
    if criterion == "adjusted":
        L, scale = adjusted_quotient(W, SW, j)
        return L, 0.5 * L, W[:0], scale
    rest = np.arange(len(W)) != j
    V, SV = W[rest], SW[rest]
    if criterion == "regression":
        T = inverse_root(V @ SV.T).T
        Z = T @ SV
        return Z, T @ SSW[rest] - 0.5 * (Z @ Z.T) @ Z, Z, 1.0
    T = inverse_root(V @ V.T).T
    Q, SQ = T @ V, T @ SV
    return Q, SQ - 0.5 * (Q @ SQ.T) @ Q, Q, 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def add(v: Array, times: float, w: Array) -> None:
    """Add a multiple of w to v, in place."""
    for i in range(len(v)):
        v[i] += times * w[i]


@njit(cache=True, nogil=True, error_model="numpy")
def adjusted_quotient(W: Array, SW: Array, j: int) -> tuple[Array, float]:
    """Return L and the scale of a quotient with the gradient that the sum of adjusted variances has at loading j.

    K is half of L.  With B_l the covariance that the scores before l leave, but for that of j, the sum is, up to
    a constant, ``w'B_jw / w'w - sum over l > j of t_l^2 / v_l``, ``t_l = w_l'B_l w``, ``v_l = w'B_l w``.  Its gradient
    at a unit w is that of the quotient of ``B_j - sum of b_l b_l' / v_l + sum of (t_l / v_l)^2 B_l``,
    ``b_l = B_l w_l``, and of I.
    With ``z_l = b_l / sqrt(w_l'b_l)`` B_l is S without the z_i z_i' before l, so that all of this is a multiple of S
    without multiples of the z_l z_l'.
    """
    r, d = W.shape
    Z, weights, scale, own = np.zeros((r, d)), np.zeros(r), 1.0, inner(W[j], SW[j])
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
            weights[m] = max(pivot, 0.0) / v
        v -= along**2
    for m in range(r):
        add(Z[m], math.sqrt(weights[m]) - 1.0, Z[m])
    return Z, scale


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


def value_of(criterion: str, W: Array, SW: Array) -> float:
    """Return the criterion of loadings."""
    G = W @ SW.T
    if criterion == "adjusted":
        return adjusted(G)
    T = inverse_root(G if criterion == "regression" else W @ W.T).T
    return float(np.sum((T @ SW) ** 2)) if criterion == "regression" else float(np.sum((T @ W) * (T @ SW)))


def nearness(W: Array) -> float:
    """Return the largest magnitude of a cosine of two unit rows."""
    return float(np.abs(np.triu(W @ W.T, 1)).max())
