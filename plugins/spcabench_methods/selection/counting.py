"""How many components are beyond chance: parallel analysis, for rows that are independent and for rows in order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import eigh

from spcabench_methods.core.arrays import EPS, Array, unit
from spcabench_methods.core.checks import RandomSource

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
    for _ in range(count):
        if in_order:
            places = (np.arange(n)[:, None] + (random.random(d) * n).astype(np.intp)) % n
        else:
            places = np.argsort(random.random(X.shape), axis=0)
        yield np.take_along_axis(X, places, axis=0)


def leading(X: Array) -> tuple[float, Array, Array]:
    """Return the largest variance of centred samples, its unit vector, and the samples without their part on it."""
    tall = len(X) > X.shape[1]
    gram = X.T @ X if tall else X @ X.T
    values, vectors = eigh(gram, subset_by_index=[len(gram) - 1, len(gram) - 1])
    v = vectors[:, 0] if tall else unit(X.T @ vectors[:, 0])
    return float(max(values[0], 0.0)) / len(X), v, X - np.outer(X @ v, v)


def scree(X: Array, most: int, n_permutations: int, in_order: bool, random: RandomSource) -> tuple[int, Array]:
    """Count the leading components that exceed chance, each in what those before it leave.

    Chance reaches the largest of the leading eigenvalues of samples without correlation.  With B of them a component
    that is not there is counted with probability 1 / (B + 1).  What j components leave has lost dimensions, samples
    without correlation have all: so these get the variance that a feature had without the loss.  If h is its sum of
    squares in the j unit vectors, it has lost the share h; it is multiplied by 1 / (1 - h), at most 2, and at least by
    m / (m - j), m the smaller of n_samples - 1 and n_features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    most : int
        The largest answer.
    n_permutations : int
        Samples without correlation.
    in_order, random
        As of `without_correlation`.

    Returns
    -------
    count : int
    eigenvalues : ndarray of shape (2, at most count + 1)
        The leading eigenvalues in the first row, what chance reaches in the second.

    References
    ----------
    E. Dobriban and A. B. Owen, Deterministic parallel analysis, Journal of the Royal Statistical Society B 81, 2019,
    163-183, for the removal of components; A. Buja and N. Eyuboglu, Multivariate Behavioral Research 27, 1992, 509-540.
    """
    found: list[tuple[float, float]] = []
    least = EPS * float(np.sum(X**2)) / len(X)
    rank, lost = min(len(X) - 1, X.shape[1]), np.zeros(X.shape[1])
    for before in range(min(most + 1, rank)):
        own, v, rest = leading(X)
        restored = X / np.sqrt(np.maximum(np.minimum(1.0 - lost, 1.0 - before / rank), LEAST_LEFT))
        chance = max(_largest(one) for one in without_correlation(restored, n_permutations, in_order, random))
        found.append((own, chance))
        if own <= max(chance, least):
            break
        X, lost = rest, lost + v**2
    return min(sum(own > max(chance, least) for own, chance in found), most), np.array(found).T


def _largest(X: Array) -> float:
    gram = X.T @ X if len(X) > X.shape[1] else X @ X.T
    last = len(gram) - 1
    return float(eigh(gram, eigvals_only=True, subset_by_index=[last, last])[0]) / len(X)
