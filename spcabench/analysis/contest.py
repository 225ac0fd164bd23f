"""Methods that meet on the same data sets: their ranks, and what can be said of pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.intervals import Interval, bootstrap_interval
from spcabench.analysis.over_datasets import tiers, wilcoxon_holm, wins

Matrix = NDArray[np.float64]

ROUNDING = 1e-9


def middle(values: Sequence[float], failed: int) -> float:
    """Return one number for several draws: the mean; where any failed the median, in which failures are the worst.

    Parameters
    ----------
    values : sequence of float
        Of the draws that did not fail, larger is better.
    failed : int
        How many did.  A failure has no size, so it must not enter a mean.

    Returns
    -------
    float
        nan, a failure, where the median is one.

    Examples
    --------
    >>> middle([1.0, 2.0, 6.0], 0), middle([1.0, 2.0, 6.0], 1), middle([1.0], 1)
    (3.0, 1.5, nan)
    """
    if not failed:
        return float(np.mean(values))
    found = float(np.median([*values, *[-math.inf] * failed]))
    return found if math.isfinite(found) else math.nan


@dataclass(frozen=True, eq=False)
class Contest:
    """Methods that meet on the same data sets.

    Parameters
    ----------
    methods : tuple of str, length m
        Their labels.
    values : ndarray of shape (n_rows, m)
        On one scale over the rows, larger is better; nan is a failure.
    tolerance : ndarray of shape (n_rows,)
        Values that differ by no more are ties.
    datasets : tuple of str, length n_rows
        Rows of one data set (targets, or tracks) are averaged first: they are no data sets of their own.
    families : tuple of str, length n_rows
        Data sets of one family are resampled together.
    """

    methods: tuple[str, ...]
    values: Matrix
    tolerance: Matrix
    datasets: tuple[str, ...]
    families: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The data sets, each once."""
        return tuple(dict.fromkeys(self.datasets))

    @cached_property
    def means(self) -> Matrix:
        """The mean over the rows of each data set, shape (n_datasets, m); nan where any failed."""
        return self._averaged(self.values)

    @cached_property
    def margins(self) -> Matrix:
        """The mean tolerance of each data set, shape (n_datasets,)."""
        return self._averaged(self.tolerance)

    @cached_property
    def ranks(self) -> Matrix:
        """The rank on each data set, 1 the best, shape (n_datasets, m): that of the mean rank over its rows."""
        pairs = zip(self.values, self.tolerance, strict=True)
        rows = self._averaged(np.array([midranks(row, close) for row, close in pairs]))
        return np.array([midranks(-row, ROUNDING) for row in rows])

    def _averaged(self, numbers: Matrix) -> Matrix:
        rows = np.array(self.datasets)
        return np.array([numbers[rows == name].mean(axis=0) for name in self.names])

    @cached_property
    def mean_ranks(self) -> Matrix:
        """The mean rank of each method over the data sets, shape (m,)."""
        means: Matrix = self.ranks.mean(axis=0)
        return means

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """The 95 % interval of each mean rank: bootstrap over the families of data sets."""
        family = dict(zip(self.datasets, self.families, strict=True))
        return tuple(bootstrap_interval(column, [family[name] for name in self.names]) for column in self.ranks.T)

    @cached_property
    def p(self) -> Matrix:
        """That the two methods of a pair are alike: signed-rank tests, adjusted for all pairs; shape (m, m)."""
        return wilcoxon_holm(self.means)

    @cached_property
    def wins(self) -> NDArray[np.int64]:
        """Entry (a, b): on how many data sets a is above b by more than the tolerance; shape (m, m)."""
        return wins(self.means, self.margins[:, None, None])

    @cached_property
    def tiers(self) -> tuple[int, ...]:
        """Groups of methods that are tied: 1 are those that may be the best, 2 those that may be of the rest, ..."""
        close = float(self.margins.mean())
        return tuple(tiers(self.means, close, close))

    @property
    def leader(self) -> int:
        """The place of the method with the best mean rank."""
        return int(self.mean_ranks.argmin())

    def among(self, methods: Sequence[str]) -> Contest:
        """Return the contest among some of the methods, in their order: ranks are those among them alone."""
        places = [self.methods.index(method) for method in methods]
        return replace(self, methods=tuple(methods), values=self.values[:, places])

    def by_rank(self) -> Contest:
        """Return the same contest with the best mean rank first."""
        return self.among([self.methods[place] for place in np.argsort(self.mean_ranks, kind="stable")])
