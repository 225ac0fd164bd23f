"""DSPCA: the semidefinite relaxation of sparse PCA, by block coordinate ascent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.jit import njit
from spcabench_methods.relaxation.relaxed import Optimum, RelaxedComponents

BARRIER = 1e-6
"""The weight of the barrier, summed over all features, for a largest variance of 1."""
NEGLIGIBLE = 1e-3
"""Entries of a loading not above this share of the largest become zero."""


@dataclass(eq=False, repr=False, kw_only=True)
class DSPCA(RelaxedComponents):
    """Sparse principal components by semidefinite relaxation.

    For each component the convex problem ``maximise tr SZ - lam sum_ij |Z_ij|`` over positive semidefinite Z of
    trace 1 is solved, where S = X'X/n of centred X; if it has a solution ww', then w maximises
    ``w'Sw - lam ||w||_1^2`` among unit vectors.  The loading is the leading eigenvector of Z.  Features with
    ``S_jj <= lam`` cannot enter and are left out.  For the others a matrix M, a multiple of Z, is improved one row and
    column at a time under a logarithmic barrier: a quadratic problem in a box by coordinate descent, then one equation
    for the diagonal.  A dual solution U, ``|U_ij| <= lam``, comes with it, and the largest eigenvalue of
    S + U bounds the objective from above.  The next component is by default found in P S P with
    P = I - w w'.

    A sweep over the m features left costs O(m^3) times the number of steps in the boxes, and S is formed for them
    in O(n m^2).  A search takes about ten fits a component, 15 at most.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        penalty.  `fit` searches `lam` for each component by bisection; if none reaches the target, the component
        misses it, see `exact_cardinality_`.  None, if `lam` is None too: the square root of n_features, rounded up.
    lam : float, list of float or None, default=None
        The penalty instead of `n_nonzero`, at least 0, one number or one per component.  If it is at least the largest
        variance, the loading consists of the feature of that variance.  It is absolute, in the units of S (a variance):
        the loadings change with the units of X, unless `lam` changes with their square.
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support.
    tol : float, default=1e-6
        At least 0.  Stop when the objective changes by no more than this share in a sweep.
    max_iter : int, default=50
        At least 1; sweeps of a component.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds ``tr SZ - lam sum |Z|`` with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    upper_bound_ : ndarray of shape (n_components,)
        The dual bound on `objective_`.  With `lam` times k added it bounds the variance, in the deflated S, of
        all unit vectors with at most k nonzeros.
    exact_cardinality_, calibrated_params_, n_fits_
        See `SearchedComponents`; only after a search.

    References
    ----------
    A. d'Aspremont, L. El Ghaoui, M. I. Jordan and G. R. G. Lanckriet, A direct formulation for sparse PCA using
    semidefinite programming, SIAM Review 49, 2007, 434-448: the relaxation.
    Y. Zhang and L. El Ghaoui, Large-scale sparse principal component analysis with application to text data,
    Advances in Neural Information Processing Systems 24, 2011, 532-539: algorithm 1, and the elimination of features.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import DSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> DSPCA(n_components=1, lam=0.3, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    tol: float = 1e-6
    max_iter: int = 50

    @property
    def _negligible(self) -> float:
        return NEGLIGIBLE

    def _maximise(self, S: Array, lam: float) -> Optimum:
        return by_blocks(S, lam, self.tol, self.max_iter)


def by_blocks(S: Array, lam: float, tol: float, max_iter: int) -> Optimum:
    """Improve M a row and column at a time."""
    M, dual = np.eye(len(S)), S.copy()
    objective, n_iter, converged = -np.inf, 0, False
    while n_iter < max_iter and not converged:
        n_iter += 1
        _ascend(S, lam, BARRIER / len(S), M, dual)
        old, objective = objective, float((S * M).sum() - lam * np.abs(M).sum()) / float(np.trace(M))
        converged = bool(abs(objective - old) <= tol * abs(objective))
    return Optimum(M, objective, dual_bound(S, lam, M, dual), n_iter, converged)


def dual_bound(S: Array, lam: float, M: Array, shifted: Array) -> float:
    """Bound the objective by the largest eigenvalue of S + U, which holds for any ``|U| <= lam``; try two U.

    The first has ``-lam sign(Z)`` where Z is not negligible, and elsewhere -S clipped at lam.
    The second makes S + U the mean of the box solutions, the rows of `shifted`, and their transpose.
    """
    signed = S - np.where(np.abs(M) > 1e-5 * np.trace(M), lam * np.sign(M), np.clip(S, -lam, lam))
    boxed = 0.5 * (shifted + shifted.T)
    np.fill_diagonal(boxed, S.diagonal() - lam)
    return min(float(leading_eigenvectors(dual, 1)[0][0]) for dual in (signed, boxed))


@njit(cache=True, nogil=True)
def _ascend(S: Array, lam: float, barrier: float, M: Array, dual: Array) -> None:
    """Improve each row and column of M once, in place; row j of `dual` keeps the solution of its box.

    With Y the rest of M, s the column of S and c = S_jj - lam - tr Y: u minimises u'Yu in the box
    ``|u - s| <= lam``, t > 0 solves ``t + c - barrier/t - (u'Yu)/t^2 = 0``, and the column becomes Y u/t, its
    diagonal entry c + t.
    """
    d = len(S)
    trace = 0.0
    for i in range(d):
        trace += M[i, i]
    product = np.empty(d)
    for j in range(d):
        u = dual[j]
        u[j] = 0.0
        _box(M, S[j], lam, j, u, product)
        squared = 0.0
        for i in range(d):
            squared += u[i] * product[i]
        trace -= M[j, j]
        c = S[j, j] - lam - trace
        t = _diagonal(c, barrier, max(squared, 0.0))
        for i in range(d):
            M[i, j] = product[i] / t
            M[j, i] = M[i, j]
        M[j, j] = c + t
        trace += M[j, j]


@njit(cache=True, nogil=True)
def _box(M: Array, s: Array, lam: float, j: int, u: Array, product: Array) -> None:
    """Minimise u'Yu for ``|u - s| <= lam``, Y = M without row and column j, in place; `product` becomes Y u."""
    d = len(s)
    for i in range(d):
        if i != j:
            u[i] = min(max(u[i], s[i] - lam), s[i] + lam)
    product[:] = M @ u
    for _ in range(1000):
        moved, largest = 0.0, 0.0
        for i in range(d):
            if i == j:
                continue
            old = u[i]
            u[i] = min(max(old - product[i] / M[i, i], s[i] - lam), s[i] + lam)
            if u[i] != old:
                step = u[i] - old
                for l in range(d):
                    product[l] += step * M[i, l]
                moved = max(moved, abs(step))
            largest = max(largest, abs(u[i]))
        if moved <= 1e-12 * largest:
            break
    product[j] = 0.0


@njit(cache=True, nogil=True)
def _diagonal(c: float, barrier: float, squared: float) -> float:
    """Solve ``t + c - barrier/t - squared/t^2 = 0`` for t > 0 by bisection; the left side increases with t."""
    high: float = max(-c, 0.0) + np.sqrt(barrier) + np.cbrt(squared) + 1e-300
    while high + c - barrier / high - squared / high**2 < 0.0:
        high *= 2.0
    low = 0.0
    for _ in range(200):
        t = 0.5 * (low + high)
        if t <= low or t >= high:
            break
        if t + c - barrier / t - squared / t**2 < 0.0:
            low = t
        else:
            high = t
    return high
