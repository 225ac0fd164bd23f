"""SCoTLASS: the largest variance under a bound on the l1 norm of the loading."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import SAME_END, Component, best_of
from spcabench_methods.core.constraints import SHARED, number, one_or_each, starts, words
from spcabench_methods.core.default_starts import axis
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.l1_ball import onto_balls
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.starts import pca
from spcabench_methods.penalised.searched import BoundedComponents, bounded_ascent

N_STARTS = 10
"""How many single features are starts, besides the leading eigenvector."""


@dataclass(eq=False, repr=False, kw_only=True)
class SCoTLASS(BoundedComponents):
    """Simplified component technique with the least absolute shrinkage and selection operator.

    Each loading is a local solution of: maximise w'Sw subject to ||w||_2 = 1, ||w||_1 <= t and w orthogonal to
    those before it, where S = X'X/n of centred X.  As w'Sw is convex, w becomes the maximiser of (S w_old)'w under
    the same constraints, and the variance never decreases: S w_old, softly thresholded such that the l1 norm is
    t, scaled to unit length.  Orthogonality holds approximately, as the next component is by default found in P S P
    with P = I - w w' ("deflate"), or exactly, as each linear maximum is found among vectors orthogonal to earlier
    loadings by alternating projections with multipliers ("exact").

    An iteration costs O(d log d) beyond S w, which is O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d)
    where there are far more features than samples; "exact" takes up to 500 projections an iteration.  A search
    takes about twenty-five fits a component, 60 at most.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        bound.  `fit` searches the largest bound of each component that leaves so many, by bisection, each time from the
        same start; if no bound reaches the target, the component misses it, see `exact_cardinality_`.  None, if
        `bound` is None too: the square root of n_features, rounded up.
    bound : float, list of float or None, default=None
        The bound t instead of `n_nonzero`, at least 1, one number or one per component; 1 leaves one nonzero, the
        square root of n_features or more leaves the components of principal component analysis.  It has no unit.
    orth : {"deflate", "exact"}, default="deflate"
        How loadings are made orthogonal.
    init : {"several", "published", "ones", "pca", "max_variance", "random", "multi"} or array, default="several"
        The start, see `spcabench_methods.core.starts`: "several" keeps the best end of two, "multi" that of the
        leading eigenvector and of the ten features of largest variance; "published" is "pca".
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    tol : float, default=1e-6
        At least 0.  Stop when w moves by less.
    max_iter : int, default=500
        At least 1.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    bound_met_ : ndarray of bool, shape (n_components,)
        Whether the l1 norm is within the bound.  It is not if more than t^2 entries of S w tie for the largest
        magnitude, which then get equal weights.
    exact_cardinality_, calibrated_params_, n_fits_
        See `SearchedComponents`; only after a search.

    References
    ----------
    I. T. Jolliffe, N. T. Trendafilov and M. Uddin, A modified principal component technique based on the LASSO,
    Journal of Computational and Graphical Statistics 12, 2003, 531-547.
    Z. Hu, G. Pan, Y. Wang and Z. Wu, Sparse principal component analysis via rotation and truncation, IEEE Transactions
    on Neural Networks and Learning Systems 27, 2016, 875-890: equation (20) restates the model, as does, with p = 1,
    equation (2) of Q. Zhao, D. Meng and Z. Xu, Robust sparse principal component analysis, Science China Information
    Sciences 57, 2014, 092115.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SCoTLASS
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> SCoTLASS(n_components=1, bound=1.415, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.001]])
    """

    orth: str = "deflate"
    tol: float = 1e-6
    max_iter: int = 500

    _parameter_constraints = SHARED | {
        "bound": [None, *one_or_each(number(1))],
        "orth": [words("deflate", "exact")],
        "init": starts("several", "published", "multi"),
    }

    def _solver(self, n_features: int) -> Callable[[SecondMoments, float, list[Array]], Component]:
        starts = self._starts(n_features, {"published": pca})
        k = math.ceil(math.sqrt(n_features))

        def solve(rest: SecondMoments, penalty: float, before: list[Array]) -> Component:
            first = many(rest) if starts.word == "multi" else starts.vectors(rest, len(before), k)
            if self.orth == "exact" and before:
                basis = orthonormal_basis(np.column_stack(before))
                return best_of(orthogonal_ascent(rest, penalty, basis, w, self.tol, self.max_iter) for w in first)
            ends = (bounded_ascent(rest, penalty, w, 2, self.tol, self.max_iter) for w in first)
            return best_of(ends, tie=SAME_END)

        return solve


def orthogonal_ascent(
    moments: SecondMoments, bound: float, basis: Array, start: Array, tol: float, max_iter: int
) -> Component:
    """Repeat: w maximises ``(S w_old)'w`` under the bound and orthogonal to `basis`, until it settles."""
    w, z = start, moments.matvec(start)
    for n_iter in range(1, max_iter + 1):
        old = w
        w, exact = orthogonal_bounded_unit(z, bound, basis)
        z = moments.matvec(w)
        if np.linalg.norm(w - old) <= tol:
            return Component(w, float(w @ z), n_iter, exact)
    return Component(w, float(w @ z), max_iter, converged=False)


def orthogonal_bounded_unit(
    z: Array, bound: float, basis: Array, tol: float = 1e-9, max_iter: int = 500
) -> tuple[Array, bool]:
    """Maximise ``z'w`` in both balls and orthogonal to `basis`; return w and whether it is orthogonal up to `tol`.

    The alternating direction method of multipliers for w in the balls, where zeros are exact, and y in the
    orthogonal complement, with the constraint w = y.
    """
    z = unit(z)
    y, dual = z - basis @ (basis.T @ z), np.zeros_like(z)
    for _ in range(max_iter):
        w = onto_balls(y - dual + z, bound)
        old, y = y, w + dual - basis @ (basis.T @ (w + dual))
        dual += w - y
        if max(np.linalg.norm(w - y), np.linalg.norm(y - old)) <= tol:
            break
    return unit(w), bool(np.linalg.norm(basis.T @ w) <= tol)


def many(moments: SecondMoments) -> Iterator[Array]:
    """Start from the leading eigenvector, then from each of the features of largest variance."""
    yield pca(moments, 1)
    for i in np.argsort(-moments.diagonal, kind="stable")[:N_STARTS]:
        yield axis(moments, i)
