"""The starts that a method takes by default: features with large rows of S, and the leading eigenvector.

A feature of largest variance says little where all variances are equal.  The row of a feature in a good support has
large entries at the others.  All follows from S, and nothing from the order of the features, unless some are alike.
"""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices, read_only, unit
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import ranked
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import first_largest, ties

FEW = 64
"""Up to so many features all rows are compared, and the leading eigenvector is found."""
MARGIN = 64
"""With more features, so many are compared beside as many of large entries of what comes near that eigenvector."""
MOST, SHARE = 128, 0.25
"""With more nonzeros, or a larger share of the features, no rows are compared: there is little to choose among."""
ROWS = 32
"""So many of the longest rows are compared by their large entries."""
TIED = 16
"""So many features that tie for the largest variance are told apart by their rows of S."""
STEPS = 3
"""The Lanczos steps that lead near the leading eigenvector."""


def default_starts(moments: SecondMoments, k: int) -> list[Array]:
    """Return unit vectors to start from: two features, and the leading eigenvector or what comes near it.

    The first feature is that whose row of S has the largest norm on k entries, the second the best one that is not
    among these entries.  With many features only some are compared, by their entries among these, see `promising`.

    Parameters
    ----------
    moments : SecondMoments
    k : int
        The nonzeros of the component.
    """
    leading = near_leading(moments)
    return [*_axes(moments, promising(moments, leading, k), k, 2), leading]


def distant_features(moments: SecondMoments, k: int, n: int) -> list[Array]:
    """Return up to n features whose rows of S are large, none among the large entries of the row of another."""
    return _axes(moments, promising(moments, near_leading(moments), k), k, n)


def _axes(moments: SecondMoments, features: Indices, k: int, n: int) -> list[Array]:
    return [axis(moments, features[i]) for i in distant_rows(moments.submatrix(features), k, n)]


def near_leading(moments: SecondMoments) -> Array:
    """Return the leading eigenvector of few features, otherwise what some Lanczos steps from a row of S come to."""
    d = moments.n_features
    if d <= FEW:
        return moments.principal(1)[1][:, 0]
    tied = np.flatnonzero(moments.diagonal >= (1.0 - TIE) * moments.diagonal.max())[:TIED]
    rows = moments.columns(tied).T
    basis, products = np.zeros((STEPS, d)), np.zeros((STEPS, d))
    rest = rows[first_largest(np.einsum("ij,ij->i", rows, rows))]
    for m in range(STEPS):
        basis[m] = unit(rest - basis[:m].T @ (basis[:m] @ rest))
        products[m] = rest = moments.matvec(basis[m])
    return unit(np.linalg.eigh(basis @ products.T)[1][:, -1] @ products)


def promising(moments: SecondMoments, leading: Array, k: int) -> Indices:
    """Return the features whose rows are compared, ascending: those of large entries of a vector and of variances.

    All of few; none where there is little to choose among.
    """
    d = moments.n_features
    if d <= FEW:
        return np.arange(d)
    if k > MOST or k > SHARE * d:
        return np.arange(0)
    size = np.abs(leading) / np.abs(leading).max()
    variances = np.round(moments.diagonal / moments.diagonal.max(), 9) + 1e-10 * size
    return np.unique(np.concatenate([_top(size, k + MARGIN), _top(variances, k + MARGIN)]))


def _top(values: Array, n: int) -> Indices:
    return np.argpartition(-values, n)[:n] if n < len(values) else np.arange(len(values))


def distant_rows(S: Array, k: int, n: int) -> list[int]:
    """Return at most n rows of a matrix S of the largest norms on k entries, none among these entries of another."""
    if not len(S):
        return []
    longest = np.sort(_top(np.einsum("ij,ij->i", S, S), ROWS))
    return [int(longest[m]) for m in _apart(read_only(S[longest]), longest, k, n)]


@njit(cache=True)
def _apart(rows: Array, features: Indices, k: int, n: int) -> list[int]:
    """Return at most n of some rows of S, those of `features`, by the sums of their k largest squares."""
    m, d = rows.shape
    squares, least, sums = rows**2, np.zeros(m), np.zeros(m)
    for a in range(m):
        least[a] = ranked(squares[a].copy(), max(d - k, 0))
        above = 0
        for j in range(d):
            if squares[a, j] > least[a]:
                sums[a] += squares[a, j]
                above += 1
        sums[a] += (min(k, d) - above) * least[a]
    found = [ties(sums)[0]]
    while len(found) < n and k < d:
        last = found[-1]
        for b in range(m):
            if squares[last, features[b]] >= least[last]:
                sums[b] = 0.0
        sums[last] = 0.0
        if sums.max() == 0.0:
            break
        found.append(ties(sums)[0])
    return found


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
