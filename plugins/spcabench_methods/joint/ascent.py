"""The ascent for several components: one at a time, what the others leave of a criterion, by exchanges of features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.joint.exchanges import improved, pooled, put
from spcabench_methods.joint.limited import ROUNDING, orthogonal_quotient
from spcabench_methods.joint.quotients import CRITERIA, ORTHOGONAL, nearness, value_of

LEAST = 1e-10
"""A step must add more than this share of the value."""

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
        self._rows, self._criterion, self._limit = rows, CRITERIA.index(criterion), limit
        self.n_sweeps, moments = 0, rows.moments
        self._least = 1.0 + max(LEAST, moments.rounding)
        wanted = np.abs(moments.matvec(W)) + moments.diagonal[:, None] * ~W.any(axis=0)
        wanted = (wanted + (W != 0.0) * (2.0 * wanted.max(axis=0) + 1.0)) * rows.varying[:, None]
        n_varying = int(rows.varying.sum())
        self._supports = [largest(one, min(k, n_varying)) for one, k in zip(wanted.T, counts, strict=True)]
        rows.add(np.concatenate(self._supports))
        r = W.shape[1]
        W_rows, SW, SSW = np.zeros((3, r, moments.n_features))
        self._loadings = W_rows, SW, SSW
        sloping = self._criterion == ORTHOGONAL and np.abs(W.T @ W - np.eye(r)).max() > ROUNDING
        for j, support in enumerate(self._supports):
            weights = W[support, j]
            if sloping and len(support):
                S = np.ascontiguousarray(rows.rows[rows.slot[support]][:, support])
                weights = orthogonal_quotient(S, np.ascontiguousarray(W_rows[:j, support]))[1]
            put(self._loadings, j, support, weights, rows.slot[support], rows.rows, rows.squares)
        self.value = value_of(self._criterion, W_rows, SW)

    @property
    def W(self) -> Array:
        """The loadings as columns."""
        return self._loadings[0].T

    @property
    def nearness(self) -> float:
        """The largest magnitude of a cosine of two loadings."""
        return nearness(self._loadings[0])

    def sweep(self) -> float:
        """Improve each loading until no exchange of features does; return what the criterion gained."""
        before = self.value
        self.n_sweeps += 1
        for j, support in enumerate(self._supports):
            n_steps = MOST_STEPS if len(support) else 0
            while n_steps:
                n_steps = n_steps - 1 if self._step(j) else 0
        return self.value - before

    def _step(self, j: int) -> bool:
        """Make loading j the best on its support or after an exchange; return whether features were exchanged."""
        rows, criterion, support = self._rows, self._criterion, self._supports[j]
        pool, old, parts = pooled(criterion, rows.varying, self._loadings, j, support)
        rows.add(pool)
        values, places = (self.value, self.value * self._least, old), rows.slot[pool]
        self.value, self._supports[j], exchanged = improved(
            criterion,
            values,
            self._limit,
            self._loadings,
            j,
            len(support),
            pool,
            places,
            rows.rows,
            rows.squares,
            parts,
        )
        return exchanged
