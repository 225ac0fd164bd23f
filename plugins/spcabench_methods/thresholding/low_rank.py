"""Low-rank thresholding: the features of the largest variances in an approximation of the covariance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, spread
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.constraints import SHARED, whole, words
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated
from spcabench_methods.thresholding.diagonal import largest

RANKS = range(1, 6)
"""The ranks that "best" tries."""


@dataclass(eq=False, repr=False, kw_only=True)
class LowRankThresholding(Deflated, Counted):
    """Sparse principal components on the features of the largest variances in an approximation of low rank.

    With S = X'X/n of centred X and its l leading eigenpairs, g and v, the support of a loading has the features of the
    `n_nonzero` largest sums of ``g_t v_tj^2`` over t: the variances of the best approximation of S of rank l.  The
    loading is the leading eigenvector of S on the support.  With l = 1 the support is that of `SimpleThresholding`,
    with l = n_features that of `DiagonalThresholding`.  The cost is O(n d min(n, d)) of the eigenvectors.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no truncation.
        Among tied features those with the smallest index stay.  None: the square root of n_features, rounded up.
    rank : int or "best", default=1
        The l, at least 1; "best": of 1 to 5 the one that explains most.
    refit : bool, default=True
        Take the leading eigenvector of S on the support, which never explains less than that of the approximation.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    Notes
    -----
    The paper keeps more than k entries, with constants that depend on an accuracy; here k is the cardinality.

    References
    ----------
    A. Chowdhury, A. Bose, S. Zhou, D. P. Woodruff and P. Drineas, Approximation algorithms for sparse principal
    component analysis, arXiv:2006.12748, 2020: the loading is that of ``refit=False``.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import LowRankThresholding
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> LowRankThresholding(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    rank: int | str = 1
    refit: bool = True

    _parameter_constraints = SHARED | {
        "rank": [whole(1), words("best")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        ranks = RANKS if isinstance(self.rank, str) else [self.rank]

        def find(rest: SecondMoments, j: int) -> Component:
            most = min(ranks[-1], rest.n_features)
            values, vectors = rest.principal(most)
            root = vectors * np.sqrt(values)
            return best_of(self._component(rest, root[:, :l], counts[j]) for l in ranks if l <= max(most, ranks[0]))

        yield from self._one_by_one(moments, find)

    def _component(self, rest: SecondMoments, root: Array, k: int) -> Component:
        """Return the loading of an approximation ``root root'``."""
        support = largest(np.sum(root**2, axis=1), k)
        if self.refit:
            loading = rest.leading(support)
        else:
            w = np.linalg.svd(root[support], full_matrices=False)[0][:, 0]
            loading = spread(w, support, rest.n_features)
        return Component(loading, rest.quadratic(loading))
