"""How many components are beyond chance: parallel analysis, for rows that are independent and for rows in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.linalg import eigh

from spcabench_methods.core.arrays import EPS, Array, largest, read_only, unit
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.selection.span import MOST_FEATURES, powers

SIZES = (3, 8, 20)
"""Nonzeros of the loadings that are tried if there are more features than samples."""
TWICE = 2.0
"""Of loadings beyond chance the sparsest are taken, unless others have more than so many times the variance beyond."""
TINY = 1e-12
FEWEST, FAR = 4, 10.0
"""Samples without correlation that are always drawn, and by how many of their deviations a component that is beyond
doubt exceeds them; of fewer than nine samples by more, as their deviation is less certain."""
LEAST_LEFT = 0.5
"""Of the share of a feature that components leave: what is left of one that makes a component alone is its noise."""


def without_correlation(X: Array, count: int, in_order: bool, random: RandomSource) -> Iterator[Array]:
    """Yield samples whose columns keep their values and are not correlated any more but by chance.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    count : int
    in_order : bool
        Whether rows that follow each other may be alike.  Each column is then turned by an offset of its own, which
        keeps what is alike; otherwise it is permuted.
    random : RandomState or Generator
    """
    n, d = X.shape
    values, first, low = X.T.ravel(), n * np.arange(d)[:, None], 1 << n.bit_length()
    for _ in range(count):
        if in_order:
            places = (np.arange(n) + (random.random(d) * n).astype(np.intp)[:, None]) % n
        else:
            keys = (np.ascontiguousarray(random.random(X.shape).T) * 2.0**53).astype(np.int64)
            places = np.sort(keys & -low | np.arange(n)) & low - 1  # as np.argsort(keys), in less than half the time
        yield values.take(places + first).T


def best(X: Array, sizes: Sequence[int]) -> tuple[Array, Array]:
    """Return unit loadings that reach much variance, with so many nonzeros and dense, and the variances.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    sizes : sequence of int

    Returns
    -------
    W : ndarray of shape (n_features, len(sizes) + 1)
    variances : ndarray of shape (len(sizes) + 1,)
    """
    tall = len(X) > X.shape[1]
    gram = X.T @ X if tall else X @ X.T
    U = eigh(gram, subset_by_index=[len(gram) - 1, len(gram) - 1])[1][:, 0]
    W = np.zeros((X.shape[1], len(sizes) + 1))
    W[:, -1] = U if tall else unit(X.T @ U)
    if sizes:
        sums = np.einsum("ij,ij->i", X.T, X.T @ gram)  # of squared covariances
        kept = largest(sums, MOST_FEATURES)
        S = X[:, kept].T @ X[:, kept]
        start = S[int(np.sum(S**2, axis=0).argmax())]
        W[kept, :-1] = np.column_stack([powers(read_only(S), start, k) for k in sizes])
    return W, np.sum((X @ W) ** 2, axis=0) / len(X)


def scree(X: Array, most: int, n_permutations: int, in_order: bool, random: RandomSource) -> tuple[int, Array]:
    """Count the components that exceed chance, each in what the scores of those before it leave.

    A component's variance is the leading eigenvalue.  If there are more features than samples, noise has large
    eigenvalues, and loadings with 3, 8 and 20 nonzeros are tried too: of each the logarithm of the variance is
    standardised over the samples and B samples without correlation, and the largest decides.  A component that is not
    there is counted with probability 1 / (B + 1).  Drawing ends early where the answer is known: after four samples, as
    soon as one of them reaches the component, or none is near it (within ten of their standard deviations, and more of
    fewer than nine).  A component's score is that of the sparsest loadings beyond chance, unless others have more than
    twice the variance beyond that of chance: dense ones mix blocks of equal strength.

    What j components leave has lost dimensions, samples without correlation have all: so these get the variance that a
    feature had without the loss.  If h is its sum of squares in the j unit vectors, it has lost the share h; it is
    multiplied by 1 / (1 - h), at most 2, and at least by m / (m - j), m the smaller of n_samples - 1 and n_features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    most : int
        The largest answer.
    n_permutations : int
        Samples without correlation, B of them at most.
    in_order, random
        As of `without_correlation`.

    Returns
    -------
    count : int
    variances : ndarray of shape (2, at most count + 1)
        That of each component in the first row, what chance reaches in the second.

    References
    ----------
    E. Dobriban and A. B. Owen, Deterministic parallel analysis, Journal of the Royal Statistical Society B 81, 2019,
    163-183, for the removal of components; A. Buja and N. Eyuboglu, Multivariate Behavioral Research 27, 1992, 509-540.
    """
    found: list[tuple[float, float]] = []
    least = EPS * float(np.sum(X**2)) / len(X)
    rank, lost = min(len(X) - 1, X.shape[1]), np.zeros(X.shape[1])
    sizes = SIZES if X.shape[1] > len(X) else ()
    for before in range(min(most + 1, rank)):
        W, own = best(X, sizes)
        restored = X / np.sqrt(np.maximum(np.minimum(1.0 - lost, 1.0 - before / rank), LEAST_LEFT))
        values = [own]
        for one in without_correlation(restored, n_permutations, in_order, random):
            values.append(best(one, sizes)[1])
            logs = np.log(np.maximum(values, least or 1.0))
            spread = np.maximum(logs.std(axis=0), TINY)
            standard = (logs - logs.mean(axis=0)) / spread
            beyond = standard[0] > standard[1:].max()
            above = ((logs[0] - logs[1:].mean(axis=0)) / np.maximum(logs[1:].std(axis=0), TINY)).max()
            doubt = standard[1:].max() < above < FAR * max(1.0, 9 / (len(values) - 1))
            if len(values) > FEWEST and not doubt:
                break
        excess = own - np.mean(values[1:], axis=0)
        enough = beyond & (np.maximum.accumulate(excess[::-1])[::-1] <= TWICE * excess)
        j = int(enough.argmax() if enough.any() else standard[0].argmax())
        chance = np.exp(logs[:, j].mean() + spread[j] * standard[1:].max())
        found.append((float(own[j]), float(chance)))
        if own[j] <= max(chance, least):
            break
        score = X @ W[:, j]
        X, lost = X - np.outer(score, score @ X) / (score @ score), lost + W[:, j] ** 2
    return min(sum(own > max(chance, least) for own, chance in found), most), np.array(found).T
