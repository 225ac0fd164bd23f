"""The starts that a method takes by default: features with large rows of S, and the leading eigenvector.

A feature of largest variance says little where all variances are equal.  The row of a feature in a good support has
large entries at the others.  Nothing here depends on the order of the features, unless some are alike.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.core.largest_entries import largest
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.passes import unwritten
from spcabench_methods.core.signs import ties
from spcabench_methods.core.unit import unit

FEW = 64
"""Up to so many features all rows are compared, and the leading eigenvector is found."""
MARGIN = 64
"""With more features so many are compared beside as many of the largest entries of what comes near that eigenvector."""
STEPS = 3
"""The Lanczos steps that lead near it."""


class Pool(NamedTuple):
    """The features among which starts of a component of k nonzeros are found.

    Parameters
    ----------
    features : ndarray of int
        Ascending; all, if there are few.
    inner : Gram
        Their second moments.
    leading : ndarray of shape (n_features,)
        The leading eigenvector of S, or what comes near it.
    k : int
    """

    features: Indices
    inner: Gram
    leading: Array
    k: int

    @classmethod
    def of(cls, moments: SecondMoments, k: int) -> Self:
        """Find them."""
        d = moments.n_features
        leading = moments.principal(1)[1][:, 0] if d <= FEW else krylov(moments)
        features = np.arange(d) if d <= FEW else promising(moments, leading, k)
        inner = moments if isinstance(moments, Gram) and d <= FEW else Gram(moments.submatrix(features))
        return cls(features, inner, leading, k)

    def apart(self, n: int) -> Indices:
        """Return the positions of at most n features whose rows of S have the largest norms on k entries.

        None is among the k largest entries of the row of an earlier one.
        """
        found = np.empty(n, np.intp)
        return found[: _far_apart(unwritten(self.inner.S), self.k, found)]


@njit(cache=True)
def _far_apart(S: Array, k: int, found: Indices) -> int:
    """Find the positions that `Pool.apart` names, in a matrix S; return how many there are.

    The sum of all squares of a row bounds that of its k largest entries, which is found where it may be the most.
    """
    d = len(S)
    row, sums, known = np.empty(d), np.zeros(d), np.zeros(d, np.bool_)
    among = np.empty(k if k < d else d, np.intp)
    for i in range(d):
        for j in range(d):
            sums[i] += S[i, j] * S[i, j]
    for m in range(len(found)):
        i, settled = 0, False
        while not settled:
            i = ties(sums)[0]
            for j in range(d):
                row[j] = S[i, j]
            largest(row, among)
            settled = known[i]
            if not settled:
                sums[i], known[i] = 0.0, True
                for near in among:
                    sums[i] += row[near] * row[near]
        if m > 0 and (k >= d or sums[i] == 0.0):
            return m
        found[m] = i
        for near in among:
            sums[near], known[near] = 0.0, True
    return len(found)


def several(moments: SecondMoments, k: int) -> list[Array]:
    """Return unit vectors to start from: two features, and the leading eigenvector or what comes near it.

    The first feature is that whose row of S has the largest norm on k entries, the second the best one that is not
    among these entries.  With many features only some are compared, by their entries among these, see `promising`.

    Parameters
    ----------
    moments : SecondMoments
    k : int
        The nonzeros of the component.
    """
    pool = Pool.of(moments, k)
    return [*(axis(moments, pool.features[i]) for i in pool.apart(2)), pool.leading]


def apart(moments: SecondMoments, k: int, r: int) -> list[Array]:
    """Return up to r features whose rows of S are large, none among the large entries of the row of another."""
    pool = Pool.of(moments, k)
    return [axis(moments, pool.features[i]) for i in pool.apart(r)]


def promising(moments: SecondMoments, leading: Array, k: int) -> Indices:
    """Return the features whose rows are compared: those of large entries of a vector, and of large variances."""
    size = np.abs(leading) / np.abs(leading).max()
    variances = np.round(moments.diagonal / moments.diagonal.max(), 9) + 1e-10 * size
    return np.unique(np.concatenate([top(size, 2 * k + MARGIN // 2), top(variances, k + MARGIN)]))


def top(values: Array, n: int) -> Indices:
    """Return where the n largest values are, or all."""
    return np.argpartition(-values, n)[:n] if n < len(values) else np.arange(len(values))


def krylov(moments: SecondMoments) -> Array:
    """Return what comes near the leading eigenvector, by Lanczos steps from the longest sample or row of S."""
    basis, products = np.zeros((STEPS, moments.n_features)), np.zeros((STEPS, moments.n_features))
    rest = moments.longest_row()
    for m in range(STEPS):
        basis[m] = unit(rest - basis[:m].T @ (basis[:m] @ rest))
        products[m] = rest = moments.matvec(basis[m])
    return unit(np.linalg.eigh(basis @ products.T)[1][:, -1] @ products)


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
    first, count = ties(values)
    if count == 1:
        return first
    among = _tied(moments.diagonal, (values >= (1.0 - TIE) * values[first]).nonzero()[0])
    if len(among) > 1:
        among = _tied(np.abs(moments.principal(1)[1][:, 0]), among)
    return int(among[0])


def foremost(moments: SecondMoments, k: int) -> Indices:
    """Return the k features of largest variance, ascending, or all that vary; of those that tie as `peak` does."""
    variances = moments.diagonal
    (varying,) = variances.nonzero()
    if k >= len(varying):
        return np.asarray(varying)
    least = np.partition(variances, len(variances) - k)[len(variances) - k]
    (above,) = (variances > (1.0 + TIE) * least).nonzero()
    (among,) = ((variances >= (1.0 - TIE) * least) & (variances <= (1.0 + TIE) * least)).nonzero()
    n = k - len(above)
    if len(among) > n:
        size = np.abs(moments.principal(1)[1][among, 0])
        among = among[np.argsort(-size, kind="stable")[:n]]
    return np.sort(np.concatenate([above, among]))


def _tied(values: Array, among: Indices) -> Indices:
    """Return those of some features whose values tie for the largest."""
    return np.asarray(among[values[among] >= (1.0 - TIE) * values[among].max()])
