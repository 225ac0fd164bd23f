"""PMD: the penalised matrix decomposition, with a bound on the l1 norm of the loading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import SAME_END, Component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, starts
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.starts import Rule, pca
from spcabench_methods.penalised.searched import BoundedComponents, ClimbingComponents, bounded_ascent


@dataclass(eq=False, repr=False, kw_only=True)
class PMD(BoundedComponents, ClimbingComponents):
    """Penalised matrix decomposition for sparse principal components.

    Each loading v is, with a vector of scores u, a local solution of: maximise u'X v subject to ||u||_2 <= 1,
    ||v||_2 <= 1 and ||v||_1 <= c, for centred X.  From the leading singular pair, in the paper, u becomes X v, scaled
    to unit length, and v becomes X'u, softly thresholded such that the l1 norm is c, and scaled; u'X v never decreases.
    In terms of S = X'X/n, v comes from S v.  The next component is by default found in X - d u v' with d = u'X v,
    which is X P with P = I - v v'.  With `deflation` "schur" it is found in (I - u u') X, so that the u of different
    components are orthogonal.

    An iteration costs O(d log d) beyond S v, which is O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d)
    where there are far more features than samples.  A search takes about twenty-five fits a component, 60 at most.

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
        The bound c instead of `n_nonzero`, at least 1, one number or one per component; 1 leaves one nonzero, the
        square root of n_features or more leaves the components of principal component analysis.  It has no unit.
    init : {"several", "published", "ones", "pca", "max_variance", "random"} or array, default="several"
        The start, see `spcabench_methods.core.starts`: "several" keeps the best end of two; "published" is "pca".
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    tol : float, default=1e-7
        At least 0.  Stop when the magnitudes of the changes of v sum to less.
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
        See `SparseComponents`; `objective_` holds u'X v/sqrt(n) with the deflated X.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    bound_met_ : ndarray of bool, shape (n_components,)
        Whether the l1 norm is within the bound.  It is not if more than c^2 entries of X'u tie for the largest
        magnitude, which then get equal weights.
    exact_cardinality_, calibrated_params_, n_fits_
        See `SearchedComponents`; only after a search.

    References
    ----------
    D. M. Witten, R. Tibshirani and T. Hastie, A penalized matrix decomposition, with applications to sparse
    principal components and canonical correlation analysis, Biostatistics 10, 2009, 515-534: algorithms 2 and 3,
    for orthogonal scores section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import PMD
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> PMD(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    tol: float = 1e-7
    max_iter: int = 500

    _parameter_constraints = SHARED | {
        "bound": [None, *one_or_each(number(1))],
        "init": starts("several", "published"),
    }

    _words: ClassVar[Mapping[str, Rule]] = {"published": pca}
    _tie = SAME_END

    def _climb(self, rest: SecondMoments, penalty: float, start: Array) -> Component:
        return bounded_ascent(rest, penalty, start, 1, self.tol, self.max_iter)

    def _component(self, rest: SecondMoments, solution: Component) -> Component:
        return solution._replace(objective=float(np.sqrt(max(solution.objective, 0.0))))
