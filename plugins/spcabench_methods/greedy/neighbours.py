"""The largest eigenvalues of S on all supports with one feature more, or one less, from a single decomposition.

With S = U diag(l) U' on the support, each is a root of a secular equation in l and U.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.moments import Data, SecondMoments
from spcabench_methods.greedy.secular import bordered, interlaced


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
    W = np.zeros((moments.n_features, vectors.shape[1]))
    W[support] = vectors
    return moments.matvec(W)
