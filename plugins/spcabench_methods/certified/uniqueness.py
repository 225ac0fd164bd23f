"""Whether the best support is the only one that is as good: each other one lacks some feature of it."""

from __future__ import annotations

import time

import numpy as np

from spcabench_methods.certified.search import Search
from spcabench_methods.core.arrays import Indices
from spcabench_methods.core.moments import Gram

MARGIN = 1e-6
"""Another support is as good if its largest eigenvalue is this share less, or more."""

STEP = 50
"""Nodes of a search between looks at whether it has decided."""


class Uniqueness:
    """For each feature of the best support, a search for the best support without it; it can be stopped, and goes on.

    Parameters
    ----------
    moments : Gram
        Second moments; not changed.
    support : ndarray of int
        The best support, with fewer features than there are.
    """

    def __init__(self, moments: Gram, support: Indices) -> None:
        self._target = moments.leading_pair(support)[0] * (1.0 - MARGIN)
        self._moments, self._left, self._k = moments, list(support), len(support)
        self._search: Search | None = None
        self.unique: bool | None = None
        """True if no other support is as good, False if one is known; None as long as neither is shown."""

    def run(self, seconds: float) -> None:
        """Search until it is decided, or for so many seconds."""
        end = time.monotonic() + seconds
        while self.unique is None and time.monotonic() <= end:
            if not self._left:
                self.unique = True
            elif self._decided(end):
                self._left.pop()
                self._search = None

    def _decided(self, end: float) -> bool:
        """Go on with the feature at hand; return whether no support without it is as good."""
        if self._search is None:
            others = np.delete(np.arange(self._moments.n_features), self._left[-1])
            self._search = Search(self._moments.restricted(others), self._k, MARGIN / 20)
        search = self._search
        if search.value >= self._target:
            self.unique = False
        elif search.upper_bound >= self._target:
            search.run(search.n_nodes + STEP, search.elapsed + end - time.monotonic())
        return search.upper_bound < self._target
