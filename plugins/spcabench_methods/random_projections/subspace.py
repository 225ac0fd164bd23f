"""SPCAvRP for a subspace: random subsets vote for the one support of all components."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import cardinalities, random_source
from spcabench_methods.core.constraints import whole
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.random_projections.importance import Voting


@dataclass(eq=False, repr=False)
class SPCAvRPSubspace(Voting):
    """Sparse principal subspace via random projections.

    All components share a support of k features.  As in `SPCAvRP` each of many groups of random subsets of the features
    has a best one, here that on which the r largest eigenvalues of S = X'X/n of centred X have the largest sum, for r
    components.  The importance of a feature is the mean over the groups of the sum of (l_t - l_r+1) v_tj^2 over the r
    leading eigenvalues and unit eigenvectors there.  The loadings are the r leading eigenvectors of S on the k features
    of most importance.

    It costs O(A B q^3) for A groups of B subsets of q features once S is formed in O(n d^2), or
    O(A B (n q^2 + q^3)) and a transposed copy of the samples where that is less, or where there are far more features
    than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int or None, default=None
        Features in the support, at least 1; n_features or more: no truncation.  None: the square root of n_features,
        rounded up.
    n_groups : int or None, default=None
        At least 1.  Groups of subsets.  None: 300, or 600 for more than 500 features.
    n_draws : int or None, default=None
        At least 1.  Subsets in a group.  None: a third of the groups.
    subset_size : int or None, default=None
        At least 1.  Features in a subset.  None: k.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For the subsets.
    n_jobs : int or None, default=None
        So many threads for groups of subsets, as in scikit-learn: -1 is one a processor, -2 all but one, None is 1
        unless ``joblib.parallel_config`` says more.  The result is the same for any number.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw.  Nothing is iterated: `n_iter_` is 1.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.

    References
    ----------
    M. Gataric, T. Wang and R. J. Samworth, Sparse principal component analysis via axis-aligned random projections,
    Journal of the Royal Statistical Society B 82, 2020, 329-359: algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SPCAvRPSubspace
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> SPCAvRPSubspace(n_nonzero=2, covariance="precomputed", random_state=0).fit(S).components_.round(3)
    array([[ 0.707,  0.707,  0.   ],
           [ 0.707, -0.707,  0.   ]])
    """

    n_nonzero: int | None = None

    _parameter_constraints = Voting._parameter_constraints | {"n_nonzero": [None, whole(1)]}

    def _voted(self, n_features: int) -> list[int]:
        return cardinalities(self.n_nonzero, 1, n_features)

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        (k,), r = self._voted(moments.n_features), self.n_components
        support = self._support(moments, k, r, random_source(self.random_state))
        W = np.zeros((r, moments.n_features))
        if len(support):
            found = moments.restricted(support).principal(min(r, len(support)))[1]
            W[: found.shape[1], support] = found.T
        for w in W:
            yield Component(w, moments.quadratic(w), n_iter=int(w.any()))
