"""How much random subsets of the features make of each feature."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.base import MomentComponents
from spcabench_methods.core.centred import is_sparse, slices
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.core.constraints import SHARED, whole
from spcabench_methods.core.jobs import each
from spcabench_methods.core.moments import Data, Gram, OutOfCoreData, SecondMoments, data_of
from spcabench_methods.core.out_of_core import is_large_and_mapped
from spcabench_methods.core.samples import BLOCK, Samples

FEW_FEATURES, FEW_GROUPS, MANY_GROUPS, SHARE = 500, 300, 600, 3
"""Up to so many features there are so many groups, beyond it twice as many; a group has a third as many subsets."""
READING = 54
"""Reading the features of a subset from the samples takes as long as multiplying them with so many more."""
COPIED = 2**29
"""Samples of more bytes are not copied."""

Submatrices = Callable[[Indices], Array]
"""Of subsets of the features, which are rows, it returns S on each."""


@dataclass(eq=False, repr=False, kw_only=True)
class Voting(MomentComponents):
    """Base of the methods whose supports have the features that random subsets vote for."""

    n_groups: int | None = None
    n_draws: int | None = None
    subset_size: int | None = None
    random_state: int | RandomSource | None = None
    n_jobs: int | None = None

    _parameter_constraints = SHARED | {
        "n_groups": [None, whole(1)],
        "n_draws": [None, whole(1)],
        "subset_size": [None, whole(1)],
    }
    _may_miss = True
    _gram_ratio = 4.0

    @abstractmethod
    def _voted(self, n_features: int) -> list[int]:
        """Return the features of each support that is voted for."""

    def _read(self, X: Any, mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        """Centre samples where S on all subsets drawn takes less than forming S, and a copy of them is not large."""
        if self.covariance == "precomputed" or is_sparse(X) or X.nbytes > COPIED or is_large_and_mapped(X):
            return super()._read(X, mean)
        n_groups, n_draws = self._numbers(X.shape[1])
        sizes = [self.subset_size or k for k in self._voted(X.shape[1])]
        entries = n_groups * n_draws * sum(size * (size + READING) for size in sizes)
        if entries >= X.shape[1] ** 2:
            return super()._read(X, mean)
        data = data_of(X, mean)
        return mean, data, data

    def _numbers(self, n_features: int) -> tuple[int, int]:
        """Return the number of groups, and of subsets in each."""
        n_groups = self.n_groups or (FEW_GROUPS if n_features <= FEW_FEATURES else MANY_GROUPS)
        return n_groups, self.n_draws or max(1, n_groups // SHARE)

    def _support(self, moments: SecondMoments, k: int, r: int, random: RandomSource) -> Indices:
        """Return the k varying features of most importance for r components, ascending; all if no more vary."""
        (varying,) = moments.diagonal.nonzero()
        if k >= len(varying):
            return varying
        size = min(self.subset_size or k, len(varying))
        groups = drawn_groups(varying, size, *self._numbers(moments.n_features), random)
        weights = importance(moments, groups, r, self.n_jobs)
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
    submatrices = submatrices_of(moments)
    votes = each(lambda group: vote(submatrices(group), group, r), groups, n_jobs)
    weights = np.zeros(moments.n_features)
    for subset, shares in votes:
        weights[subset] += shares
    return weights / len(votes)


def vote(blocks: Array, group: Indices, r: int) -> tuple[Indices, Array]:
    """Return the best subset of a group, by S on each, and what each of its features gets."""
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


def submatrices_of(moments: SecondMoments) -> Submatrices:
    """Return the function that returns S on subsets of the features; samples in memory are transposed for it."""
    if isinstance(moments, Gram):
        S = moments.S
        return lambda subsets: np.asarray(S[subsets[:, :, None], subsets[:, None, :]])
    assert isinstance(moments, Data)
    samples = moments.samples
    if isinstance(moments, OutOfCoreData):
        return lambda subsets: np.array([products(samples(subset).T) for subset in subsets])
    features = moments.transposed()

    def from_rows(subsets: Indices) -> Array:
        at_once = max(1, BLOCK // (features.shape[1] * subsets.shape[1]))
        return np.concatenate([products(features[subsets[some]]) for some in slices(len(subsets), at_once)])

    return from_rows


def products(rows: Array) -> Array:
    """Return the mean products of rows with each other, of a matrix or of each of several."""
    found: Array = rows @ rows.swapaxes(-1, -2)
    found /= rows.shape[-1]
    return found
