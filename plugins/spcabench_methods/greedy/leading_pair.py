"""A support with its leading eigenvector, and the eigenvalues on all supports with one feature more, or one less."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from spcabench_methods.core.arrays import EPS, TIE, Array, Indices, spread
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments import Data, SecondMoments


class LeadingPair(NamedTuple):
    """A support, ascending, the leading eigenvector on it, and its eigenvalue."""

    support: Indices
    weights: Array
    variance: float

    @classmethod
    def on(cls, moments: SecondMoments, support: Indices) -> Self:
        """Find the leading eigenvector on a support of features that vary."""
        variance, weights = moments.leading_pair(support)
        return cls(support, weights, variance)

    def same(self, other: LeadingPair) -> bool:
        """Return whether the supports are the same; variances mostly show it at once."""
        return self.variance == other.variance and np.array_equal(self.support, other.support)

    def loading(self, n_features: int) -> Array:
        """Return the loading, of shape (n_features,)."""
        w = np.zeros(n_features)
        w[self.support] = self.weights
        return w


def others(moments: SecondMoments, support: Indices) -> Indices:
    """Return the varying features outside `support`."""
    outside = moments.diagonal > 0.0
    outside[support] = False
    return outside.nonzero()[0]


MAX_STEPS = 100


@njit(cache=True, error_model="numpy")
def bordered(values: Array, squares: Array, corners: Array) -> Array:
    """Return the largest root x of ``x = c + sum of p_j / (x - l_j)``, for each corner c and row p of `squares`.

    Newton steps increase to the root from the larger eigenvalue of the 2 x 2 matrix of the candidate and the leading
    eigenvector alone.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Eigenvalues l, at least one.
    squares : ndarray of shape (n_candidates, m)
        Squares of the new column of S in terms of the eigenvectors.
    corners : ndarray of shape (n_candidates,)
        Variances of the candidates.

    Returns
    -------
    ndarray of shape (n_candidates,)
    """
    roots, top = np.empty_like(corners), values.max()
    smallest = EPS * top
    for i in range(len(corners)):
        leading = 0.0
        for j in range(len(values)):
            if values[j] >= (1.0 - TIE) * top:
                leading += squares[i, j]
        half = 0.5 * (top - corners[i])
        x = 0.5 * (top + corners[i]) + np.sqrt(half * half + leading)
        for _ in range(MAX_STEPS):
            excess, slope = corners[i] - x, 1.0
            for j in range(len(values)):
                gap = x - values[j] if x - values[j] > smallest else smallest
                excess += squares[i, j] / gap
                slope += squares[i, j] / (gap * gap)
            step = excess / slope if excess > 0.0 else 0.0
            x += step
            if step <= smallest:
                break
        roots[i] = x
    return roots


@njit(cache=True, error_model="numpy")
def interlaced(values: Array, squares: Array) -> Array:
    """Return the root between the two largest eigenvalues of ``sum of u_ij^2 / (x - l_j) = 0``, for each row i.

    The sum decreases with x; the interval is halved until its length is a rounding error.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Eigenvalues l, descending.
    squares : ndarray of shape (k, m)
        Squares of the eigenvectors; the rest of each row's sum, up to 1, belongs to the eigenvalue 0.

    Returns
    -------
    ndarray of shape (k,)
    """
    roots = np.empty(len(squares))
    smallest = EPS * values[0]
    for i in range(len(squares)):
        rest = max(1.0 - squares[i].sum(), 0.0)
        low, high = values[1] if len(values) > 1 else 0.0, values[0]
        for _ in range(MAX_STEPS):
            x = 0.5 * (low + high)
            total = rest / max(x, smallest)
            for j in range(len(values)):
                gap = x - values[j]
                total += squares[i, j] / (gap if abs(gap) >= smallest else smallest)
            if total > 0.0:
                low = x
            else:
                high = x
            if high - low <= 2.0 * smallest:
                break
        roots[i] = 0.5 * (low + high)
    return roots


class Spectrum(NamedTuple):
    """Eigenvalues, descending, and eigenvectors as columns of S on a support; zero past the rank."""

    values: Array
    vectors: Array


def spectrum(moments: SecondMoments, support: Indices) -> Spectrum:
    """Decompose S on `support`, or as much of it as the samples span."""
    inner = moments.restricted(support)
    rank = min(len(support), len(inner.X)) if isinstance(inner, Data) else len(support)
    return Spectrum(*inner.principal(rank))


def with_one_more(moments: SecondMoments, support: Indices, candidates: Indices) -> Array:
    """Return the largest eigenvalue of S on `support` and one of `candidates`, for each of them."""
    corners = moments.diagonal[candidates]
    if not len(support):
        return corners
    known = spectrum(moments, support)
    return bordered(known.values, _projections(moments, support, known.vectors)[candidates] ** 2, corners)


def with_one_less(known: Spectrum) -> Array:
    """Return the largest eigenvalue of S on the support without one of its features, for each of them."""
    return np.asarray(interlaced(known.values, np.ascontiguousarray(known.vectors) ** 2))


def _projections(moments: SecondMoments, support: Indices, vectors: Array) -> Array:
    """Return S times `vectors`, which live on `support`."""
    if not isinstance(moments, Data):
        return np.asarray(moments.columns(support) @ vectors)
    return moments.matvec(spread(vectors, support, moments.n_features))
