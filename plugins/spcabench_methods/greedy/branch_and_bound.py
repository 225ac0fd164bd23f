"""Branch and bound over supports: the optimal loading, or the best one found and a bound on its gap."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.certified.search import Search, of_cardinality
from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Whole


@dataclass(eq=False, repr=False, kw_only=True)
class ExactSPCA(Whole, Deflated, Counted):
    """Certifiably optimal sparse principal components, one at a time.

    Each loading is a global solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  A node of the search fixes features F in the support and leaves others out.  F is
    eliminated: for J among the others, the largest eigenvalue of S on F and J exceeds a value c if and only if that of
    G_JJ does, with G = S_UU + S_UF (c I - S_FF)^-1 S_FU.  Weighted row sums bound all J at once (see
    `spcabench_methods.certified.weighted_rows`), and fix the features that only one half of the node can have.  The
    node of largest bound is split at the feature of largest weight.  The search starts from the best of several
    supports after exchanges of single features.  It ends when no bound exceeds the best solution by more than `tol`, or
    at a limit; then `upper_bound_` and `gap_` bound the error.  The next component is by default found in P S P with
    P = I - w w': each is optimal after the deflation of those before it.

    A node costs O(d^2) for a pass of the bound and O(d^3) for an eigenvalue; the number of nodes can be exponential.
    S is always formed, so that samples of more than 16384 features raise an error.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    tol : float, default=1e-9
        At least 1e-12, which is near rounding.  The relative gap below which a component counts as optimal.
    max_iter : int, default=10000
        At least 1.  The most nodes of a component.
    time_limit : float or None, default=None
        Seconds for a component, more than 0.  They include its greedy solution, which always finishes.  With a limit
        the result depends on the machine.
    warm_start : bool, default=False
        Start each search also from the component of the last fit, so that a search that was stopped goes on, or one of
        another cardinality begins near the last.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw with the deflated S, iterations are nodes, converged means proved optimal.  Others: see `SparseComponents`.
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

    tol: float = 1e-9
    max_iter: int = 10_000
    time_limit: float | None = None
    warm_start: bool = False

    _parameter_constraints = SHARED | {
        "tol": [number(1e-12)],
        "time_limit": [None, number(closed="neither")],
        "warm_start": ["boolean"],
    }
    _proves = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        gaps = np.zeros(self.n_components)
        known = self._last(moments.n_features)

        def find(rest: SecondMoments, j: int) -> Component:
            whole = self._matrix(rest)
            start = of_cardinality(whole, known[j], counts[j]) if j < len(known) else None
            search = Search(whole, counts[j], self.tol / 2, start)
            search.run(self.max_iter, math.inf if self.time_limit is None else self.time_limit)
            loading = rest.leading(search.support)
            objective = rest.quadratic(loading)
            bound = max(search.upper_bound, objective)
            gaps[j] = (bound - objective) / bound
            return Component(loading, objective, search.n_nodes, bool(gaps[j] <= self.tol), bound)

        yield from self._one_by_one(moments, find)
        self.gap_ = gaps

    def _last(self, n_features: int) -> Array:
        """Return the components of the last fit, if they are wanted and have as many features."""
        last: Array = getattr(self, "components_", np.empty((0, n_features)))
        return last if self.warm_start and last.shape[1] == n_features else np.empty((0, n_features))
