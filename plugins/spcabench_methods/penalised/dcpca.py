"""DC-PCA: a logarithmic surrogate of the cardinality, majorised by weighted l1 norms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number, one_or_each
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.penalised.searched import ClimbingComponents


@dataclass(eq=False, repr=False, kw_only=True)
class DCPCA(ClimbingComponents):
    """Sparse principal components as a difference of convex functions.

    Each loading is a local solution of: maximise ``w'Sw - rho sum_i log(1 + |w_i|/eps) / log(1 + 1/eps)`` subject
    to ``||w|| <= 1``, where S = X'X/n of centred X; as eps falls to 0 the sum becomes the number of nonzeros.  The
    variance is minorised by its tangent and the concave penalty majorised by its own: w becomes S w, softly
    thresholded at ``rho/(2 log(1 + 1/eps) (|w_i| + eps))``, scaled to unit length, and the objective never
    decreases.  The default start is the leading eigenvector.  The next component is by default found in P S P with
    P = I - w w'.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples.  A search takes about fifteen fits a component, 50 at most.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        penalty.  `fit` searches rho for each component by bisection, each time from the same start; if no rho reaches
        the target, the component misses it, see `exact_cardinality_`.  None, if `rho` is None too: the square root of
        n_features, rounded up.
    rho : float, list of float or None, default=None
        The penalty instead of `n_nonzero`, at least 0, one number or one per component: the price of a nonzero.
        It is absolute, in the units of S (a variance): the loadings change with the units of X, unless rho changes
        with their square.
    eps : float, default=1e-3
        More than 0.  An entry of w of magnitude eps costs about a tenth of an entry of 1; w has no unit.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start, see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support.
    tol : float, default=1e-6
        At least 0.  Stop when w moves by less.
    max_iter : int, default=1000
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
        See `SparseComponents`; `objective_` holds what is maximised, with the deflated S, before the refit.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    exact_cardinality_, calibrated_params_, n_fits_
        See `SearchedComponents`; only after a search.

    References
    ----------
    B. K. Sriperumbudur, D. A. Torres and G. R. G. Lanckriet, Sparse eigen methods by d.c. programming,
    Proceedings of the 24th International Conference on Machine Learning, 2007, 831-838, algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import DCPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> DCPCA(n_components=1, rho=0.3, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    rho: float | Sequence[float] | None = None
    eps: float = 1e-3
    refit: bool = True
    tol: float = 1e-6
    max_iter: int = 1000

    _parameter_constraints = SHARED | {
        "rho": [None, *one_or_each(number())],
        "eps": [number(closed="neither")],
    }
    _penalty = "rho"

    def _bracket(self, rest: SecondMoments) -> tuple[float, float]:
        w = rest.principal(1)[1][:, 0]
        return 0.0, 2.0 * math.log1p(1.0 / self.eps) * float((np.abs(rest.matvec(w)) * (np.abs(w) + self.eps)).max())

    def _climb(self, rest: SecondMoments, penalty: float, start: Array) -> Component:
        return reweighted_ascent(rest, penalty, self.eps, start, self.tol, self.max_iter)


def reweighted_ascent(
    moments: SecondMoments, rho: float, eps: float, start: Array, tol: float, max_iter: int
) -> Component:
    """Repeat ``w = unit(soft(S w, price / 2(|w| + eps)))`` until it settles."""
    price = rho / math.log1p(1.0 / eps)
    w, z = start, moments.matvec(start)
    converged = False
    for n_iter in range(1, max_iter + 1):
        old = w
        w = unit(np.sign(z) * np.maximum(np.abs(z) - 0.5 * price / (np.abs(w) + eps), 0.0))
        if not w.any():
            return Component(w, 0.0, n_iter)
        z = moments.matvec(w)
        converged = bool(np.linalg.norm(w - old) <= tol)
        if converged:
            break
    return Component(w, float(w @ z) - price * float(np.log1p(np.abs(w) / eps).sum()), n_iter, converged)
