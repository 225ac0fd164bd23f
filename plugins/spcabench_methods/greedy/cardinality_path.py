"""The base of the greedy methods: one support for each cardinality, and the estimator that chooses from them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import check_whole
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated
from spcabench_methods.core.path_table import PathArrays, path_table, rows_to_keep
from spcabench_methods.core.signs import positive_peak
from spcabench_methods.greedy.leading_pair import LeadingPair
from spcabench_methods.greedy.polish import Polish


@dataclass(frozen=True, eq=False)
class CardinalityPath:
    """The loadings that a greedy search found, one for each cardinality that it reached.

    Parameters
    ----------
    n_features : int
        The length of a loading.
    found : mapping of int to LeadingPair
        The best result by cardinality.
    """

    n_features: int
    found: Mapping[int, LeadingPair]

    @property
    def cardinalities(self) -> NDArray[np.int64]:
        """The cardinalities, ascending."""
        return np.array(sorted(self.found))

    @property
    def variance(self) -> Array:
        """The variances w'Sw, with the deflated S, by ascending cardinality."""
        return np.array([self.found[k].variance for k in self.cardinalities])

    def at_cardinality(self, k: int) -> Array:
        """Return the loading with k nonzeros, or with fewer if no more features vary."""
        return positive_peak(self.nearest(k).loading(self.n_features))

    def nearest(self, k: int) -> LeadingPair:
        """Return the result with k nonzeros, or with fewer if no more features vary."""
        first, last = min(self.found), max(self.found)
        check_whole("k", k, first)
        return self.found[min(k, last)]

    def table(self, n_points: int = 200, n_features: int = 40) -> PathArrays:
        """Return some loadings as arrays, from dense to sparse; see `path_table`.

        Parameters
        ----------
        n_points : int, default=200
            The most loadings; those of the smallest cardinalities are among them.
        n_features : int, default=40
            The most features; the table keeps those that stay longest.
        """
        falling = self.cardinalities[::-1]
        steps = rows_to_keep(falling, np.arange(len(falling), dtype=float), n_points)
        loadings = np.array([self.at_cardinality(k) for k in falling[steps]])
        return path_table(steps, loadings, self.variance[::-1][steps], n_features)


Found = Callable[[SecondMoments, int, int], Iterator[LeadingPair]]
"""``found(rest, j, k)`` searches for component j at least up or down to cardinality k; the better of two results of
one cardinality counts."""


@dataclass(eq=False, repr=False, kw_only=True)
class GreedyComponents(Deflated, Counted):
    """Base of the greedy methods.  A subclass implements `_search`."""

    polish: bool | None = None
    whole_path: bool = False

    @abstractmethod
    def _search(self, n_features: int) -> tuple[Found, Polish | None]:
        """Return the search of a fit, and the exchanges after it, if any."""

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        d = moments.n_features
        counts = self._counts(d)
        paths: list[CardinalityPath | None] = []
        search, polish = self._search(d)

        def find(rest: SecondMoments, j: int) -> Component:
            path, n_iter = collected(d, search(rest, j, min(counts[j], int(np.count_nonzero(rest.diagonal)))))
            paths.append(path)
            found = path.nearest(counts[j])
            if polish is not None:
                found = polish(rest, found)
            return Component(found.loading(d), found.variance, n_iter)

        yield from self._one_by_one(moments, find)
        self.path_ = paths + [None] * (self.n_components - len(paths))


def collected(n_features: int, finds: Iterator[LeadingPair]) -> tuple[CardinalityPath, int]:
    """Keep the best result of each cardinality; count all results."""
    best: dict[int, LeadingPair] = {}
    n_finds = 0
    for found in finds:
        k = len(found.support)
        n_finds += 1
        if k not in best or found.variance > best[k].variance:
            best[k] = found
    return CardinalityPath(n_features, best), n_finds
