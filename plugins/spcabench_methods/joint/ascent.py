"""The ascent for several components: one at a time, what the others leave of a criterion, by exchanges of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.joint.exchanges import COMING, ROUNDING, SINGULAR, best_on, exchanges

MOST_STEPS = 1000
"""The most steps of a loading in a sweep; sums that rounding lifts would never end."""

LEAST = 1e-10
"""A step must add more than this share of the value."""


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


def nearness(W: Array) -> float:
    """Return the largest magnitude of a cosine of two unit columns."""
    return float(np.abs(np.triu(W.T @ W, 1)).max())


class Ascent:
    """Loadings that are improved one at a time; the criterion never falls.

    Parameters
    ----------
    moments : SecondMoments
        S, not changed.
    W : ndarray of shape (n_features, r)
        Loadings as columns, unit or zero.  For the criterion "orthogonal" they become orthogonal on their supports, one
        after the other, if they are not.
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
        sloping = criterion == "orthogonal" and np.abs(W.T @ W - np.eye(W.shape[1])).max() > ROUNDING
        for j, (w, support) in enumerate(zip(W.T, self._supports, strict=True)):
            inner = w[support]
            if sloping and len(support):
                block, everything = moments.submatrix(support), np.arange(len(support))[None]
                inner = best_on(block, np.eye(len(support)), everything, self.W[support, :j], np.zeros(j), 0.0)[1][0]
            self._set(j, support, inner)
        self.value = value_of(criterion, self.W, self._SW)

    @property
    def nearness(self) -> float:
        """The largest magnitude of a cosine of two loadings."""
        return nearness(self.W)

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
