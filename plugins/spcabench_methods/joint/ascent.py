"""The ascent for several components: one at a time, what the others leave of a criterion, by exchanges of features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.joint.exchanges import LEAST, MOST_STEPS, ROUNDING, ascended, orthogonal_quotient
from spcabench_methods.joint.quotients import CRITERIA, nearness, quotient, value_of

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
        self.rows, self.squares = np.empty((0, d)), np.empty((0, d))
        self.varying = (moments.diagonal > 0.0).astype(np.float64)
        if d <= FEW:
            self.add(np.arange(d))

    def add(self, features: Indices) -> None:
        """Compute those that are wanting."""
        new = np.unique(features[self.slot[features] < 0])
        if not len(new):
            return
        self.slot[new] = len(self.rows) + np.arange(len(new))
        columns = self.moments.columns(new)
        self.rows = np.vstack([self.rows, columns.T])
        if self.squared:
            self.squares = np.vstack([self.squares, self.moments.matvec(columns).T])


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
        self._rows, self._criterion, self._limit, self.n_sweeps = rows, CRITERIA.index(criterion), limit, 0
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
                before = np.ascontiguousarray(self._W[:j, support].T)
                block = rows.rows[inside][:, support]
                weights = orthogonal_quotient(block, np.eye(len(support)), before)[1]
            self._W[j, support] = weights
            self._SW[j] = weights @ rows.rows[inside]
            if rows.squared:
                self._SSW[j] = weights @ rows.squares[inside]
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
        """Improve each loading until it is the best after all exchanges; return what the criterion gained."""
        before, rows = self.value, self._rows
        least = max(LEAST, rows.moments.rounding)
        self.n_sweeps += 1
        for j, support in enumerate(self._supports):
            for _ in range(MOST_STEPS if len(support) else 0):
                rows.add(support)
                self.value, ended, wanting = ascended(
                    self._criterion,
                    quotient(self._criterion, self._W, self._SW, self._SSW, j),
                    (rows.rows, rows.squares, rows.slot, rows.varying),
                    (self._W, self._SW, self._SSW),
                    j,
                    support,
                    self._limit,
                    self.value,
                    least,
                )
                if ended:
                    break
                rows.add(wanting)
        return self.value - before

    def climb(self, tol: float, most: int) -> bool:
        """Sweep until that adds no more than a share of the value; return whether it did within so many sweeps."""
        while self.n_sweeps < most:
            if self.sweep() <= tol * self.value:
                return True
        return False
