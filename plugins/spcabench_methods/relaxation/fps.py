"""Fantope projection and selection, one component after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.constraints import number, words
from spcabench_methods.relaxation.fantope import Solver, by_admm, by_gradient, maximise
from spcabench_methods.relaxation.relaxed import Optimum, RelaxedComponents

NEGLIGIBLE = 1e-3
"""Entries of a loading not above this share of the largest become zero: about 1e-6 on the diagonal of Z."""


@dataclass(eq=False, repr=False, kw_only=True)
class FPS(RelaxedComponents):
    """Sparse principal components by Fantope projection and selection, one after another.

    For each component the convex problem ``maximise tr SZ - lam sum_ij |Z_ij|`` over symmetric Z with
    ``0 <= Z <= I`` and trace 1 is solved, where S = X'X/n of centred X.  The loading is the leading eigenvector of Z.
    This is the problem of `DSPCA`; `SubspaceFPS` is the same for a subspace of several dimensions.  Features with
    ``S_jj <= lam`` are left out; of those without a covariance above lam in magnitude only the one of largest variance
    stays.  With the solver "admm" Z is in turn projected on these matrices and thresholded softly; with "gradient" the
    two steps are combined with a gradient step on S.  A dual solution U, ``|U_ij| <= lam``, comes with Z, and the
    largest eigenvalue of S - U bounds the objective from above.

    An iteration over the m features left costs O(m^3), and S is formed for them in O(n m^2).  A search takes about ten
    fits a component, 15 at most.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        penalty.  `fit` searches `lam` for each component by bisection; if none reaches the target, the component
        misses it, see `exact_cardinality_`.  None, if `lam` is None too: the square root of n_features, rounded up.
    lam : float, list of float or None, default=None
        The penalty instead of `n_nonzero`, at least 0, one number or one per component.  It is absolute, in the units
        of S (a variance): the loadings change with the units of X, unless `lam` changes with their square.
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support.
    solver : {"admm", "gradient"}, default="admm"
        How the problem is solved; both solve the same one.
    step : float, default=0.5
        More than 0.  For "gradient": the length of its steps, divided by the largest variance.
    tol : float, default=1e-6
        At least 0.  Stop when Z is this close to the Fantope, and moves by no more.
    max_iter : int, default=5000
        At least 1.
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
    V. Q. Vu, J. Cho, J. Lei and K. Rohe, Fantope projection and selection: a near-optimal convex relaxation of sparse
    PCA, Advances in Neural Information Processing Systems 26, 2013, 2670-2678: the problem, and algorithm 1.
    Y. Qiu, J. Lei and K. Roeder, Gradient-based sparse principal component analysis with extensions to online learning,
    Biometrika 110, 2023, 339-360: the solver "gradient", here with the projection on the Fantope itself and not with
    an exact penalty for it.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import FPS
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> FPS(n_components=1, lam=0.3, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    solver: str = "admm"
    step: float = 0.5
    tol: float = 1e-6
    max_iter: int = 5000

    _parameter_constraints = RelaxedComponents._parameter_constraints | {
        "solver": [words("admm", "gradient")],
        "step": [number(closed="neither")],
    }

    @property
    def _negligible(self) -> float:
        return NEGLIGIBLE

    def _maximise(self, S: Array, lam: float) -> Optimum:
        found = maximise(chosen(self.solver, self.step), S, 1, lam, self.tol, self.max_iter)
        Z = np.zeros_like(S)
        Z[np.ix_(found.kept, found.kept)] = found.solution.Z
        return Optimum(Z, found.objective, found.upper_bound, found.solution.n_iter, found.solution.converged)


def chosen(solver: str, step: float) -> Solver:
    """Return the solver of a name; matrices have a largest variance of 1."""
    return by_admm if solver == "admm" else by_gradient(step)
