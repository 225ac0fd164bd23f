"""How many nonzeros each component has: chosen for all together, by what their span keeps of held-out samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array, spread
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.selection.span import Rows, matched

GRID = (*range(1, 14), 15, 17, 20, 25, 30, 40, 60, 90, 130, 200)
"""The cardinalities that are tried if none are given."""
LEVELS = np.linspace(0.9, 0.1, 12)
"""Components of unequal sizes: features whose correlation is above these shares of the largest one."""
PATIENCE = 5
"""So many larger choices that keep no more end the search."""
DIVISIONS, MOST_WORK = 3, 250
"""So often the samples are divided into folds, as one division decides by chance; once if there are more searched
features, times components, as that takes long."""
SURE = 3.0
"""Standard errors by which more nonzeros, of unequal components, must be better than equal ones."""
SAME = 0.5
"""A half finds a component again if it has at least this share of what either has."""
Counts = tuple[int, ...]


@dataclass(frozen=True)
class Held:
    """What was tried, and what it keeps.

    Parameters
    ----------
    counts : list of tuple of int
        The nonzeros of each component, few in all first.
    shares : ndarray of shape (n_divisions * n_folds, n_tried)
        The shares of the variance of each fold in the span of the loadings of the others.
    dense : float
        The mean share in the span of as many principal components.
    chosen : int
        The place of what was chosen.
    """

    counts: list[Counts]
    shares: Array
    dense: float
    chosen: int


def choose(X: Array, r: int, grid: Sequence[int], n_folds: int, random: RandomSource) -> Held:
    """Choose the nonzeros of each of r components.

    The fewest are chosen whose held-out span is within one standard error of the best.  The error is that of the
    mean difference over the folds of several divisions of the samples.  Unequal components that have more nonzeros
    than equal ones must be better by three.
    """
    whole = Rows.of(X, r)
    order = whole.fit([max(1, min(grid[-1], X.shape[1] // r))] * r) if r > 1 else np.ones((X.shape[1], 1))
    whole = whole.like(order)
    n_folds = min(n_folds, len(X))
    several = n_folds < len(X) and r * len(whole.kept) <= MOST_WORK
    orders = [random.permutation(len(X)) for _ in range(DIVISIONS if several else 1)]
    folds = [_Fold.of(X, part, r, order) for rows in orders for part in np.array_split(rows, n_folds)]
    tried: list[Counts] = []
    columns: list[Array] = []
    means: list[float] = []
    for counts in sorted(_offered(whole, r, grid), key=lambda one: (sum(one), one)):
        tried.append(counts)
        columns.append(np.array([fold.held_out(counts) for fold in folds]))
        means.append(float(columns[-1].mean()))
        if len(means) - 1 - int(np.argmax(means)) >= PATIENCE:
            break
    shares = np.column_stack(columns)
    dense = float(np.mean([fold.dense() for fold in folds]))
    return Held(tried, shares, dense, _place(tried, shares, n_folds))


def _offered(whole: Rows, r: int, grid: Sequence[int]) -> set[Counts]:
    """Return what is tried: equal components, and unequal ones as correlations suggest them."""
    found: set[Counts] = {(k,) * r for k in grid}
    sizes = whole.correlations
    if r > 1 and len(grid) > 1:
        for level in LEVELS * sizes.max():
            found.add(tuple(int(k) for k in np.clip((sizes > level).sum(axis=0), 1, grid[-1])))
    return found


def _place(tried: Sequence[Counts], shares: Array, n_folds: int) -> int:
    found = one_standard_error(shares, n_folds)
    equal = [place for place, counts in enumerate(tried) if len(set(counts)) == 1]
    if not equal:
        return found
    simple = equal[one_standard_error(shares[:, equal], n_folds)]
    gain = shares[:, found] - shares[:, simple]
    unsure = gain.mean() <= SURE * standard_error(gain, n_folds)
    return simple if sum(tried[found]) > sum(tried[simple]) and unsure else found


def one_standard_error(held_out: Array, n_folds: int) -> int:
    """Return the place of the first column within one standard error of the best.

    The standard error is that of the difference to the best, fold by fold.  The variance of the score is common to all
    and drops out; the error of the mean itself, which is usual, is mostly that variance.

    Examples
    --------
    >>> one_standard_error(np.array([[1.0, 3.0, 3.1], [2.0, 5.0, 4.9], [1.5, 4.0, 4.2]]), 3)
    1
    """
    best = int(held_out.mean(axis=0).argmax())
    lost = held_out[:, [best]] - held_out
    return int(np.argmax(lost.mean(axis=0) <= standard_error(lost, n_folds)))


def standard_error(values: Array, n_folds: int) -> Array:
    """Return the standard error of the means of columns with a row a fold, of one or several divisions of samples.

    ``s sqrt(1/J + 1/(n_folds - 1))`` for J rows with standard deviation s: fits to folds share samples (C. Nadeau and
    Y. Bengio, Machine Learning 52, 2003, 239-281, section 3).
    """
    return np.asarray(values.std(axis=0, ddof=1) * np.sqrt(1 / len(values) + 1 / (n_folds - 1)))


@dataclass
class _Fold:
    """Rows that are fitted, and those that are held out; the last loadings start the next."""

    rows: Rows
    outside: Array
    last: tuple[Array, ...] = ()

    @classmethod
    def of(cls, X: Array, part: NDArray[np.intp], r: int, order: Array) -> _Fold:
        inside = np.ones(len(X), dtype=bool)
        inside[part] = False
        mean = X[inside].mean(axis=0)
        return cls(Rows.of(X[inside] - mean, r).like(order), X[part] - mean)

    def held_out(self, counts: Counts) -> float:
        self.last = (self.rows.fit(counts, *self.last),)
        return self._share(self.last[0])

    def dense(self) -> float:
        return self._share(spread(self.rows.V, self.rows.kept, self.rows.d))

    def _share(self, W: Array) -> float:
        total = float(np.sum(self.outside**2))
        return float(np.sum((self.outside @ orthonormal_basis(W)) ** 2)) / total if total else 0.0


def halves(X: Array, count: int, random: RandomSource) -> Iterator[Array]:
    """Yield centred halves of the samples, in pairs that share no row (Shah and Samworth 2013)."""
    half = len(X) // 2
    for _ in range(-(-count // 2)):
        order = random.permutation(len(X))
        for rows in (order[:half], order[half : 2 * half]):
            yield X[rows] - X[rows].mean(axis=0)


def found_again(X: Array, W: Array, count: int, random: RandomSource) -> tuple[Array, Array]:
    """Fit halves of the samples with as many nonzeros, and compare supports.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    W : ndarray of shape (n_features, r)
        The loadings of all samples.
    count : int
        Halves.

    Returns
    -------
    frequencies : ndarray of shape (r, n_features)
        The share of the halves whose component selects a feature.
    again : ndarray of shape (r,)
        The share of the halves whose component shares half or more of the features that either has.
    """
    counts = np.count_nonzero(W, axis=0).tolist()
    drawn_halves = islice(halves(X, count, random), count)
    drawn = [matched(W, Rows.of(half, W.shape[1]).like(W).fit(counts)) != 0.0 for half in drawn_halves]
    supports, own = np.array(drawn), W != 0.0
    common, either = (supports & own).sum(axis=1), (supports | own).sum(axis=1)
    return supports.mean(axis=0).T, np.asarray((common >= SAME * either).mean(axis=0))
