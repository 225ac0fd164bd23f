"""Branch and bound over supports, from a good one, best first, with a bound that is valid whenever it stops."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator

import numpy as np

from spcabench_methods.certified.bounds import largest_eigenvalue
from spcabench_methods.certified.node import Bounder, Node
from spcabench_methods.certified.weighted_rows import row_sums
from spcabench_methods.core.arrays import Array, Indices, largest
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import Gram
from spcabench_methods.core.signs import first_largest
from spcabench_methods.greedy.leading_pair import LeadingPair
from spcabench_methods.greedy.pathspca import forward
from spcabench_methods.greedy.polish import swapped

N_ROWS, N_POLISHED, MOST_STEPS = 12, 3, 100
"""Rows that are starts, ends that are polished, and steps of a search."""


def incumbent(moments: Gram, k: int, leading: Array) -> LeadingPair:
    """Search for the k features with the largest eigenvalue.

    Parameters
    ----------
    moments : Gram
        Every feature varies.
    k : int
        The cardinality, less than n_features.
    leading : ndarray of shape (n_features,)
        The leading eigenvector of S.

    Returns
    -------
    LeadingPair
        The best of the ends after exchanges of single features.
    """
    ends = {
        found.support.tobytes(): found for found in (risen(moments, start) for start in starts(moments, k, leading))
    }
    best = sorted(ends.values(), key=lambda found: -found.variance)[:N_POLISHED]
    return max((swapped(moments, found) for found in best), key=lambda found: found.variance)


def starts(moments: Gram, k: int, leading: Array) -> Iterator[Indices]:
    """Return supports to start from: of PCA, of the variances, of the largest rows, and the greedy one."""
    S, everything = moments.S, np.arange(len(moments.S))
    yield largest(np.abs(leading), k)
    yield largest(moments.diagonal, k)
    sums, *_ = row_sums(S, everything, np.zeros(len(S), dtype=bool), k, np.ones(len(S)))
    for i in np.argsort(-sums, kind="stable")[:N_ROWS]:
        row = np.abs(S[i])
        row[i] = np.inf
        yield largest(row, k)
    *_, greedy = forward(moments, first_largest(moments.diagonal), k, full=False)
    yield greedy.support


def risen(moments: Gram, support: Indices) -> LeadingPair:
    """Take the k largest entries of S w for the best w on the support, until that explains no more."""
    found = LeadingPair.on(moments, support)
    for _ in range(MOST_STEPS):
        Sw = moments.matvec(found.loading(moments.n_features))
        after = LeadingPair.on(moments, largest(np.abs(Sw), len(support)))
        if after.variance <= found.variance:
            break
        found = after
    return found


def of_cardinality(moments: Gram, loading: Array, k: int) -> Indices | None:
    """Return the k largest entries of a loading, filled up by the largest variances; None if fewer features vary."""
    order = np.lexsort((-moments.diagonal, -np.abs(loading)))
    order = order[moments.diagonal[order] > 0]
    return np.sort(order[:k]) if len(order) >= k else None


LEAST_WEIGHT = 0.05
"""Of the leading eigenvector's entries, as starting weights of the root, and the largest 1."""

MOST_HELD = 20_000_000
"""If the open nodes have more features than this in all, the newest is split first, which needs little memory."""


class Search:
    """A search for the k features on which S has the largest eigenvalue; it can be stopped at any node.

    Parameters
    ----------
    moments : Gram
        Second moments; not changed.
    k : int
        The cardinality, at least 1.
    tol : float
        The relative gap at which it ends, at least 1e-13.
    support : ndarray of int, optional
        A support known before, such as that of the cardinality before and one feature more.

    Attributes
    ----------
    support : ndarray of int
        The best support so far, ascending.
    value : float
        The largest eigenvalue of S on it.
    upper_bound : float
        What no support of k features exceeds; valid at any moment.
    n_nodes : int
        Nodes that were bounded.
    n_fixed_in, n_fixed_out : int
        Features that a bound showed to be in every better support, or in none, counted node by node.
    """

    def __init__(self, moments: Gram, k: int, tol: float, support: Indices | None = None) -> None:
        self._begin = time.monotonic()
        varying = np.flatnonzero(moments.diagonal)
        self._features, self._moments = varying, moments
        if len(varying) < moments.n_features:
            self._moments = Gram(moments.submatrix(varying))
        self.k, self.tol = min(k, len(varying)), tol
        self.n_nodes = 0
        self._open: list[tuple[float, int, Node]] = []
        self._newest: list[Node] = []
        self._n_pushed = 0
        self._found = self._first(support)
        self._bounder = Bounder(self._moments.S, self.k, tol)

    def _first(self, support: Indices | None) -> LeadingPair:
        """Find the first incumbent, and open the root if there is anything to prove."""
        d, diagonal = len(self._features), self._moments.diagonal
        if self.k in (0, d):
            everything = np.arange(d)
            return LeadingPair.on(self._moments, everything) if d else LeadingPair(everything, np.empty(0), 0.0)
        if self.k == 1:
            return LeadingPair.on(self._moments, largest(diagonal, 1))
        _, vectors = leading_eigenvectors(self._moments.S, 1)
        entries = np.abs(vectors[:, 0])
        found = incumbent(self._moments, self.k, entries)
        if support is not None:
            known = swapped(self._moments, LeadingPair.on(self._moments, np.searchsorted(self._features, support)))
            found = max(found, known, key=lambda one: one.variance)
        bound = largest_eigenvalue(self._moments.S)
        self._push(Node(np.empty(0, dtype=np.intp), np.arange(d), start_weights(entries), bound), -math.inf)
        return found

    @property
    def support(self) -> Indices:
        """The best support so far, ascending."""
        return self._features[self._found.support]

    @property
    def value(self) -> float:
        """The largest eigenvalue of S on `support`."""
        return float(self._found.variance)

    @property
    def n_fixed_in(self) -> int:
        """Features that a bound showed to be in every better support of a node, summed over the nodes."""
        return self._bounder.n_fixed_in

    @property
    def n_fixed_out(self) -> int:
        """Features that a bound showed to be in no better support of a node, summed over the nodes."""
        return self._bounder.n_fixed_out

    @property
    def upper_bound(self) -> float:
        """What no support of k features exceeds."""
        largest_open = max(
            [*(-bound for bound, *_ in self._open[:1]), *(node.bound for node in self._newest)], default=0.0
        )
        proved_already = self.k in (0, 1, len(self._features))
        return max(self.value, largest_open) if proved_already else max(self._cut, largest_open)

    @property
    def elapsed(self) -> float:
        """Seconds since the search was made."""
        return time.monotonic() - self._begin

    @property
    def _cut(self) -> float:
        return self.value * (1.0 + self.tol)

    def run(self, max_nodes: int, seconds: float) -> None:
        """Bound nodes until the best support is proved optimal, or a limit is reached.

        Parameters
        ----------
        max_nodes : int
            Of this search in all.
        seconds : float
            Since the search was made.
        """
        end = self._begin + seconds
        while (node := self._next()) is not None:
            if self.n_nodes >= max_nodes or time.monotonic() > end:
                self._newest.append(node)
                break
            try:
                self._visit(node, end)
            except BaseException:  # an interrupted search may go on, and its bound must hold
                self._newest.append(node)
                raise
        self.n_nodes = max(self.n_nodes, 1)

    def _next(self) -> Node | None:
        """Take a node that may hold something better."""
        while self._newest:
            node = self._newest.pop()
            if node.bound > self._cut:
                return node
        if self._open and -self._open[0][0] > self._cut:
            return heapq.heappop(self._open)[2]
        self._open.clear()
        return None

    def _visit(self, node: Node, end: float) -> None:
        self.n_nodes += 1
        after = self._bounder.bounded(node, self._cut, end)
        if not isinstance(after, Node):
            if len(after):
                self._consider(after)
            return
        heaviest = largest(after.weights, self.k - len(after.fixed))
        self._consider(np.sort(np.append(after.fixed, after.free[heaviest])))
        for inside in (True, False):
            self._push(after.child(inside), self._cut)

    def _push(self, node: Node, cut: float) -> None:
        if node.bound <= cut:
            return
        if len(self._open) * len(self._features) >= MOST_HELD:
            self._newest.append(node)
        else:
            self._n_pushed += 1
            heapq.heappush(self._open, (-node.bound, self._n_pushed, node))

    def _consider(self, support: Indices) -> None:
        """Keep a support if it is better, and exchange its features while that helps."""
        found = LeadingPair.on(self._moments, support)
        if found.variance > self._found.variance:
            self._found = swapped(self._moments, found)


def start_weights(entries: Array) -> Array:
    """Return weights of the root from magnitudes of the leading eigenvector."""
    return np.asarray(np.maximum(entries / entries.max(), LEAST_WEIGHT))
