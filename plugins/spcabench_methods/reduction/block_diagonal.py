"""Block-diagonal reduction: small covariances count as zero, and another method solves the blocks that are left."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse.csgraph import connected_components
from sklearn.base import clone
from sklearn.utils._param_validation import HasMethods

from spcabench_methods.certified.bounds import largest_eigenvalue, row_bound, trace_bound
from spcabench_methods.core.arrays import TIE, Array, Indices, spread
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number, whole, words
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Whole
from spcabench_methods.core.signs import first_largest
from spcabench_methods.greedy.branch_and_bound import ExactSPCA
from spcabench_methods.greedy.gspca import GSPCA
from spcabench_methods.power.tpower import TPower

METHODS: Mapping[str, Callable[[], Any]] = {
    "exact": ExactSPCA,
    "greedy": lambda: GSPCA(direction="forward", polish=True),
    "tpower": TPower,
}
"""What the words for a method stand for."""
SMALL = 30
"""The most features of a block where none is given, unless there are more nonzeros."""


class Inner(HasMethods):  # type: ignore[misc]
    """An estimator that finds one component of a covariance, with a number of nonzeros."""

    def __init__(self) -> None:
        super().__init__(["fit", "set_params"])

    def is_satisfied_by(self, val: Any) -> bool:
        """Return whether a value has the parameters that are set for each block."""
        named = all(hasattr(val, name) for name in ("n_components", "n_nonzero", "covariance"))
        return named and bool(super().is_satisfied_by(val))

    def __str__(self) -> str:
        return "an estimator with the parameters n_components, n_nonzero and covariance"


@dataclass(eq=False, repr=False, kw_only=True)
class BlockDiagonal(Whole, Deflated, Counted):
    """Sparse principal components of one block of features each, found by any method.

    With S = X'X/n of centred X, features are connected where ``|S_ij| > eps``; the connected ones are blocks.  Another
    method finds a loading of at most `n_nonzero` features in each block, from the covariances within it, and the one of
    largest variance is kept.  A block is left out if its largest eigenvalue, the sum of its k largest variances or the
    largest sum of k magnitudes in a row shows that it has no better one.  If the inner method is exact, the variance
    w'Sw of the loading is at most (k - 1) eps below the optimum, as what lies between the blocks is worth no more.

    S is always formed, in O(n d^2), so that samples of more than 16384 features raise an error; blocks and bounds cost
    O(d^2), and the inner method what it costs on blocks.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; fewer if the best block is smaller;
        n_features or more: no truncation.  None: the square root of n_features, rounded up.
    inner : {"exact", "greedy", "tpower"} or estimator, default="exact"
        The method for a block: `ExactSPCA`, `GSPCA` that adds and then exchanges features, `TPower`, or an estimator
        with the parameters n_components, n_nonzero and covariance.
    eps : float or None, default=None
        At least 0, in the units of S (a variance).  None: the smallest that `max_block` allows.
    max_block : int or None, default=None
        At least 1.  The most features of a block, unless `eps` is given.  None: 30, or `n_nonzero` if that is more.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S, iterations are blocks that the inner method
        solved.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    upper_bound_ : ndarray of shape (n_components,)
        An upper bound of w'Sw over all loadings with k nonzeros, with the deflated S: that of the blocks and
        (k - 1) eps, or the largest eigenvalue of S.
    eps_ : ndarray of shape (n_components,)
        The eps of each component.
    block_ : list of ndarray of int, of length n_components
        The features of the block that each loading comes from.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.

    Notes
    -----
    The paper chooses eps by the noise, or by a binary search; a limit to the size of blocks stands for both here, and
    its default is not from the paper.

    References
    ----------
    A. Del Pia, D. Zhou and Y. Zhu, Efficient sparse PCA via block-diagonalization, International Conference on Learning
    Representations, 2025, arXiv:2410.14092.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import BlockDiagonal
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> reduced = BlockDiagonal(n_components=1, n_nonzero=2, max_block=2, covariance="precomputed").fit(S)
    >>> reduced.components_.round(3), reduced.eps_, reduced.upper_bound_.round(3)
    (array([[0.707, 0.707, 0.   ]]), array([0.1]), array([6.004]))
    """

    inner: Any = "exact"
    eps: float | None = None
    max_block: int | None = None

    _parameter_constraints = SHARED | {
        "inner": [words("exact", "greedy", "tpower"), Inner()],
        "eps": [None, number()],
        "max_block": [None, whole(1)],
    }
    _may_miss = True
    _proves = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        self.eps_ = np.zeros(self.n_components)
        self.block_ = [np.empty(0, dtype=np.intp)] * self.n_components

        def find(rest: SecondMoments, j: int) -> Component:
            varying = np.flatnonzero(rest.diagonal)
            S = self._matrix(rest).restricted(varying).S
            eps = smallest_eps(S, self.max_block or max(SMALL, counts[j])) if self.eps is None else self.eps
            search = Blocks(S, counts[j], self._method())
            found = search.best(blocks_above(S, eps))
            loading = spread(found.loading, varying[found.block], rest.n_features)
            value = rest.quadratic(loading)
            bound = min(search.bound + (counts[j] - 1) * eps, largest_eigenvalue(S))
            self.eps_[j], self.block_[j] = eps, varying[found.block]
            return Component(loading, value, search.n_solved, search.converged, max(bound, value))

        yield from self._one_by_one(moments, find)

    def _method(self) -> Any:
        """Return a new inner estimator."""
        return METHODS[self.inner]() if isinstance(self.inner, str) else clone(self.inner)


class OnBlock(NamedTuple):
    """A loading on the features of a block, and its variance."""

    block: Indices
    loading: Array
    value: float


class Blocks:
    """A search for the block with the loading of largest variance.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        With a positive diagonal.
    k : int
    inner : estimator

    Attributes
    ----------
    bound : float
        No loading of k features in one block has a larger variance.
    n_solved : int
        How many blocks the inner method, or a single feature, solved.
    converged : bool
        Whether the inner method always converged.
    """

    def __init__(self, S: Array, k: int, inner: Any) -> None:
        self.S, self.k, self.inner = S, k, inner
        self.bound, self.n_solved, self.converged = 0.0, 0, True

    def best(self, blocks: Sequence[Indices]) -> OnBlock:
        """Solve blocks in the order of their bounds, as long as these exceed the best variance so far."""
        peak = first_largest(self.S.diagonal())
        best = OnBlock(np.array([peak]), np.ones(1), float(self.S[peak, peak]))
        self.bound, self.n_solved = best.value, 1
        larger = [(self._bound(block), block) for block in blocks if len(block) > 1]
        for bound, block in sorted(larger, key=lambda pair: -pair[0]):
            if bound <= (1.0 + TIE) * best.value:
                break
            found = self._solved(block, bound)
            if found.value > (1.0 + TIE) * best.value:
                best = found
        return best

    def _bound(self, block: Indices) -> float:
        inner, k = self.S[np.ix_(block, block)], min(self.k, len(block))
        return min(largest_eigenvalue(inner), trace_bound(inner, k), row_bound(inner, k))

    def _solved(self, block: Indices, bound: float) -> OnBlock:
        inner = self.S[np.ix_(block, block)]
        method = self.inner.set_params(n_components=1, n_nonzero=min(self.k, len(block)), covariance="precomputed")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # converged and exact_cardinality_ say it of the whole
            method.fit(inner)
        loading = np.asarray(method.components_[0], dtype=np.float64)
        self.n_solved += 1
        self.converged = self.converged and bool(np.all(getattr(method, "converged_", True)))
        proved = float(method.upper_bound_[0]) if isinstance(method, ExactSPCA) else bound
        self.bound = max(self.bound, min(proved, bound))
        return OnBlock(block, loading, float(loading @ inner @ loading))


def blocks_above(S: Array, eps: float) -> list[Indices]:
    """Return the connected features of the graph with an edge where ``|S_ij| > eps``, each ascending."""
    n_blocks, labels = connected_components(np.abs(S) > eps, directed=False)
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.searchsorted(labels[order], np.arange(1, n_blocks)))


def smallest_eps(S: Array, max_block: int) -> float:
    """Return the smallest eps with no block of more than `max_block` features.

    Blocks merge as eps falls: it is the magnitude of the covariance that would make the first block too large, 0 if
    there is none.
    """
    if len(S) <= max_block:
        return 0.0
    merges = linkage(-np.abs(S[np.triu_indices(len(S), 1)]), method="single")
    too_large = merges[:, 3] > max_block
    return -float(merges[too_large.argmax(), 2])
