"""How much random subsets of the features make of each feature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jobs import each
from spcabench_methods.core.moments import Data, Gram, SecondMoments
from spcabench_methods.core.randomness import RandomSource

FEW_FEATURES, FEW_GROUPS, MANY_GROUPS, SHARE = 500, 300, 600, 3
"""Up to so many features there are so many groups, beyond it twice as many; a group has a third as many subsets."""


class Votes(Protocol):
    """The parameters of an estimator that say how many subsets are drawn."""

    n_groups: int | None
    n_draws: int | None
    subset_size: int | None
    n_jobs: int | None


def support_by_votes(estimator: Votes, moments: SecondMoments, k: int, r: int, random: RandomSource) -> Indices:
    """Return the k varying features of most importance for r components, ascending; all if no more vary."""
    (varying,) = moments.diagonal.nonzero()
    if k >= len(varying):
        return varying
    size = min(estimator.subset_size or k, len(varying))
    n_groups = estimator.n_groups or (FEW_GROUPS if moments.n_features <= FEW_FEATURES else MANY_GROUPS)
    n_draws = estimator.n_draws or max(1, n_groups // SHARE)
    groups = drawn_groups(varying, size, n_groups, n_draws, random)
    weights = importance(moments, groups, r, estimator.n_jobs)
    order = np.lexsort((-moments.diagonal, -weights))
    return np.sort(order[:k])


def drawn_groups(varying: Indices, size: int, n_groups: int, n_draws: int, random: RandomSource) -> Iterator[Indices]:
    """Draw groups of subsets of `size` varying features, which are rows."""
    order = np.tile(np.arange(len(varying)), (n_draws, 1))
    return (varying[random_subsets(order, size, random)] for _ in range(n_groups))


def importance(moments: SecondMoments, groups: Iterable[Indices], r: int, n_jobs: int | None) -> Array:
    """Return the importance of each feature.

    Of each group of subsets of the features the one counts on which the r largest eigenvalues of S have the largest
    sum.  With these eigenvalues l_t, the next one l and unit eigenvectors v_t, feature j of the subset gets
    ``sum_t (l_t - l) v_tj^2``; the importance is the mean over the groups.
    """
    votes = each(lambda group: vote(moments, group, r), groups, n_jobs)
    weights = np.zeros(moments.n_features)
    for subset, shares in votes:
        weights[subset] += shares
    return weights / len(votes)


def vote(moments: SecondMoments, group: Indices, r: int) -> tuple[Indices, Array]:
    """Return the best subset of a group, and what each of its features gets."""
    blocks = submatrices(moments, group)
    best = int(np.argmax(np.linalg.eigvalsh(blocks)[:, -r:].sum(axis=1)))
    values, vectors = np.linalg.eigh(blocks[best])
    next_one = values[-r - 1] if len(values) > r else 0.0
    return group[best], vectors[:, -r:] ** 2 @ (values[-r:] - next_one)


def random_subsets(order: Indices, size: int, random: RandomSource) -> Indices:
    """Exchange entries of each row, a permutation, so that its first `size` are a uniform random subset of it."""
    n_rows, n = order.shape
    rows = np.arange(n_rows)
    for first, shares in enumerate(random.random((size, n_rows))):
        other = first + (shares * (n - first)).astype(np.intp)
        order[rows, first], order[rows, other] = order[rows, other], order[rows, first]
    return order[:, :size]


def submatrices(moments: SecondMoments, subsets: Indices) -> Array:
    """Return S on each of some subsets of the features, which are rows."""
    if isinstance(moments, Gram):
        return np.asarray(moments.S[subsets[:, :, None], subsets[:, None, :]])
    assert isinstance(moments, Data)
    samples = map(moments.samples, subsets)
    return np.array([columns.T @ columns / len(columns) for columns in samples])
