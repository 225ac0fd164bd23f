"""Branch and bound over supports: the optimal loading, or the best one found and a bound on its gap."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.centred import slices
from spcabench_methods.core.checks import cardinalities
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.samples import BLOCK
from spcabench_methods.core.signs import TIE
from spcabench_methods.greedy import EXACT_PARAMETERS
from spcabench_methods.greedy.bounds import largest_sums, row_bound, trace_bound
from spcabench_methods.greedy.exchanges import swapped
from spcabench_methods.greedy.factor import triangular
from spcabench_methods.greedy.pathspca import forward
from spcabench_methods.greedy.whole_matrix import whole_matrix


class ExactSPCA(MomentComponents):
    """Certifiably optimal sparse principal components, one at a time.

    Each loading is a global solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  A node of the search fixes features F in the support and leaves others out; T are
    those not left out.  Three bounds hold for all its supports: the largest eigenvalue of S_TT, the sum of the
    variances in F and the largest others, and the largest such sum of a row of magnitudes of S.  The node of largest
    bound is split at the feature that weighs most in the leading eigenvector of S_TT: it is fixed, or left
    out.  The search starts from a greedy solution after exchanges of single features, and rounds each leading
    eigenvector to a support.  It ends when no bound exceeds the best solution by more than `tol`, or at a
    limit; then `upper_bound_` and `gap_` bound the error.  The next component is by default found in P S P with
    P = I - w w': each is optimal after the deflation of those before it.

    A node costs O(d^2) for the bounds and O(d^3) for the eigenvector; the number of nodes can be exponential.
    S is always formed, so that samples of more than 16384 features raise an error.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    tol : float, default=1e-9
        At least 0.  The relative gap below which a component counts as optimal.
    max_iter : int, default=10000
        At least 1.  The most nodes of a component.
    time_limit : float or None, default=None
        Seconds for a component, more than 0.  They include its greedy solution, which always finishes.  With a limit
        the result depends on the machine.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S, iterations are nodes, converged
        means proved optimal.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    upper_bound_ : ndarray of shape (n_components,)
        An upper bound of `objective_` over all loadings with k nonzeros, with the deflated S.
    gap_ : ndarray of shape (n_components,)
        ``(upper_bound_ - objective_) / upper_bound_``.

    References
    ----------
    L. Berk and D. Bertsimas, Certifiably optimal sparse principal component analysis, Mathematical Programming
    Computation 11, 2019, 381-420: algorithm Optimal-SPCA; here the maximum over rows is over all of T, without which
    it is no bound.
    B. Moghaddam, Y. Weiss and S. Avidan, Spectral bounds for sparse PCA: exact and greedy algorithms, Advances
    in Neural Information Processing Systems 18, 2006, 915-922: bounds by eigenvalues.
    D. Meng, H. Cui, Z. Xu and K. Jing, Following the entire solution path of sparse principal component analysis by
    coordinate-pairwise algorithm, Data and Knowledge Engineering 88, 2013, 25-36: equation (2) restates the model.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import ExactSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> exact = ExactSPCA(n_components=1, n_nonzero=2, covariance="precomputed").fit(S)
    >>> exact.components_.round(3), exact.upper_bound_.round(3)
    (array([[0.707, 0.707, 0.   ]]), array([6.]))
    """

    _parameters = EXACT_PARAMETERS
    _gram_ratio: ClassVar[float] = math.inf

    def __init__(
        self,
        n_components: int = 2,
        n_nonzero: int | Sequence[int] | None = None,
        *,
        tol: float = 1e-9,
        max_iter: int = 10_000,
        time_limit: float | None = None,
        deflation: str = "projection",
        covariance: str | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.deflation = deflation
        self.covariance = covariance

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = cardinalities(self.n_nonzero, self.n_components, moments.n_features)
        bounds = np.zeros(self.n_components)
        gaps = np.zeros(self.n_components)

        def find(rest: SecondMoments, j: int) -> Component:
            search = Search(whole_matrix(rest, type(self).__name__), counts[j], self.tol)
            search.run(self.max_iter, math.inf if self.time_limit is None else self.time_limit)
            loading = rest.leading(search.support)
            objective = rest.quadratic(loading)
            bounds[j] = max(search.upper_bound, objective)
            gaps[j] = (bounds[j] - objective) / bounds[j]
            return Component(loading, objective, search.n_nodes, bool(gaps[j] <= self.tol))

        yield from by_deflation(moments, find, self.n_components, self.deflation)
        self.upper_bound_, self.gap_ = bounds, gaps


class Leader(NamedTuple):
    """The features not left out, ascending, with the leading eigenvalue of S on them and magnitudes of its vector."""

    features: Indices
    value: float
    weights: Array


class Node(NamedTuple):
    """A set of supports; the node of largest bound sorts first."""

    minus_bound: float
    number: int
    fixed: Indices
    leader: Leader


class Search:
    """A search for the best k features, which can stop at any node.

    Parameters
    ----------
    moments : Gram
        Not changed.
    k : int
        The cardinality.
    tol : float
        The relative gap at which the search ends.
    """

    def __init__(self, moments: Gram, k: int, tol: float) -> None:
        self._begin = time.monotonic()
        varying = np.flatnonzero(moments.diagonal)
        self.S = moments.S
        self.k, self.tol = min(k, len(varying)), tol
        self.n_nodes = 0
        self.upper_bound = np.inf
        self.support, self.value = varying[:0], 0.0
        self._closed = 0.0
        self._open: list[Node] = []
        self._n_created = 0
        rows = slices(len(self.S), max(1, BLOCK // len(self.S)))
        self._row_sums = np.concatenate([largest_sums(np.abs(self.S[block]), self.k) for block in rows])
        self._factor = triangular(self.S)
        *_, greedy = forward(moments, self.k, full=False)
        self._consider(swapped(moments, greedy).support)
        self._create(varying[:0], self._rounded(varying[:0], varying), np.inf)

    def run(self, max_nodes: int, seconds: float) -> None:
        """Split the node of largest bound until the solution is proved optimal, or a limit is reached.

        The seconds count from the construction of the search.
        """
        end = self._begin + seconds
        while self._open and -self._open[0].minus_bound > self._target:
            if self.n_nodes >= max_nodes or time.monotonic() > end:
                break
            self._split(heapq.heappop(self._open))
        largest = -self._open[0].minus_bound if self._open else 0.0
        self.upper_bound = max(self.value, self._closed, largest)
        self.n_nodes = max(self.n_nodes, 1)

    @property
    def _target(self) -> float:
        """The bound that a node must exceed to be split."""
        return self.value * (1.0 + self.tol)

    def _split(self, node: Node) -> None:
        self.n_nodes += 1
        features, _, weights = node.leader
        undecided = ~np.isin(features, node.fixed, assume_unique=True)
        branch = int(np.argmax(np.where(undecided, weights, -1.0)))
        fixed = np.append(node.fixed, features[branch])
        self._create(fixed, node.leader, -node.minus_bound)
        self._create(node.fixed, self._rounded(node.fixed, np.delete(features, branch)), -node.minus_bound)

    def _create(self, fixed: Indices, leader: Leader, parent_bound: float) -> None:
        """Bound a node; keep it if it may contain a better support, evaluate it if it has only one."""
        features = leader.features
        free = np.setdiff1d(features, fixed, assume_unique=True)
        m = self.k - len(fixed)
        if m == 0 or len(features) == self.k:
            self._consider(np.sort(fixed) if m == 0 else features)
            return
        bound = min(parent_bound, leader.value, trace_bound(self.S, fixed, free, m))
        if bound > self._target:
            bound = min(bound, self._row_bound(fixed, free, features, bound))
        if bound > self._target:
            self._n_created += 1
            heapq.heappush(self._open, Node(-bound, self._n_created, fixed, leader))
        else:
            self._closed = max(self._closed, bound)

    def _row_bound(self, fixed: Indices, free: Indices, features: Indices, useful: float) -> float:
        """Find the row bound if it is below `useful`; skip rows with a small sum at the root."""
        sums, m = self._row_sums[features], self.k - len(fixed)
        least = row_bound(self.S, fixed, free, m, features[[np.argmax(sums)]])
        return least if least >= useful else row_bound(self.S, fixed, free, m, features[sums >= (1.0 - TIE) * least])

    def _rounded(self, fixed: Indices, features: Indices) -> Leader:
        """Find the leader of `features`, and consider the fixed features with its heaviest others as a support."""
        leader = self._leader(features)
        weights = np.where(np.isin(features, fixed, assume_unique=True), np.inf, leader.weights)
        self._consider(features[np.sort(np.argsort(-weights, kind="stable")[: self.k])])
        return leader

    def _leader(self, features: Indices) -> Leader:
        if len(features) <= 2 * len(self._factor):
            values, vectors = leading_eigenvectors(self.S[np.ix_(features, features)], 1)
            return Leader(features, float(values[0]), np.abs(vectors[:, 0]))
        A = self._factor[:, features]
        values, vectors = leading_eigenvectors(A @ A.T, 1)
        return Leader(features, float(values[0]), np.abs(vectors[:, 0] @ A))

    def _consider(self, support: Indices) -> None:
        """Keep a support if it is the best so far."""
        value = self._leader(support).value
        if value > self.value:
            self.support, self.value = support, value
