"""The ascent for several components: one at a time, what the others leave of a criterion, by exchanges of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.moments import SecondMoments

GOING, COMING, TRIED = 3, 8, 5
"""Exchanges of so many features of least weight with so many of largest gradient; the most promising are tried."""

MOST_STEPS = 1000
"""The most steps of a loading in a sweep; sums that rounding lifts would never end."""

LEAST = 1e-10
"""A step must add more than this share of the value."""

PENALTIES = np.geomspace(1e-3, 1e3, 13)
"""Of loadings too near to others, as shares of the largest eigenvalue."""

SINGULAR = 1e-8
"""Directions in which the denominator of a quotient is less than this share of its largest value are left out."""

ROUNDING = 1e-9
"""A cosine may exceed its limit by this."""


class Quotient(NamedTuple):
    """What a loading w adds, w'Aw / w'Mw, while the others are fixed.

    A is ``scale S - L K' - K L'``, M is ``I - P P'``; or, if M is a variance, ``S S - L K' - K L'`` and ``S - P P'``.

    Parameters
    ----------
    L, K, P : ndarray of shape (n_features, m)
    scale : float
    squared : bool
        Whether M is a variance.
    """

    L: Array
    K: Array
    P: Array
    scale: float = 1.0
    squared: bool = False

    def gradient(self, moments: SecondMoments, w: Array, Sw: Array) -> tuple[float, Array]:
        """Return the quotient at w, and half its gradient times w'Mw."""
        top, bottom = (moments.matvec(Sw), Sw) if self.squared else (self.scale * Sw, w)
        top = top - self.L @ (self.K.T @ w) - self.K @ (self.L.T @ w)
        bottom = bottom - self.P @ (self.P.T @ w)
        length = float(w @ bottom)
        value = float(w @ top) / length if length > SINGULAR**2 else 0.0
        return value, top - value * bottom

    def blocks(self, moments: SecondMoments, pool: Indices) -> tuple[Array, Array]:
        """Return A and M on some features."""
        if self.squared:
            columns = moments.columns(pool)
            A, M = columns.T @ columns, columns[pool]
        else:
            A, M = self.scale * moments.submatrix(pool), np.eye(len(pool))
        L, K, P = self.L[pool], self.K[pool], self.P[pool]
        half = L @ K.T
        return A - half - half.T, M - P @ P.T


def inverse_root(G: Array) -> Array:
    """Return T with T'GT = I on the span of a semidefinite matrix G, as many columns as its rank."""
    values, vectors = np.linalg.eigh(G)
    kept = values > SINGULAR * values.max(initial=0.0)
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


def span_quotient(moments: SecondMoments, W: Array, SW: Array, j: int) -> Quotient:
    """Return what w_j adds to tr(P S), P the projector on the span: A = M S M, M = I - Q Q', Q a basis of the rest."""
    V, SV = np.delete(W, j, axis=1), np.delete(SW, j, axis=1)
    T = inverse_root(V.T @ V)
    Q, SQ = V @ T, SV @ T
    return Quotient(Q, SQ - 0.5 * Q @ (Q.T @ SQ), Q)


def regression_quotient(moments: SecondMoments, W: Array, SW: Array, j: int) -> Quotient:
    """Return what w_j adds to tr(S W (W'SW)^-1 W'S): A = M M, M the covariance that the scores of the rest leave."""
    V, SV = np.delete(W, j, axis=1), np.delete(SW, j, axis=1)
    Z = SV @ inverse_root(V.T @ SV)
    return Quotient(Z, moments.matvec(Z) - 0.5 * Z @ (Z.T @ Z), Z, squared=True)


def adjusted_quotient(moments: SecondMoments, W: Array, SW: Array, j: int) -> Quotient:
    """Return a quotient with the value and the gradient that the sum of adjusted variances has at w_j.

    With B_l the covariance that the scores before l leave, but for that of j, the sum is, up to a constant,
    ``w'B_jw / w'w - sum over l > j of t_l^2 / v_l``, ``t_l = w_l'B_l w``, ``v_l = w'B_l w``.  Its gradient at a unit w
    is that of the quotient of ``B_j - sum of b_l b_l' / v_l + sum of (t_l / v_l)^2 B_l``, ``b_l = B_l w_l``, and of I.
    """
    w, scale = W[:, j], 1.0
    columns = []
    for at in range(j, W.shape[1]):
        before = [s for s in range(at) if s != j]
        Z = SW[:, before] @ inverse_root(W[:, before].T @ SW[:, before])
        if at == j:
            columns.append(Z)
            continue
        b = SW[:, at] - Z @ (Z.T @ W[:, at])
        v, t = float(w @ SW[:, j]) - float(np.sum((Z.T @ w) ** 2)), float(b @ w)
        if v > SINGULAR * float(w @ SW[:, j]):
            scale += (t / v) ** 2
            columns += [b[:, None] / np.sqrt(v), abs(t / v) * Z]
    L = np.hstack(columns)
    return Quotient(L, 0.5 * L, np.zeros((len(w), 0)), scale)


QUOTIENTS: dict[str, Callable[[SecondMoments, Array, Array, int], Quotient]] = {
    "span": span_quotient,
    "regression": regression_quotient,
    "adjusted": adjusted_quotient,
    "orthogonal": span_quotient,
}
CRITERIA = tuple(QUOTIENTS)


def value_of(criterion: str, W: Array, SW: Array) -> float:
    """Return the criterion of loadings W."""
    if criterion == "adjusted":
        return float(adjusted(W.T @ SW))
    T = inverse_root(W.T @ SW) if criterion == "regression" else inverse_root(W.T @ W)
    return float(np.sum((SW @ T) ** 2)) if criterion == "regression" else float(np.sum((W @ T) * (SW @ T)))


def adjusted(G: Array) -> Array:
    """Return the sum of adjusted variances of unit loadings from W'SW, or from a stack of such matrices."""
    left, total = G.copy(), np.zeros(G.shape[:-2])
    floor = SINGULAR * np.trace(G, axis1=-2, axis2=-1)
    for j in range(G.shape[-1]):
        pivot = left[..., j, j]
        total += np.maximum(pivot, 0.0)
        column = left[..., :, j] / np.sqrt(np.where(pivot > floor, pivot, np.inf))[..., None]
        left = left - column[..., :, None] * column[..., None, :]
    return np.asarray(total)


class Ascent:
    """Loadings that are improved one at a time; the criterion never falls.

    Parameters
    ----------
    moments : SecondMoments
        S, not changed.
    W : ndarray of shape (n_features, r)
        Loadings as columns, unit or zero.  For the criterion "orthogonal" they become orthogonal on their supports.
    counts : sequence of int
        The nonzeros of each.
    criterion : str
        One of `CRITERIA`.
    limit : float
        A cosine of two loadings may not exceed it; one that does may stay, but not rise.

    Attributes
    ----------
    W : ndarray of shape (n_features, r)
        The loadings.
    value : float
        Their criterion.
    n_sweeps : int
    """

    def __init__(self, moments: SecondMoments, W: Array, counts: Sequence[int], criterion: str, limit: float) -> None:
        self._moments, self._criterion = moments, criterion
        self._limit = 0.0 if criterion == "orthogonal" else limit
        self.n_sweeps = 0
        self._varying = moments.diagonal > 0.0
        self.W, self._SW = np.zeros(W.shape), np.zeros(W.shape)
        self._supports = [self._filled(w, k) for w, k in zip(W.T, counts, strict=True)]
        for j, (w, support) in enumerate(zip(W.T, self._supports, strict=True)):
            inner = w[support]
            if criterion == "orthogonal" and len(support):
                block, everything = moments.submatrix(support), np.arange(len(support))[None]
                inner = best_on(block, np.eye(len(support)), everything, self.W[support, :j], np.zeros(j), 0.0)[1][0]
            self._set(j, support, inner)
        self.value = value_of(criterion, self.W, self._SW)

    def _filled(self, w: Array, k: int) -> Indices:
        """Return the support of a loading, and other features if it has less than k."""
        wanted = np.abs(self._moments.matvec(w)) + self._moments.diagonal * (not w.any())
        wanted[w != 0.0] += 2.0 * wanted.max() + 1.0
        return largest(np.where(self._varying, wanted, 0.0), min(k, int(self._varying.sum())))

    def _set(self, j: int, support: Indices, weights: Array) -> None:
        self._supports[j] = support
        self.W[:, j] = 0.0
        self.W[support, j] = weights
        self._SW[:, j] = self._moments.matvec(self.W[:, j])

    def sweep(self) -> float:
        """Improve each loading until it is the best after all exchanges; return what the criterion gained."""
        before = self.value
        self.n_sweeps += 1
        for j, support in enumerate(self._supports):
            steps = range(MOST_STEPS) if len(support) else ()
            for _ in steps:
                if not self._step(j):
                    break
        return self.value - before

    def climb(self, tol: float, most: int) -> bool:
        """Sweep until that adds no more than a share of the value; return whether it did within so many sweeps."""
        while self.n_sweeps < most:
            if self.sweep() <= tol * self.value:
                return True
        return False

    def _step(self, j: int) -> bool:
        """Replace a loading by the best on its support, or after an exchange; return whether that gained anything."""
        w, support = self.W[:, j], self._supports[j]
        quotient = QUOTIENTS[self._criterion](self._moments, self.W, self._SW, j)
        value, gradient = quotient.gradient(self._moments, w, self._SW[:, j])
        gains = np.where(self._varying, np.abs(gradient), 0.0)
        gains[support] = 0.0
        coming: Indices = largest(gains, COMING)
        pool = np.concatenate([support, coming[gains[coming] > 0.0]])
        A, M = quotient.blocks(self._moments, pool)
        places = exchanges(A, M, w[support])
        others: Array = np.delete(self.W, j, axis=1)
        limits: Array = np.maximum(np.abs(w @ others), self._limit) + ROUNDING
        if self._criterion == "orthogonal":
            limits = np.zeros(others.shape[1])
        values, weights = best_on(A, M, places, others[pool], limits, value)
        if self._criterion == "adjusted":
            totals = np.where(np.isfinite(values), self._adjusted(j, pool[places], weights), -np.inf)
        else:
            totals = self.value - value + values
        best = int(totals.argmax())
        if not totals[best] > self.value * (1.0 + max(LEAST, self._moments.rounding)):
            return False
        self._set(j, pool[places[best]], weights[best])
        self.value = float(totals[best])
        return True

    def _adjusted(self, j: int, supports: Indices, weights: Array) -> Array:
        """Return the sum of adjusted variances with each of some loadings in place of loading j."""
        n = len(weights)
        G: Array = np.repeat((self.W.T @ self._SW)[None], n, axis=0)
        G[:, j] = G[:, :, j] = np.einsum("nk,nkm->nm", weights, self._SW[supports])
        S = np.array([self._moments.submatrix(support) for support in supports])
        G[:, j, j] = np.einsum("nk,nkl,nl->n", weights, S, weights)
        return adjusted(G)


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
