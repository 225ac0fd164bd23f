"""MultiExactSPCA: orthogonal sparse components that are proved to be best together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.certified.bounds import root_bounds
from spcabench_methods.certified.joint_search import JointSearch, searchable
from spcabench_methods.certified.several import eigenvalue_bound
from spcabench_methods.core.arrays import EPS
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Whole
from spcabench_methods.joint.joint_spca import JointSPCA


@dataclass(eq=False, repr=False, kw_only=True)
class MultiExactSPCA(Whole, Counted):
    """Orthogonal sparse principal components that are proved to be best together.  This method is of this project.

    A global solution of: maximise tr(W'SW) subject to W'W = I and at most k_j nonzeros in column j, where S = X'X/n of
    centred X.  A node of the search holds, for each loading, the supports that are left.  It is bounded by parts: for
    any symmetric M no orthogonal loadings exceed the sum of the r largest eigenvalues of M (Ky Fan) and, for each
    loading, the largest eigenvalue of S - M on one of its supports.  Steps against a subgradient lower that bound, and
    drop each support that the best of the other loadings cannot lift above the best solution known.  What is left is
    split by a feature, for all loadings at once.  Of few choices of a support for each loading each is bounded: by the
    same M, near the best one by alternating directions.  The search starts from `JointSPCA` and from the best supports
    that share no feature; it ends when no bound exceeds the best solution by more than `tol`, or at a limit; then
    `upper_bound_` and `gap_` bound the error.

    A step of a node costs O(r c k^3 + d^3) for c supports of a loading, of which there are at most 300,000 in all; the
    number of nodes can be exponential.  Where there are more, the components are those of `JointSPCA`,
    and the bound is the least of the r largest eigenvalues and the bounds of each loading alone.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        truncation.  None: the square root of n_features, rounded up.
    tol : float, default=1e-6
        At least 1e-12, which is near rounding.  The relative gap below which the components count as optimal.
    max_iter : int, default=10000
        At least 1.  The most nodes.
    time_limit : float or None, default=None
        Seconds, more than 0, after the first solution.  With a limit the result depends on the machine.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw, `n_iter_per_component_` the nodes, converged means proved optimal.  Others: see `SparseComponents`.
    upper_bound_ : float
        An upper bound of the sum of `objective_` over all orthogonal loadings of these cardinalities.
    gap_ : float
        ``(upper_bound_ - sum(objective_)) / upper_bound_``.

    References
    ----------
    S. Boyd, N. Parikh, E. Chu, B. Peleato and J. Eckstein, Distributed optimization and statistical learning via the
    alternating direction method of multipliers, Foundations and Trends in Machine Learning 3, 2011, 1-122: section 7.3.
    R. Cory-Wright and J. Pauphilet, Sparse PCA with multiple components, arXiv:2209.14790, 2022: the problem.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import MultiExactSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> exact = MultiExactSPCA(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S)
    >>> exact.components_.round(3), exact.gap_ <= 1e-6
    (array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]]), True)
    """

    tol: float = 1e-6
    max_iter: int = 10_000
    time_limit: float | None = None

    _parameter_constraints = SHARED | {
        "tol": [number(1e-12)],
        "time_limit": [None, number(closed="neither")],
    }
    _may_miss = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        S = self._matrix(moments).S
        counts = [min(k, len(S)) for k in self._counts(len(S))]
        start = JointSPCA(n_components=len(counts), n_nonzero=counts, criterion="orthogonal")
        W = np.column_stack([found.loading for found in start._components(moments)])
        n_nodes = 1
        if moments.exhausted:
            bound = 0.0
        elif searchable(len(S), counts):
            search = JointSearch(S, counts, self.tol / 2, [W])
            search.run(math.inf if self.time_limit is None else self.time_limit, self.max_iter)
            W, bound, n_nodes = search.W, search.upper_bound, max(1, search.n_nodes)
        else:
            alone = [root_bounds(S, k, np.flatnonzero(w)) for k, w in zip(counts, W.T, strict=True)]
            bound = min(eigenvalue_bound(S, len(counts)), sum(min(one.values()) for one in alone))
        variances = np.einsum("ij,ij->j", W, S @ W)
        W = np.where(variances > len(S) * EPS * moments.trace, W, 0.0)
        reached = float(variances.sum())
        self.upper_bound_ = max(bound, reached)
        self.gap_ = (self.upper_bound_ - reached) / self.upper_bound_ if self.upper_bound_ else 0.0
        order = np.argsort(-variances, kind="stable") if len(set(counts)) == 1 else np.arange(len(counts))
        for j in order:
            yield Component(W[:, j], float(variances[j]), n_nodes if W[:, j].any() else 0, bool(self.gap_ <= self.tol))
