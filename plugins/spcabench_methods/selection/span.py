"""Sparse loadings that together span as much as possible, found fast: what is fitted at each cardinality."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import linear_sum_assignment

from spcabench_methods.core.arrays import Array, Indices, largest, largest_sums, read_only, spread
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner, product, scaled, top
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
        sizes = np.sqrt(np.einsum("ij,ij->j", self.turned, self.S @ self.turned))
        return spread(np.abs(self.S @ self.turned) / np.where(sizes > 0.0, sizes, np.inf), self.kept, self.d)

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
        S = read_only(self.S)
        ends = [ascended(S, np.ascontiguousarray(W.T), sizes).T for W in (*starts, *(W[self.kept] for W in more))]
        return spread(max(ends, key=lambda W: kept_by(W, self.S)), self.kept, self.d)

    def _turned(self, counts: Sequence[int]) -> Array:
        W = truncated(self.V, counts)
        for _ in range(TURNS):
            before = W != 0.0
            W = truncated(self.V @ polar(W.T @ self.V).T, counts)
            if np.array_equal(before, W != 0.0):
                break
        return W

    def _deflated(self, counts: Sequence[int]) -> Array:
        A, found = self.S.copy(), []
        for j, k in enumerate(counts):
            column = int(largest_sums(np.abs(A), k).argmax())
            w = max(
                (powers(read_only(A), v, k) for v in (self.V[:, j].copy(), A[column])), key=lambda w: float(w @ A @ w)
            )
            found.append(w)
            on, left = np.flatnonzero(w), A @ w - 0.5 * float(w @ A @ w) * w
            A[on] -= np.outer(w[on], left)
            A[:, on] -= np.outer(left, w[on])
        return np.column_stack(found)


@njit(cache=True)
def cut(v: Array, k: int) -> Array:
    """Keep the k largest entries, of those that tie the first, and scale to unit length; zero stays zero."""
    return scaled(top(v, k))


@njit(cache=True)
def powers(A: Array, v: Array, k: int) -> Array:
    """Return the end of truncated power steps, whose cardinality falls to k."""
    size = len(A)
    while size > k:
        size = max(k, size // 2)
        v = cut(product(A, True, cut(product(A, True, v), size)), size)
    changed, n_steps = True, 0
    while changed and n_steps < STEPS:
        before, v = v, cut(product(A, True, v), k)
        changed, n_steps = other_support(before, v), n_steps + 1
    return v


@njit(cache=True)
def other_support(v: Array, w: Array) -> bool:
    """Return whether two vectors have different supports."""
    n_other = 0
    for i in range(len(v)):
        n_other += (v[i] != 0.0) != (w[i] != 0.0)
    return n_other > 0


@njit(cache=True)
def without(Q: Array, m: int, v: Array) -> Array:
    """Take the first m rows of Q out of a vector, in place."""
    for i in range(m):
        share = inner(Q[i], v)
        for a in range(len(v)):
            v[a] -= share * Q[i, a]
    return v


@njit(cache=True)
def put(v: Array, rows: Array, i: int) -> None:
    """Write a vector into a row; a slice on the left takes seconds to compile."""
    for a in range(len(v)):
        rows[i, a] = v[a]


@njit(cache=True)
def ascended(S: Array, rows: Array, counts: Indices) -> Array:
    """Replace each row in turn by a truncated power step of what the others leave, until no support changes.

    Parameters
    ----------
    S : ndarray of shape (d, d)
        Read only, as for all of these functions, so that there is one compiled form.
    rows : ndarray of shape (r, d)
        The loadings to start from.
    counts : ndarray of int, shape (r,)

    Returns
    -------
    ndarray of shape (r, d)
    """
    rows, Q, changed, n_sweeps = rows.copy(), np.empty(rows.shape), True, 0
    while changed and n_sweeps < SWEEPS:
        changed, n_sweeps = False, n_sweeps + 1
        for j in range(len(rows)):
            m = 0
            for i in range(len(rows)):
                q = without(Q, m, without(Q, m, rows[i].copy()))  # once more for what rounding left
                if i != j and math.sqrt(inner(q, q)) > CLOSE:
                    put(scaled(q), Q, m)
                    m += 1
            w = cut(without(Q, m, product(S, True, without(Q, m, rows[j].copy()))), counts[j])
            changed = changed or other_support(w, rows[j])
            put(w, rows, j)
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
