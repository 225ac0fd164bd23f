"""The starts that a method takes by default: what short truncated ascents come to, and the leading eigenvector.

The ascents begin at features whose rows of S have large entries, see `row_sums`, and at the leading eigenvector.  All
follows from S, and nothing from the order of the features, unless some are alike.
"""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices, read_only, unit
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import inner, kth_largest, product, scaled, truncated_steps
from spcabench_methods.core.moments import Gram, SecondMoments, small
from spcabench_methods.core.signs import ties

FEW = 64
"""Of so few features LAPACK finds the leading eigenvector."""
NEAR = 1e-6
"""The residual of the eigenvector of more, as a share of its eigenvalue."""
BASIS, CHECKED, RESTARTS = 32, 4, 8
"""So many vectors span where it is sought, after so many each it is looked for, and so often all begins anew."""
ALL = 320
"""The rows of so few features are all compared if S is formed; of more the `promising` ones."""
BESIDE = 64
"""So many promising features beside as many as shall be nonzero."""
MOST, SHARE = 128, 0.25
"""With more nonzeros, or a larger share of the features, no rows are compared: there is little to choose among."""
LONGEST = 64
"""So many of the longest rows are compared."""
ROWS = 12
"""The most ascents that begin at a feature."""
STEPS = 6
"""The truncated steps of an ascent."""


def default_starts(moments: SecondMoments, k: int) -> list[Array]:
    """Return unit vectors to start from: the end of the best short ascent to k nonzeros, and the leading eigenvector.

    Parameters
    ----------
    moments : SecondMoments
    k : int
        The nonzeros of the component.
    """
    leading = leading_vector(moments)
    return [ascended(moments, leading, k), leading]


def leader(moments: SecondMoments, k: int) -> Array:
    """Return the end of the best short ascent to k nonzeros; of a single one the feature of largest variance."""
    if k == 1:
        return axis(moments, peak(moments, moments.diagonal))
    return ascended(moments, leading_vector(moments), k)


def leading_vector(moments: SecondMoments) -> Array:
    """Return the leading eigenvector, of many features up to `NEAR`."""
    few = small(moments)
    if moments.n_features <= FEW or few is None:
        return moments.principal(1)[1][:, 0]
    return _lanczos(*few, unit(np.random.default_rng(0).standard_normal(moments.n_features)))


@njit(cache=True, nogil=True)
def _lanczos(A: Array, whole: bool, start: Array) -> Array:
    """Find the leading eigenvector of S, or of a few samples, by Lanczos steps that begin anew after some.

    Calls of ARPACK take longer than these steps with a small matrix.
    """
    w = start
    for _ in range(RESTARTS):
        basis, T = np.zeros((BASIS, len(w))), np.zeros((BASIS, BASIS))
        rest = w
        for m in range(BASIS):
            basis[m] = scaled(rest)
            rest = product(A, whole, basis[m])
            T[m, m] = inner(basis[m], rest)
            for j in range(m, -1, -1):
                share = inner(basis[j], rest)
                for i in range(len(rest)):
                    rest[i] -= share * basis[j, i]
            length = math.sqrt(inner(rest, rest))
            if m % CHECKED == CHECKED - 1 or length <= NEAR * T[0, 0]:
                values, vectors = np.linalg.eigh(np.ascontiguousarray(T[: m + 1, : m + 1]))
                w = scaled(vectors[:, m].copy() @ basis[: m + 1])
                if length * abs(vectors[m, m]) <= NEAR * values[m]:
                    return w
            if m + 1 < BASIS:
                T[m + 1, m] = T[m, m + 1] = length
    return w


def ascended(moments: SecondMoments, leading: Array, k: int) -> Array:
    """Return the end of the best short ascent, or a leading eigenvector where there is little to choose among."""
    features = promising(moments, leading, k)
    if not len(features):
        return leading
    S = moments.S if isinstance(moments, Gram) and len(features) == len(leading) else moments.submatrix(features)
    w = np.zeros(len(leading))
    w[features] = _best_end(read_only(S), leading[features], k)
    return w


def distant_features(moments: SecondMoments, k: int, n: int) -> list[Array]:
    """Return up to n features whose rows of S are large, none among the large entries of the row of another."""
    features = promising(moments, leading_vector(moments), k)
    if not len(features):
        return []
    return [axis(moments, features[i]) for i in _apart(read_only(moments.submatrix(features)), k, n)]


def promising(moments: SecondMoments, leading: Array, k: int) -> Indices:
    """Return the features whose rows are compared, ascending: those of large entries of a vector and of variances.

    All of few; none where there is little to choose among.
    """
    d = moments.n_features
    if no_choice(d, k):
        return np.arange(0)
    if d <= (ALL if isinstance(moments, Gram) else FEW):
        return np.arange(d)
    size = np.abs(leading) / np.abs(leading).max()
    variances = np.round(moments.diagonal / moments.diagonal.max(), 9) + 1e-10 * size
    return np.unique(np.concatenate([_top(size, k + BESIDE), _top(variances, k + BESIDE)]))


def no_choice(d: int, k: int) -> bool:
    """Return whether k nonzeros are so large a share of d features that there is little to choose among."""
    return d > FEW and (k > MOST or k > SHARE * d)


def _top(values: Array, n: int) -> Indices:
    return np.argpartition(-values, n)[:n] if n < len(values) else np.arange(len(values))


@njit(cache=True, nogil=True)
def row_sums(S: Array, k: int) -> Array:
    """Return the sum of the k largest magnitudes of each of the longest rows of S, its variance always among them.

    The largest eigenvalue of S on k features is at most the largest of the sums of these features (Gershgorin).  It is
    zero for the other rows.
    """
    d = len(S)
    sums, row, norms = np.zeros(d), np.empty(d), np.empty(d)
    for i in range(d):
        norms[i] = inner(S[i], S[i])
    least = (1.0 - TIE) * kth_largest(norms, min(LONGEST, d))
    for i in range(d):
        if norms[i] < least:
            continue
        for j in range(d):
            row[j] = abs(S[i, j])
        row[i] = 0.0
        sums[i], room = S[i, i], min(k, d) - 1
        if room > 0:
            smallest = kth_largest(row, room)
            for j in range(d):
                if row[j] > smallest:
                    sums[i] += row[j]
                    room -= 1
            sums[i] += room * smallest
    return sums


@njit(cache=True, nogil=True)
def _best_end(S: Array, leading: Array, k: int) -> Array:
    """Return the end of largest variance of short ascents from a vector, and from features in the order of their sums.

    No support is better than the best so far whose features all have sums that are no larger.
    """
    best, most, _, _ = truncated_steps(S, True, product(S, True, leading), leading, k, 0.0, STEPS)
    sums = row_sums(S, k)
    for _ in range(min(ROWS, len(S))):
        i = ties(sums)[0]
        if sums[i] <= (1.0 + TIE) * most:
            break
        sums[i] = 0.0
        w, variance, _, _ = truncated_steps(S, True, S[i].copy(), leading, k, 0.0, STEPS)
        if variance > (1.0 + TIE) * most:
            best, most = w, variance
    return best


@njit(cache=True)
def _apart(S: Array, k: int, n: int) -> list[int]:
    """Return at most n rows of a matrix by their sums, none among the k largest entries of another."""
    sums = row_sums(S, k)
    found = [ties(sums)[0]]
    while len(found) < n and k < len(S):
        row = np.abs(S[found[-1]])
        least = kth_largest(row, k)
        for i in range(len(S)):
            if row[i] >= least or i == found[-1]:
                sums[i] = 0.0
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
