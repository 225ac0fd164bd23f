"""Sparse loadings that together span as much as possible, found fast: what is fitted at each cardinality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import linear_sum_assignment

from spcabench_methods.core.arrays import Array, Indices, largest, largest_sums
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.jit import njit
from spcabench_methods.rotation.varimax import rotated

MOST_FEATURES = 400
"""Of more features those that leading components load most are searched."""
SWEEPS, TURNS, STEPS = 25, 60, 10
"""The most sweeps over all loadings, rotations towards truncations, and steps of one loading."""
CLOSE = 1e-10
"""A loading whose part orthogonal to the others is shorter adds nothing to their span."""
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
        sizes = np.array(counts)
        ends = [ascended(self.S, np.ascontiguousarray(W.T), sizes).T for W in (*starts, *(W[self.kept] for W in more))]
        found = np.zeros((self.d, len(counts)))
        found[self.kept] = max(ends, key=self._span)
        return found

    def _span(self, W: Array) -> float:
        return kept_by(W, self.S)

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
        for j, k in enumerate(counts):
            column = int(largest_sums(np.abs(A), k).argmax())
            w = max((powers(A, v, k) for v in (self.V[:, j].copy(), A[column])), key=lambda w: float(w @ A @ w))
            found.append(w)
            A = A - np.outer(w, w @ A)
            A = A - np.outer(A @ w, w)
        return np.column_stack(found)


@njit(cache=True)
def cut(v: Array, k: int) -> Array:
    """Keep the k largest entries, of those that tie the first, and scale to unit length; zero stays zero."""
    found, squares = np.zeros_like(v), 0.0
    for i in np.argsort(-np.abs(v), kind="mergesort")[:k]:
        found[i] = v[i]
        squares += v[i] ** 2
    return found / np.sqrt(squares) if squares > 0.0 else found


@njit(cache=True)
def powers(A: Array, v: Array, k: int) -> Array:
    """Return the end of truncated power steps, whose cardinality falls to k."""
    size = len(A)
    while size > k:
        size = max(k, size // 2)
        v = cut(A @ cut(A @ v, size), size)
    for _ in range(STEPS):
        before, v = v, cut(A @ v, k)
        if np.array_equal(before != 0.0, v != 0.0):
            break
    return v


@njit(cache=True)
def ascended(S: Array, rows: Array, counts: Indices) -> Array:
    """Replace each row in turn by a truncated power step of what the others leave, until no support changes.

    Parameters
    ----------
    S : ndarray of shape (d, d)
    rows : ndarray of shape (r, d)
        The loadings to start from.
    counts : ndarray of int, shape (r,)

    Returns
    -------
    ndarray of shape (r, d)
    """
    rows = rows.copy()
    for _ in range(SWEEPS):
        changed = False
        for j in range(len(rows)):
            Q, m = np.zeros_like(rows), 0
            for i in range(len(rows)):
                q = rows[i].copy()
                for _ in range(2 * (i != j)):  # once more for what rounding left
                    for known in Q[:m]:
                        q -= (known @ q) * known
                norm = np.sqrt(q @ q)
                if i != j and norm > CLOSE:
                    Q[m] = q / norm
                    m += 1
            w = rows[j].copy()
            for q in Q[:m]:
                w -= (q @ w) * q
            g = S @ w
            for q in Q[:m]:
                g -= (q @ g) * q
            w = cut(g, counts[j])
            changed = changed or not np.array_equal(w != 0.0, rows[j] != 0.0)
            rows[j] = w
        if not changed:
            break
    return rows


def truncated(W: Array, counts: Sequence[int]) -> Array:
    """Keep the largest entries of each column, and scale it to unit length; zero stays zero."""
    return np.column_stack([cut(np.ascontiguousarray(w), k) for w, k in zip(W.T, counts, strict=True)])


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
