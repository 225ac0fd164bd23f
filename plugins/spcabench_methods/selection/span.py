"""Sparse loadings that together span as much as possible, found fast: what is fitted at each cardinality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import linear_sum_assignment

from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.rotation.varimax import rotated
from spcabench_methods.truncations.top_k import top_k

MOST_FEATURES = 400
"""Of more features those that leading components load most are searched."""
SWEEPS, TURNS, STEPS = 25, 60, 10
"""The most sweeps over all loadings, rotations towards truncations, and steps of one loading."""
TINY = 1e-12
"""A loading whose squared length is a smaller share of the largest is nothing."""


@dataclass(frozen=True)
class Rows:
    """Samples, as far as loadings need them.

    Parameters
    ----------
    d : int
        Features.
    kept : ndarray of int
        Those that are searched.
    S : ndarray of shape (len(kept), len(kept))
        Their second moments.
    V, turned : ndarray of shape (len(kept), r)
        Leading eigenvectors, and the same after a varimax rotation.
    """

    d: int
    kept: Indices
    S: Array
    V: Array
    turned: Array

    @classmethod
    def of(cls, X: Array, r: int) -> Rows:
        """Summarise centred samples for r loadings."""
        n, d = X.shape
        tall = n > d
        gram = (X.T @ X if tall else X @ X.T) / n
        values, U = eigh(gram, subset_by_index=[len(gram) - r, len(gram) - 1])
        V = U if tall else X.T @ U / np.sqrt(n * np.maximum(values, TINY * max(values[-1], TINY)))
        kept = largest(np.sum(V**2 * values, axis=1), MOST_FEATURES)
        S = gram[np.ix_(kept, kept)] if tall else X[:, kept].T @ X[:, kept] / n
        V = np.ascontiguousarray(V[kept, ::-1])
        return cls(d, kept, S, V, rotated(V, 1.0, 1e-4, 100).W if r > 1 else V)

    def like(self, W: Array) -> Rows:
        """Order the rotated eigenvectors as loadings of shape (d, r) are ordered."""
        return Rows(self.d, self.kept, self.S, self.V, matched(W[self.kept], self.turned))

    @property
    def correlations(self) -> Array:
        """The covariance of each feature with the standardised score of each rotated eigenvector, shape (d, r)."""
        spread = np.sqrt(np.einsum("ij,ij->j", self.turned, self.S @ self.turned))
        found = np.zeros((self.d, self.turned.shape[1]))
        found[self.kept] = np.abs(self.S @ self.turned) / np.where(spread > 0.0, spread, np.inf)
        return found

    def fit(self, counts: Sequence[int], *more: Array) -> Array:
        """Return loadings that span the most, of those that several starts lead to.

        Each loading in turn becomes a truncated power step of what the others leave.  The starts are the rotated
        eigenvectors, eigenvectors that are rotated towards their truncations, and components one after the other.

        Parameters
        ----------
        counts : sequence of int
            The nonzeros of each loading.
        *more : ndarray of shape (d, r)
            Further starts.

        Returns
        -------
        ndarray of shape (d, r)
            Unit columns.
        """
        starts = (truncated(self.turned, counts), self._turned(counts), self._deflated(counts))
        ends = [self._ascended(W, counts) for W in (*starts, *(W[self.kept] for W in more))]
        found = np.zeros((self.d, len(counts)))
        found[self.kept] = max(ends, key=self._span)
        return found

    def _span(self, W: Array) -> float:
        return kept_by(W, self.S)

    def _ascended(self, W: Array, counts: Sequence[int]) -> Array:
        W = W.copy()
        for _ in range(SWEEPS):
            before = W != 0.0
            for j, k in enumerate(counts):
                Q = orthonormal_basis(np.delete(W, j, axis=1))
                g = self.S @ (W[:, j] - Q @ (Q.T @ W[:, j]))
                W[:, j] = truncated((g - Q @ (Q.T @ g))[:, None], [k])[:, 0]
            if np.array_equal(before, W != 0.0):
                break
        return W

    def _turned(self, counts: Sequence[int]) -> Array:
        W = truncated(self.V, counts)
        for _ in range(TURNS):
            before = W != 0.0
            W = truncated(self.V @ polar(W.T @ self.V).T, counts)
            if np.array_equal(before, W != 0.0):
                break
        return W

    def _deflated(self, counts: Sequence[int]) -> Array:
        A, found = self.S, []
        for k in counts:
            values = np.sort(np.abs(A), axis=0)[-k:].sum(axis=0)
            ends = [_powers(A, start, k) for start in (self._leading(A), A[:, int(values.argmax())])]
            w = max(ends, key=lambda w: float(w @ A @ w))
            found.append(w)
            A = A - np.outer(w, w @ A)
            A = A - np.outer(A @ w, w)
        return np.column_stack(found)

    def _leading(self, A: Array) -> Array:
        last = len(A) - 1
        return np.asarray(eigh(A, subset_by_index=[last, last])[1][:, 0])


def _powers(A: Array, v: Array, k: int) -> Array:
    """Return the end of truncated power steps, whose cardinality falls to k."""
    size = len(A)
    while size > k:
        size = max(k, size // 2)
        v = truncated((A @ truncated((A @ v)[:, None], [size])[:, 0])[:, None], [size])[:, 0]
    for _ in range(STEPS):
        before, v = v, truncated((A @ v)[:, None], [k])[:, 0]
        if np.array_equal(before != 0.0, v != 0.0):
            break
    return v


def truncated(W: Array, counts: Sequence[int]) -> Array:
    """Keep the largest entries of each column, and scale it to unit length; zero stays zero."""
    found = np.column_stack([top_k(np.ascontiguousarray(w), min(k, len(w))) for w, k in zip(W.T, counts, strict=True)])
    size = np.linalg.norm(found, axis=0)
    return np.asarray(found / np.where(size > 0.0, size, 1.0))


def kept_by(W: Array, S: Array) -> float:
    """Return ``tr(P S)``, P the projector on the span of the columns of W."""
    Q = orthonormal_basis(W)
    return float(np.sum(Q * (S @ Q)))


def matched(W: Array, others: Array) -> Array:
    """Return the columns of others in the order in which they are most alike those of W, and with their signs."""
    cosines = W.T @ others
    order = linear_sum_assignment(-np.abs(cosines))[1]
    signs = np.where(cosines[np.arange(len(order)), order] < 0.0, -1.0, 1.0)
    return np.asarray(others[:, order] * signs)
