"""DSPCA by the first-order method: gradient steps on the smoothed dual."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.constraints import number
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.relaxation.relaxed import Optimum, RelaxedComponents

CHECK = 10
"""The gap is computed once in so many iterations, as it takes another eigenvalue."""
KNOWN = 4.0
"""The error of a loading's entries is about this multiple of the gap."""


@dataclass(eq=False, repr=False, kw_only=True)
class FirstOrderDSPCA(RelaxedComponents):
    """Sparse principal components by semidefinite relaxation, solved by Nesterov's first-order method.

    The problem is that of `DSPCA`: for each component ``maximise tr SZ - lam sum_ij |Z_ij|`` over positive
    semidefinite Z of trace 1, where S = X'X/n of centred X, scaled to a largest variance of 1.  Its dual is
    ``minimise l_max(S + U)`` over ``|U_ij| <= lam``.  The largest eigenvalue is smoothed to
    ``f(U) = mu log tr exp((S + U)/mu) - mu log m`` with mu = tol / (2 log m), whose gradient
    ``G = exp((S + U)/mu) / tr exp((S + U)/mu)`` is feasible for the problem.  With steps of mu, U follows
    ``Y_t = clip(U_t - mu G_t)``, ``Z_t = clip(-mu sum_i (i + 1)/2 G_i)``, ``U_{t+1} = 2/(t + 3) Z_t + (t + 1)/(t + 3)
    Y_t``, where clip cuts entries off at lam.  It ends when ``l_max(S + Y_t)`` and the objective of G_t differ by no
    more than tol, which proves that the solution is optimal up to tol.  The loading is the leading eigenvector of G,
    without entries of up to four times tol of the largest: that was about the error of G in experiments.

    Features with ``S_jj <= lam`` cannot enter and are left out.  An iteration over the m features left costs O(m^3),
    and there are O(1/tol).  The method is a reference for few features; `DSPCA` is much faster.

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
    tol : float, default=0.005
        More than 0 and at most 0.2.  Stop when the gap between objective and bound, relative to the largest variance,
        is no larger.
    max_iter : int, default=3000
        At least 1; gradient steps of a component.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds ``tr SG - lam sum |G|`` with the deflated S.
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
    semidefinite programming, SIAM Review 49, 2007, 434-448: the relaxation, and the first-order method on its
    smoothed dual.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import FirstOrderDSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> FirstOrderDSPCA(n_components=1, lam=1.0, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    tol: float = 0.005
    max_iter: int = 3000

    _parameter_constraints = RelaxedComponents._parameter_constraints | {
        "tol": [number(0, 0.2, closed="right")],
    }

    @property
    def _negligible(self) -> float:
        return KNOWN * self.tol

    def _maximise(self, S: Array, lam: float) -> Optimum:
        return by_gradients(S, lam, self.tol, self.max_iter)


def by_gradients(S: Array, lam: float, tol: float, max_iter: int) -> Optimum:
    """Descend on the smoothed dual until the gap is closed to `tol`."""
    mu = tol / (2.0 * np.log(len(S)))
    U, total = np.zeros_like(S), np.zeros_like(S)
    best, bound = Optimum(S, -np.inf, np.inf, 0, False), np.inf
    for t in range(max_iter):
        G = gibbs((S + U) / mu)
        Y = np.clip(U - mu * G, -lam, lam)
        if t % CHECK == 0 or t + 1 == max_iter:
            bound = min(bound, float(leading_eigenvectors(S + Y, 1)[0][0]))
            objective = float((S * G).sum() - lam * np.abs(G).sum())
            if objective > best.objective:
                best = best._replace(Z=G, objective=objective)
            best = best._replace(upper_bound=bound, n_iter=t + 1, converged=bound - best.objective <= tol)
            if best.converged:
                break
        total += 0.5 * (t + 1) * G
        U = (2.0 * np.clip(-mu * total, -lam, lam) + (t + 1) * Y) / (t + 3)
    return best


def gibbs(A: Array) -> Array:
    """Return ``exp(A) / tr exp(A)`` of a symmetric matrix."""
    values, vectors = np.linalg.eigh(A)
    weights = np.exp(values - values[-1])
    return np.asarray((vectors * (weights / weights.sum())) @ vectors.T)
