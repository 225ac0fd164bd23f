"""What one loading adds to a criterion while the others are fixed, w'Aw / w'Mw, and the criteria themselves.

Loadings are the rows of W, and SW has S w in its rows.  A is ``scale S - L'K - K'L``, M is ``I - P'P``; for
"regression" A is ``S S - L'K - K'L``, M is ``S - P'P``.
"""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.joint.limited import SINGULAR, inverse_root

CRITERIA = ("span", "regression", "adjusted", "orthogonal")


def quotient(criterion: str, W: Array, SW: Array, SSW: Array, j: int) -> tuple[Array, Array, Array, float]:
    """Return L, K, P and the scale for loading j.

    - "span": A = M S M, M = I - Q'Q, Q an orthonormal basis of the other loadings;
    - "regression": A = M M, M the covariance that the scores of the others leave;
    - "adjusted": see `adjusted_quotient`.
    """
    if criterion == "adjusted":
        return adjusted_quotient(W, SW, j)
    rest = np.arange(len(W)) != j
    V, SV = W[rest], SW[rest]
    if criterion == "regression":
        T = inverse_root(V @ SV.T).T
        Z = T @ SV
        return Z, T @ SSW[rest] - 0.5 * (Z @ Z.T) @ Z, Z, 1.0
    T = inverse_root(V @ V.T).T
    Q, SQ = T @ V, T @ SV
    return Q, SQ - 0.5 * (Q @ SQ.T) @ Q, Q, 1.0


def adjusted_quotient(W: Array, SW: Array, j: int) -> tuple[Array, Array, Array, float]:
    """Return a quotient with the gradient that the sum of adjusted variances has at loading j.

    With B_l the covariance that the scores before l leave, but for that of j, the sum is, up to a constant,
    ``w'B_jw / w'w - sum over l > j of t_l^2 / v_l``, ``t_l = w_l'B_l w``, ``v_l = w'B_l w``.  Its gradient at a unit w
    is that of the quotient of ``B_j - sum of b_l b_l' / v_l + sum of (t_l / v_l)^2 B_l``, ``b_l = B_l w_l``, and of I.
    """
    w, scale = W[j], 1.0
    parts = []
    for at in range(j, len(W)):
        before = [s for s in range(at) if s != j]
        Z = inverse_root(W[before] @ SW[before].T).T @ SW[before]
        if at == j:
            parts.append(Z)
            continue
        b = SW[at] - (Z @ W[at]) @ Z
        v, t = float(w @ SW[j]) - float(np.sum((Z @ w) ** 2)), float(b @ w)
        if v > SINGULAR * float(w @ SW[j]):
            scale += (t / v) ** 2
            parts += [b[None] / np.sqrt(v), abs(t / v) * Z]
    L = np.vstack(parts)
    return L, 0.5 * L, np.empty((0, len(w))), scale


def adjusted(G: Array) -> float:
    """Return the sum of adjusted variances of unit loadings from W S W'."""
    left, total, floor = G.copy(), 0.0, SINGULAR * float(np.trace(G))
    for j in range(len(G)):
        pivot = float(left[j, j])
        total += max(pivot, 0.0)
        if pivot > floor:
            left -= np.outer(left[:, j] / pivot, left[j])
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
