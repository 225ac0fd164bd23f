"""The starts that a method takes by default: features with large rows of S, and the leading eigenvector.

A feature of largest variance says little where all variances are equal.  The row of a feature in a good support has
large entries at the others.  Nothing here depends on the order of the features, unless some are alike.
"""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.largest_sums import largest_sums
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.signs import TIE, first_largest
from spcabench_methods.core.unit import unit

COMPARED = 16
"""With many features only so many rows are compared by their k largest entries."""
FEW = 64
"""Up to so many features all rows are compared."""
AT_ONCE = 8
"""So many rows are held at once."""
DECOMPOSED = 400
"""With more features than this, steps of the power method stand in for the leading eigenvector."""
STEPS = 8


def several(moments: SecondMoments, k: int) -> list[Array]:
    """Return unit vectors to start from: two features, and the leading eigenvector or what comes near it.

    The first feature is that whose row of S has the largest norm on k entries, the second the best one that is not
    among these entries.  With many features the rows that are compared are those of largest norm; or on samples, where
    the norms would take long, those of the largest variances and of the largest entries of the eigenvector.

    Parameters
    ----------
    moments : SecondMoments
    k : int
        The nonzeros of the component.
    """
    d = moments.n_features
    found = None if isinstance(moments, Gram) and d > DECOMPOSED else moments.principal(1)[1][:, 0]
    compared = np.arange(d) if d <= FEW else promising(moments, found)
    parts = np.array_split(compared, -(-len(compared) // AT_ONCE))
    sums = np.concatenate([largest_sums(moments.columns(part).T ** 2, k) for part in parts])
    best = first_largest(sums)
    row = moments.columns(compared[[best]])[:, 0]
    starts = [axis(moments, compared[best])]
    near = np.argpartition(-np.abs(row), k)[:k] if k < d else np.arange(d)
    apart = ~np.isin(compared, near)
    if apart.any():
        starts.append(axis(moments, compared[apart][first_largest(sums[apart])]))
    return [*starts, powers(moments, row) if found is None else found]


def promising(moments: SecondMoments, found: Array | None) -> Indices:
    """Return the features whose rows are compared."""
    if isinstance(moments, Gram):
        return np.argsort(-np.einsum("ij,ij->i", moments.S, moments.S), kind="stable")[:COMPARED]
    assert found is not None
    size = np.abs(found)
    widest = np.lexsort((-size, -np.round(moments.diagonal / moments.diagonal.max(), 11)))
    return np.union1d(np.argsort(-size, kind="stable")[:COMPARED], widest[:COMPARED])


def powers(moments: SecondMoments, start: Array) -> Array:
    """Take some steps of the power method."""
    w = unit(start)
    for _ in range(STEPS):
        w = unit(moments.matvec(w))
    return w


def axis(moments: SecondMoments, feature: int) -> Array:
    """Return the unit vector of a feature."""
    w = np.zeros(moments.n_features)
    w[feature] = 1.0
    return w


def peak(moments: SecondMoments, values: Array) -> int:
    """Return the feature of the largest of nonnegative values.

    Of those that tie it is the one of largest variance, and of these that of the largest entry of the leading
    eigenvector.
    """
    (among,) = (values >= (1.0 - TIE) * values.max()).nonzero()
    if len(among) > 1:
        among = _tied(moments.diagonal, among)
    if len(among) > 1:
        among = _tied(np.abs(moments.principal(1)[1][:, 0]), among)
    return int(among[0])


def _tied(values: Array, among: Indices) -> Indices:
    """Return those of some features whose values tie for the largest."""
    return np.asarray(among[values[among] >= (1.0 - TIE) * values[among].max()])
