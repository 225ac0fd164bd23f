"""Exchanges of features worth trying, and the best loadings on supports: generalised eigenvectors of small blocks."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, Indices

GOING, COMING, TRIED = 3, 8, 5
"""Exchanges of so many features of least weight with so many of largest gradient; the most promising are tried."""

PENALTIES = np.geomspace(1e-3, 1e3, 13)
"""Of loadings too near to others, as shares of the largest eigenvalue."""

SINGULAR = 1e-8
"""Directions in which the denominator of a quotient is less than this share of its largest value are left out."""

ROUNDING = 1e-9
"""A cosine may exceed its limit by this."""


def exchanges(A: Array, M: Array, w: Array) -> Indices:
    """Choose supports of as many features as w has, the first k of a matrix, by the places of their features in it.

    The first is that of w, the others the most promising exchanges.  What an exchange promises is the largest quotient
    of the loadings in the plane of w without the feature that goes and the unit vector of the one that comes.
    """
    k = len(w)
    going = np.argsort(np.abs(w), kind="stable")[:GOING]
    rest = np.repeat(w[None], len(going), axis=0)
    rest[np.arange(len(going)), going] = 0.0
    tops, bottoms = ((rest @ B[:k, :k], rest @ B[:k, k:], B.diagonal()[k:]) for B in (A, M))
    (a, aa, c), (b, bb, d) = (
        (np.einsum("gk,gk->g", inside, rest)[:, None], border, corner) for inside, border, corner in (tops, bottoms)
    )
    det, half = b * d - bb**2, 0.5 * (a * d + b * c) - aa * bb
    usable = det > SINGULAR * b * d
    root = np.sqrt(np.maximum(half**2 - det * (a * c - aa**2), 0.0))
    promised = np.where(usable, (half + root) / np.where(usable, det, 1.0), 0.0)
    places = np.repeat(np.arange(k)[None], 1 + min(TRIED, promised.size), axis=0)
    for number, one in enumerate(np.argsort(-promised, axis=None, kind="stable")[: len(places) - 1], start=1):
        goes, comes = np.unravel_index(one, promised.shape)
        places[number, going[goes]] = k + comes
    return places


def best_on(A: Array, M: Array, places: Indices, others: Array, limits: Array, least: float) -> tuple[Array, Array]:
    """Return the largest quotients on some supports, and their unit loadings, whose cosines with others are limited.

    With limits of zero the loadings are orthogonal to the others.  Otherwise one that is too near is penalised for the
    squares of its cosines, as little as will do; where nothing does, or the quotient is no more than `least` anyway, it
    is -inf.
    """
    A, M = (B[places[:, :, None], places[:, None, :]] for B in (A, M))
    V = others[places]
    if not limits.any():
        P = np.eye(A.shape[-1]) - V @ np.linalg.pinv(V, rcond=ROUNDING)
        return solved(P @ A @ P, P @ M @ P)
    values, weights = solved(A, M)
    beyond = (np.abs(np.einsum("nk,nkm->nm", weights, V)) > limits).any(axis=1)
    values[beyond & (values <= values[~beyond].max(initial=least))] = -np.inf
    (again,) = np.nonzero(beyond & np.isfinite(values))
    if len(again):
        near = V[again] / limits * limits.min()
        scale = PENALTIES * float(values[again].max())
        penalised = A[again, None] - scale[:, None, None] * (near @ np.swapaxes(near, 1, 2))[:, None]
        M_again = np.broadcast_to(M[again, None], penalised.shape)
        k = A.shape[-1]
        w = solved(penalised.reshape(-1, k, k), M_again.reshape(-1, k, k))[1].reshape(len(again), -1, k)
        within = (np.abs(w @ V[again]) <= limits).all(axis=2)
        reached = np.einsum("npi,nij,npj->np", w, A[again], w) / np.einsum("npi,nij,npj->np", w, M[again], w)
        reached = np.where(within, reached, -np.inf)
        best = reached.argmax(axis=1)
        values[again], weights[again] = reached[np.arange(len(again)), best], w[np.arange(len(again)), best]
    return values, weights


def solved(A: Array, M: Array) -> tuple[Array, Array]:
    """Return the largest w'Aw / w'Mw for each pair of a stack, and its unit w; -inf where M is zero."""
    values, vectors = np.linalg.eigh(M)
    kept = values > SINGULAR * np.maximum(values[:, -1:], SINGULAR)
    T = vectors * np.where(kept, 1.0 / np.sqrt(np.where(kept, values, 1.0)), 0.0)[:, None, :]
    quotients, inner = np.linalg.eigh(np.swapaxes(T, 1, 2) @ A @ T)
    w = np.einsum("nij,nj->ni", T, inner[:, :, -1])
    size = np.linalg.norm(w, axis=1, keepdims=True)
    return np.where(kept[:, -1], quotients[:, -1], -np.inf), w / np.where(size > 0.0, size, 1.0)
