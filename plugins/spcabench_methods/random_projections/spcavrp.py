"""SPCAvRP: the features that random subsets vote for, and components on them that are exactly orthogonal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import random_source
from spcabench_methods.core.deflation import NEGLIGIBLE, by_deflation
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted
from spcabench_methods.random_projections.importance import Voting


@dataclass(eq=False, repr=False, kw_only=True)
class SPCAvRP(Voting, Counted):
    """Sparse principal components via random projections.

    With S = X'X/n of centred X, each of many groups of random subsets of the features has a best one, on which the
    largest eigenvalue of S is largest.  The importance of a feature is the mean over the groups of
    (l_1 - l_2) v_j^2, with the two largest eigenvalues and the unit leading eigenvector v on the best subset of a
    group; 0 where that lacks the feature.  The support of a component has the k features of most importance.  For
    components after the first the votes are about P S P with P = I - w w' for each loading w before; the loading is
    the best vector on the support among those orthogonal to the loadings before.  A support that shares a single
    feature with one of these loses it, and the component misses k.

    A component costs O(A B q^3) for A groups of B subsets of q features once S is formed in O(n d^2), or
    O(A B (n q^2 + q^3)) and a transposed copy of the samples where that is less, or where there are far more features
    than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
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
    Journal of the Royal Statistical Society B 82, 2020, 329-359: algorithms 1 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SPCAvRP
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> SPCAvRP(n_components=2, n_nonzero=[2, 1], covariance="precomputed", random_state=0).fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    def _voted(self, n_features: int) -> list[int]:
        return self._counts(n_features)

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        random, counts = random_source(self.random_state), self._counts(moments.n_features)
        before: list[Array] = []

        def find(rest: SecondMoments, j: int) -> Component:
            loading = orthogonal_on(moments, self._support(rest, counts[j], 1, random), before)
            if loading.any():
                before.append(loading)
            return Component(loading, moments.quadratic(loading))

        return by_deflation(moments, find, self.n_components)


def orthogonal_on(moments: SecondMoments, support: Indices, before: list[Array]) -> Array:
    """Return the unit vector on a support of largest variance that is orthogonal to some vectors; zero if none is."""
    if not before:
        return moments.leading(support)
    _, lengths, right = np.linalg.svd(np.array(before)[:, support])
    basis = right[np.count_nonzero(lengths > NEGLIGIBLE) :].T
    w = np.zeros(moments.n_features)
    if basis.size:
        values, vectors = np.linalg.eigh(basis.T @ moments.submatrix(support) @ basis)
        if values[-1] > len(w) * EPS * moments.trace:
            w[support] = basis @ vectors[:, -1]
    return w
