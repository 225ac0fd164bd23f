"""The inverse power method for a nonlinear eigenproblem: the least ratio of a mixed norm to the deviation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number, one_or_each
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.starts import multiplied
from spcabench_methods.penalised.searched import ClimbingComponents
from spcabench_methods.truncations.soft import soft

WIDTH = 1e-6
"""The search begins this far from 1, where even the largest entry may go."""


@dataclass(eq=False, repr=False, kw_only=True)
class InversePower(ClimbingComponents):
    """Inverse power method for sparse principal components.

    With S = X'X/n of centred X, each loading is a local solution of: minimise

        [(1 - gamma) ||f||_2 + gamma ||f||_1] / sqrt(f'Sf)

    with gamma from 0, which is PCA, to 1.  The ratio depends neither on the length of f nor on the units of X.  From f
    with f'Sf = 1 and ratio lam, the next f is the soft threshold of lam S f at gamma, scaled likewise; lam never
    increases.  Its fixed points are those of GPower's "l1" with the threshold gamma/lam.  By default the loading
    becomes the leading eigenvector of S on the support of f, and the next component is sought in what its score leaves.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more features
    than samples.  With `n_nonzero` gamma is found by bisection, at most 51 fits a component.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component; n_features or more: PCA.  None,
        if `gamma` is None too: the square root of n_features, rounded up.  `fit` searches gamma of each component by
        bisection; if no gamma reaches the target, the component misses it, see `exact_cardinality_`.
    gamma : float, list of float or None, default=None
        The weight of the l1 norm, from 0 to 1, instead of `n_nonzero`; one number or one per component.  At 1 one
        feature is left, or none.
    init : {"max_variance", "ones", "pca", "random"} or array, default="max_variance"
        The start, see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts of a component; the end of least ratio is kept.
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support.
    tol : float, default=1e-5
        At least 0.  Stop when the ratio falls by no more than this share.
    max_iter : int, default=100
        At least 1.
    deflation : {"projection", "schur", "gsd"}, default="schur"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds the inverse of the ratio, with the deflated S, which is maximised.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.  Only after a search.
    calibrated_params_ : dict
        Parameters with which a fit without a search finds the same loadings.  Only after a search.
    n_fits_ : int
        How many fits of a component the searches took.  Only after a search.

    References
    ----------
    M. Hein and T. Bühler, An inverse power method for nonlinear eigenproblems with applications in 1-spectral
    clustering and sparse PCA, Advances in Neural Information Processing Systems 23, 2010, 847-855: section 5.
    T. Bühler, A flexible framework for solving constrained ratio problems in machine learning, thesis, Saarland
    University, 2015: deflation and the search of gamma.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import InversePower
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> InversePower(n_components=1, gamma=0.3, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    gamma: float | Sequence[float] | None = None
    init: str | ArrayLike = "max_variance"
    refit: bool = True
    tol: float = 1e-5
    max_iter: int = 100
    deflation: str = "schur"

    _parameter_constraints = SHARED | {
        "gamma": [None, *one_or_each(number(0, 1, closed="both"))],
    }
    _penalty = "gamma"

    def _bracket(self, rest: SecondMoments) -> tuple[float, float]:
        return 0.0, 1.0 - WIDTH

    def _climb(self, rest: SecondMoments, penalty: float, start: Array) -> Component:
        return inverse_power(rest, penalty, start, self.tol, self.max_iter)


def inverse_power(moments: SecondMoments, gamma: float, start: Array, tol: float, max_iter: int) -> Component:
    """Repeat ``f = soft(lam S f, gamma)``, scaled to f'Sf = 1, until the ratio lam settles."""
    f, Sf = multiplied(moments, start)
    f, Sf = scaled(f, Sf)
    lam = mixed_norm(f, gamma)
    for n_iter in range(1, max_iter + 1):
        f = soft(lam * Sf, gamma)
        if not f.any():
            return Component(f, 0.0, n_iter)
        f, Sf = scaled(f, moments.matvec(f))
        lam, old = mixed_norm(f, gamma), lam
        if old - lam <= tol * old:
            return Component(unit(f), 1.0 / lam, n_iter)
    return Component(unit(f), 1.0 / lam, max_iter, converged=False)


def scaled(f: Array, Sf: Array) -> tuple[Array, Array]:
    """Return f and S f, scaled to f'Sf = 1."""
    deviation = np.sqrt(f @ Sf)
    return f / deviation, Sf / deviation


def mixed_norm(f: Array, gamma: float) -> float:
    """Return ``(1 - gamma) ||f||_2 + gamma ||f||_1``."""
    return float((1.0 - gamma) * np.linalg.norm(f) + gamma * np.abs(f).sum())
