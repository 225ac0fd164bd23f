"""The ascent for several components: one at a time, what the others leave of a criterion, by exchanges of features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.joint.exchanges import Parts, adjusted_with, matrices, pooled, tried
from spcabench_methods.joint.limited import NOTHING, ROUNDING, orthogonal_quotient
from spcabench_methods.joint.quotients import nearness, quotient, value_of

LEAST = 1e-10
"""A step must add more than this share of the value."""

SETTLED = 1.0001
"""A loading is made anew on the same support only while that multiplies "adjusted" by more than this."""

MOST_STEPS = 1000
"""The most steps of a loading in a sweep; sums that rounding lifts would never end."""

FEW = 1000
"""All rows of S of so few features are taken at once, of more those that are needed."""


class Rows:
    """Rows of S, and of S S for the criterion "regression", computed when they are needed.

    Parameters
    ----------
    moments : SecondMoments
        S, not changed.
    squared : bool
        Whether rows of S S are needed.
    """

    def __init__(self, moments: SecondMoments, squared: bool) -> None:
        self.moments, self.squared = moments, squared
        d = moments.n_features
        self.slot: Indices = np.full(d, -1)
        self.n, self.rows, self.squares = 0, np.empty((0, d)), np.empty((0, d))
        self.varying = (moments.diagonal > 0.0).astype(np.float64)
        if d <= FEW:
            self.add(np.arange(d))

    def add(self, features: Indices) -> None:
        """Compute those that are wanting."""
        new = features[self.slot[features] < 0]
        if not len(new):
            return
        new = np.unique(new)
        columns, until = self.moments.columns(new), self.n + len(new)
        if until > len(self.rows):
            room = np.empty((until, len(self.slot)))
            self.rows = np.vstack([self.rows, room])
            self.squares = np.vstack([self.squares, room]) if self.squared else self.squares
        self.rows[self.n : until] = columns.T
        if self.squared:
            self.squares[self.n : until] = self.moments.matvec(columns).T
        self.slot[new] = np.arange(self.n, until)
        self.n = until


class Ascent:
    """Loadings that are improved one at a time; the criterion never falls.

    Parameters
    ----------
    rows : Rows
        Of S; for the criterion "regression" of S S too.
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
    value : float
        Their criterion.
    n_sweeps : int
    """

    def __init__(self, rows: Rows, W: Array, counts: Sequence[int], criterion: str, limit: float) -> None:
        self._rows, self._criterion, self._limit, self.n_sweeps = rows, criterion, limit, 0
        moments, orthogonal = rows.moments, criterion == "orthogonal"
        wanted = np.abs(moments.matvec(W)) + moments.diagonal[:, None] * ~W.any(axis=0)
        wanted = (wanted + (W != 0.0) * (2.0 * wanted.max(axis=0) + 1.0)) * rows.varying[:, None]
        n_varying = int(rows.varying.sum())
        self._supports = [largest(one, min(k, n_varying)) for one, k in zip(wanted.T, counts, strict=True)]
        rows.add(np.concatenate(self._supports))
        r = W.shape[1]
        self._W, self._SW, self._SSW = np.zeros((3, r, moments.n_features))
        sloping = orthogonal and np.abs(W.T @ W - np.eye(W.shape[1])).max() > ROUNDING
        for j, support in enumerate(self._supports):
            inside, weights = rows.slot[support], W[support, j]
            if sloping and len(support):
                weights = orthogonal_quotient(rows.rows[inside][:, support], self._W[:j, support])[1]
            self._put(j, support, weights)
        self.value = value_of(criterion, self._W, self._SW)

    @property
    def W(self) -> Array:
        """The loadings as columns."""
        return self._W.T

    @property
    def nearness(self) -> float:
        """The largest magnitude of a cosine of two loadings."""
        return nearness(self._W)

    def sweep(self) -> float:
        """Improve each loading until it is the best after all exchanges; return what the criterion gained.

        A sum of steps is wrong where loadings become nearly dependent.  So the criterion is computed anew, and a sweep
        that has not raised it leaves the loadings as they were.
        """
        before, least = self.value, 1.0 + max(LEAST, self._rows.moments.rounding)
        kept = list(self._supports), self._W.copy(), self._SW.copy(), self._SSW.copy()
        self.n_sweeps += 1
        for j, support in enumerate(self._supports):
            parts, n_steps = None, MOST_STEPS if len(support) else 0
            while n_steps:
                if parts is None or self._criterion == "adjusted":
                    parts = quotient(self._criterion, self._W, self._SW, self._SSW, j)
                n_steps = n_steps - 1 if self._step(j, parts, least) else 0
        self.value = value_of(self._criterion, self._W, self._SW)
        if self.value <= before:
            self.value = before
            self._supports, self._W, self._SW, self._SSW = kept
        return self.value - before

    def _step(self, j: int, parts: Parts, least: float) -> bool:
        """Make loading j the best on its support or after an exchange; return whether the criterion gained."""
        rows, support, w = self._rows, self._supports[j], self._W[j]
        adjusting, regression = self._criterion == "adjusted", self._criterion == "regression"
        pool, old = pooled(regression, rows.varying, w, self._SW[j], self._SSW[j], support, parts)
        rows.add(pool)
        A, M = matrices(regression, rows.slot[pool], pool, rows.rows, rows.squares, parts)
        others, value, best = self._W[np.arange(len(self._W)) != j], self.value * least, None
        limits, V = np.maximum(np.abs(others @ w), self._limit) + ROUNDING, np.ascontiguousarray(others[:, pool])
        floor = NOTHING if adjusting else value - self.value + old
        for inside, weights, reached in zip(*tried(A, M, w[support], V, limits, floor, not adjusting), strict=True):
            if self._criterion == "orthogonal":
                reached, weights = orthogonal_quotient(A[inside][:, inside], V[:, inside])
            total = self.value - old + float(reached)
            if adjusting and reached > NOTHING:
                S = rows.rows[rows.slot[pool[inside]]][:, pool[inside]]
                total = adjusted_with(self._W @ self._SW.T, self._SW, j, pool[inside], weights, S)
            if total > value:
                value, best = total, (pool[inside], weights)
        if best is None:
            return False
        settled = adjusting and value <= self.value * SETTLED and np.array_equal(best[0], support)
        self.value = value
        self._put(j, *best)
        return not settled

    def _put(self, j: int, support: Indices, weights: Array) -> None:
        """Replace loading j."""
        rows = self._rows
        self._supports[j] = support
        self._W[j] = 0.0
        self._W[j, support] = weights
        self._SW[j] = weights @ rows.rows[rows.slot[support]]
        if rows.squared:
            self._SSW[j] = weights @ rows.squares[rows.slot[support]]
