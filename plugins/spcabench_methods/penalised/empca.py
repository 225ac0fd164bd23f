"""EMPCA: expectation maximisation with a truncation in each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, spread, unit
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.constraints import SHARED, starts, whole
from spcabench_methods.core.deflation import new_part
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.signs import positive_peak
from spcabench_methods.core.starts import Starts, pca
from spcabench_methods.greedy.polish import polish_of, polished
from spcabench_methods.truncations.lp import sparse_approximation


@dataclass(eq=False, repr=False, kw_only=True)
class EMPCA(Deflated, Started, Counted):
    """Sparse or nonnegative sparse principal components by expectation maximisation.

    The model is probabilistic principal component analysis in the limit of no noise.  For centred X the
    expectation is the score z = X w, and what maximises the likelihood is X'z/z'z, that is S w/w'Sw with
    S = X'X/n.  This is thresholded softly at its (k+1)-th largest magnitude, which leaves k nonzeros, and scaled
    to unit length; `nonnegative` first sets negative entries to zero.  Of several starts the end with the largest
    objective is kept.  The next component is by default found in P S P with P = I - q q', where q is the part
    of w orthogonal to earlier loadings, scaled to unit length; the objective is then the variance w'Sw divided by
    the squared length of that part.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples; the starts multiply it by `n_init` + 1.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.  If the (k+1)-th magnitude ties with the k-th,
        fewer entries stay; if more than k tie for the largest, the first k stay.
    nonnegative : bool, default=False
        Allow no negative entries.  If too few are positive, there are fewer nonzeros than requested.
    refit : bool, default=True
        Iterate once more on the support alone, without truncation: the loading becomes the leading eigenvector of S
        on it, or with `nonnegative` the nonnegative vector of (locally) largest variance.
    polish : bool or None, default=False
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little.  False: none.  After exchanges a loading is the leading eigenvector on its support.  It is kept
        if its objective is larger; not with `nonnegative`.
    init : {"published", "ones", "pca", "max_variance", "random"} or array, default="published"
        The start: "published" are the leading eigenvector and `n_init` random vectors; for the others see
        `spcabench_methods.core.starts`.  With `nonnegative` magnitudes of a start count.
    n_init : int, default=5
        At least 0, with "random" at least 1.  Random starts of a component; the best end is kept.
    tol : float, default=1e-6
        At least 0.  Stop when the objective changes by less than this share.
    max_iter : int, default=1000
        At least 1.
    random_state : int, RandomState, Generator or None, default=None
        For the random starts.
    deflation : {"projection", "schur", "gsd"}, default="gsd"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.  With the first two the
        objective is w'Sw.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `n_iter_` counts iterations with truncation; `objective_` holds the
        variance w'Sw with the deflated S, with "gsd" that of the new part of each loading.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.

    References
    ----------
    C. D. Sigg and J. M. Buhmann, Expectation-maximization for sparse and non-negative PCA, Proceedings of the
    25th International Conference on Machine Learning, 2008, 960-967: problem (1) under the constraints of section 1, on
    the number of nonzeros and on the signs.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import EMPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> empca = EMPCA(n_components=2, n_nonzero=[2, 1], random_state=0, covariance="precomputed")
    >>> empca.fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    nonnegative: bool = False
    refit: bool = True
    polish: bool | None = False
    init: str | ArrayLike = "published"
    n_init: int = 5
    tol: float = 1e-6
    max_iter: int = 1000
    deflation: str = "gsd"

    _parameter_constraints = SHARED | {
        "nonnegative": ["boolean"],
        "init": starts("published"),
        "n_init": [whole(0)],
    }
    _may_miss = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        d = moments.n_features
        counts = self._counts(d)
        starts, polish = self._starts(d), polish_of(self.polish, by_default=True)
        if self.nonnegative and polish is not None:
            raise ValueError(f"polish is {self.polish} and nonnegative is True; valid is False: exchanges ignore signs")
        before: list[Array] = []

        def find(rest: SecondMoments, j: int) -> Component:
            counted = before if self.deflation == "gsd" else []
            basis = orthonormal_basis(np.column_stack([np.empty((d, 0)), *counted]))
            vectors = self._vectors(starts, rest, j)
            best = best_of(self._maximised(rest, basis, start, counts[j]) for start in vectors)
            if polish is not None:
                w = polished(rest, best, polish).loading
                better = best._replace(loading=w, objective=new_variance(rest, basis, w))
                best = max(best, better, key=lambda end: end.objective)
            before.append(best.loading)
            return best

        return self._one_by_one(moments, find)

    def _vectors(self, starts: Starts, rest: SecondMoments, j: int) -> Iterator[Array]:
        if starts.word == "published":
            drawn = starts.random.standard_normal((self.n_init, rest.n_features))
            vectors = [positive_peak(pca(rest, 1)), *drawn]
        else:
            vectors = starts.vectors(rest, j)
        for start in vectors:
            yield unit(np.where(rest.diagonal > 0.0, np.abs(start) if self.nonnegative else start, 0.0))

    def _maximised(self, rest: SecondMoments, basis: Array, start: Array, k: int) -> Component:
        end = expectation_maximisation(rest, basis, start, k, self.nonnegative, self.tol, self.max_iter)
        if not (self.refit and end.loading.any()):
            return end
        support = np.flatnonzero(end.loading)
        if not self.nonnegative:
            w = rest.leading(support)
            return end._replace(loading=w, objective=new_variance(rest, basis, w))
        inner, start = rest.restricted(support), end.loading[support]
        again = expectation_maximisation(inner, basis[support], start, len(support), True, self.tol, self.max_iter)
        w = spread(again.loading, support, rest.n_features)
        return again._replace(loading=w, n_iter=end.n_iter, converged=end.converged and again.converged)


def expectation_maximisation(
    moments: SecondMoments, basis: Array, w: Array, k: int, nonnegative: bool, tol: float, max_iter: int
) -> Component:
    """Repeat ``w = unit(truncated(S w))`` until the variance of the new part settles."""
    objective = 0.0
    for n_iter in range(1, max_iter + 1):
        v = moments.matvec(w)
        w = unit(sparse_approximation(np.maximum(v, 0.0) if nonnegative else v, k, 1.0))
        old, objective = objective, new_variance(moments, basis, w)
        if objective <= 0.0:
            return Component(np.zeros_like(w), 0.0, n_iter)
        if abs(objective - old) <= tol * objective:
            return Component(w, objective, n_iter)
    return Component(w, objective, max_iter, converged=False)


def new_variance(moments: SecondMoments, basis: Array, w: Array) -> float:
    """Return the variance of deflated samples along the new part of w, scaled to unit length; 0 if there is none."""
    length = float(np.linalg.norm(new_part(w, basis)))
    return moments.quadratic(w) / length**2 if length > 1e-10 else 0.0
