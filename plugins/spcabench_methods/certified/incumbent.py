"""The support that a proof starts from: short searches from many starts, the best ends polished."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spcabench_methods.certified.weighted_rows import row_sums
from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.moments import Gram
from spcabench_methods.core.signs import first_largest
from spcabench_methods.greedy.exchanges import swapped
from spcabench_methods.greedy.leading_pair import LeadingPair
from spcabench_methods.greedy.pathspca import forward

N_ROWS, N_POLISHED, MOST_STEPS = 12, 3, 100
"""Rows that are starts, ends that are polished, and steps of a search."""


def incumbent(moments: Gram, k: int, leading: Array) -> LeadingPair:
    """Search for the k features with the largest eigenvalue.

    Parameters
    ----------
    moments : Gram
        Every feature varies.
    k : int
        The cardinality, less than n_features.
    leading : ndarray of shape (n_features,)
        The leading eigenvector of S.

    Returns
    -------
    LeadingPair
        The best of the ends after exchanges of single features.
    """
    ends = {
        found.support.tobytes(): found for found in (risen(moments, start) for start in starts(moments, k, leading))
    }
    best = sorted(ends.values(), key=lambda found: -found.variance)[:N_POLISHED]
    return max((swapped(moments, found) for found in best), key=lambda found: found.variance)


def starts(moments: Gram, k: int, leading: Array) -> Iterator[Indices]:
    """Return supports to start from: of PCA, of the variances, of the largest rows, and the greedy one."""
    S, everything = moments.S, np.arange(len(moments.S))
    yield largest(np.abs(leading), k)
    yield largest(moments.diagonal, k)
    sums, *_ = row_sums(S, everything, np.zeros(len(S), dtype=bool), k, np.ones(len(S)))
    for i in np.argsort(-sums, kind="stable")[:N_ROWS]:
        row = np.abs(S[i])
        row[i] = np.inf
        yield largest(row, k)
    *_, greedy = forward(moments, first_largest(moments.diagonal), k, full=False)
    yield greedy.support


def risen(moments: Gram, support: Indices) -> LeadingPair:
    """Take the k largest entries of S w for the best w on the support, until that explains no more."""
    found = LeadingPair.on(moments, support)
    for _ in range(MOST_STEPS):
        Sw = moments.matvec(found.loading(moments.n_features))
        after = LeadingPair.on(moments, largest(np.abs(Sw), len(support)))
        if after.variance <= found.variance:
            break
        found = after
    return found


def largest(values: Array, k: int) -> Indices:
    """Return where the k largest values are, ascending; the first of equal ones."""
    return np.sort(np.argsort(-values, kind="stable")[:k])


def of_cardinality(moments: Gram, loading: Array, k: int) -> Indices | None:
    """Return the k largest entries of a loading, filled up by the largest variances; None if fewer features vary."""
    order = np.lexsort((-moments.diagonal, -np.abs(loading)))
    order = order[moments.diagonal[order] > 0]
    return np.sort(order[:k]) if len(order) >= k else None
