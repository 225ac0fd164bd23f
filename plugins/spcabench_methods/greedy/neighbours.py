"""The largest eigenvalues of S on all supports that have one feature more, or one less, at the price of one.

With S = U diag(l) U' on the support, each is a root of a secular equation in l and U.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.moments import Data, SecondMoments
from spcabench_methods.core.signs import TIE

MAX_STEPS = 100


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
    """Give the largest eigenvalue of S on `support` and one of `candidates`, for each of them."""
    corners = moments.diagonal[candidates]
    if not len(support):
        return corners
    known = spectrum(moments, support)
    return bordered(known.values, _projections(moments, support, known.vectors)[candidates] ** 2, corners)


def with_one_less(known: Spectrum) -> Array:
    """Give the largest eigenvalue of S on the support without one of its features, for each of them.

    It lies between the two largest eigenvalues, where the sum of u_ij^2 / (x - l_j) over j, decreasing in x,
    is zero.
    """
    values, squares = known.values, known.vectors**2
    null = np.maximum(1.0 - squares.sum(axis=1), 0.0)
    low = np.full(len(squares), values[1] if len(values) > 1 else 0.0)
    high = np.full(len(squares), values[0])
    smallest = EPS * values[0]
    for _ in range(MAX_STEPS):
        x = 0.5 * (low + high)
        gaps = x[:, None] - values
        gaps[np.abs(gaps) < smallest] = smallest
        right = np.sum(squares / gaps, axis=1) + null / np.maximum(x, smallest) > 0.0
        low, high = np.where(right, x, low), np.where(right, high, x)
        if np.max(high - low) <= 2.0 * smallest:
            break
    return np.asarray(0.5 * (low + high))


def bordered(values: Array, squares: Array, corners: Array) -> Array:
    """Give the largest roots x of x = c + sum of p_j / (x - l_j), for each corner c and row p of `squares`.

    Newton steps rise to the root from the larger eigenvalue of the 2 x 2 matrix that is left if only the
    leading eigenvector is kept.
    """
    top = values[0]
    leading = squares[:, values >= (1.0 - TIE) * top].sum(axis=1)
    x = 0.5 * (top + corners) + np.hypot(0.5 * (top - corners), np.sqrt(leading))
    smallest = EPS * top
    for _ in range(MAX_STEPS):
        gaps = np.maximum(x[:, None] - values, smallest)
        shares = squares / gaps
        excess = corners + shares.sum(axis=1) - x
        step = np.maximum(excess, 0.0) / (1.0 + np.sum(shares / gaps, axis=1))
        x = x + step
        if np.max(step, initial=0.0) <= smallest:
            break
    return np.asarray(x)


def _projections(moments: SecondMoments, support: Indices, vectors: Array) -> Array:
    """Give S times `vectors`, which live on `support`."""
    if not isinstance(moments, Data):
        return np.asarray(moments.columns(support) @ vectors)
    W = np.zeros((moments.n_features, vectors.shape[1]))
    W[support] = vectors
    return moments.matvec(W)
