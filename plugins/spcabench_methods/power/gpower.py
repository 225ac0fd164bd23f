"""GPower: the generalised power method on the sphere of scores, one component at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, starts, words
from spcabench_methods.core.default_starts import leader
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.jobs import at_once
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.searches import Calibration, Searches, counted, guided_search, mildest
from spcabench_methods.core.starts import SEVERAL, first_variance, pca
from spcabench_methods.greedy.polish import cheaply, polish_of, polished
from spcabench_methods.power.ascent import penalised_ascent, resting_threshold
from spcabench_methods.power.tpower import truncated_power
from spcabench_methods.truncations import Threshold, thresholds

DEFAULT_RHO = 0.1
"""The penalty if neither it nor a cardinality is given."""

Found = tuple[int, Component]
"""How many nonzeros a component has, and the component."""


@dataclass(eq=False, repr=False, kw_only=True)
class GPower(Deflated, Started, Counted):
    """Generalised power method, single unit.

    With S = X'X/n of centred X, each loading is a local solution of

    - "l1": maximise sqrt(w'Sw) - gamma ||w||_1 subject to ||w|| <= 1, or
    - "l0": maximise w'Sw - gamma nnz(w) subject to ||w|| <= 1.

    Both are maximised over scores x with ||x||^2 = n instead: with c = X'x/n, "l1" maximises the sum of
    ``[|c_j| - gamma]_+^2``, "l0" the sum of ``[c_j^2 - gamma]_+``.  These are convex, so that the gradient step
    x = X t, scaled, with t the soft ("l1") or hard ("l0") threshold of c, never lowers them.  Only
    c = S t / sqrt(t'St) is needed of it.  The published start is the feature of largest variance.  The penalty
    is relative: gamma = rho max_j sqrt(S_jj) for "l1", gamma = rho max_j S_jj for "l0", so that rho = 1 leaves
    nothing.  Features with sqrt(S_jj) <= gamma ("l1") or S_jj <= gamma ("l0") cannot enter and are left out.
    The next component is by default sought in P S P with P = I - w w', with gamma relative to that matrix.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples.  With `n_nonzero`, one or two fits a component mostly find rho.  A search that misses ends
    where the cardinality jumps across the target within a ten thousandth of the penalty, or after 50 fits.  `n_fits_`
    does not count the steps that propose penalties; their time is part of the search.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Wanted nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        penalty.  If given, rho is searched for each component, each fit from the same start.  Without `refit` it is
        the one of largest variance among those that were tried towards the smallest that leaves as many nonzeros, as
        more shrinkage mostly explains less.  The search ends at a jump of the cardinality across the target, or after
        50 fits; see `exact_cardinality_`.
    penalty : str, default="l1"
        What is penalised: "l1", "l0", or what another threshold of `spcabench_methods.truncations` minimises.
    rho : float, list of float or None, default=None
        The relative penalty, in [0, 1), one number or one per component.  None: what leaves `n_nonzero` nonzeros, or
        0.1 if that is None too.  If both are given there is no search, and `n_nonzero` decides the starts alone.
    init : {"several", "published", "ones", "pca", "max_variance", "random"} or array, default="several"
        The start, see `spcabench_methods.core.starts`; of it only the features that can enter count.  "several": the
        best end; with `n_nonzero` these are truncated steps to as many nonzeros, and the penalized ascents
        start from the best.  "published": the feature of largest variance, the first of those that tie.
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    polish : bool or None, default=None
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little, and only if `init` is "several".  False: none.  Exchanges are made where the loading is the
        leading eigenvector on its support: with `refit`, or if the penalty is "l0".
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support, which "l1" has shrunk; "l0" has
        found it already, up to `tol`.
    tol : float, default=1e-6
        At least 0.  Stop when the objective grows by less than this share.
    max_iter : int, default=1000
        At least 1.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.
    n_jobs : int or None, default=None
        So many threads for random starts with a given `rho`, as in scikit-learn: -1 is one a processor, -2 all but one,
        None is 1 unless ``joblib.parallel_config`` says more.  The result is the same for any number.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds the maximised sums, with the deflated S; other than for "l0" before
        `refit` and exchanges.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the wanted nonzeros were found, or n_features or more were wanted.  Only with `n_nonzero`.
    calibrated_params_ : dict
        Parameters that lead to the same loadings without a search.  Only with `n_nonzero`.
    n_fits_ : int
        How many fits of a component the searches took.  Only with `n_nonzero`.

    References
    ----------
    M. Journée, Y. Nesterov, P. Richtárik and R. Sepulchre, Generalized power method for sparse principal
    component analysis, Journal of Machine Learning Research 11, 2010, 517-553: models (2) and (6), algorithms
    2 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import GPower
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> GPower(n_components=1, rho=0.3, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    penalty: str = "l1"
    rho: float | Sequence[float] | None = None
    init: str | ArrayLike = "several"
    polish: bool | None = None
    refit: bool = True
    tol: float = 1e-6
    max_iter: int = 1000
    n_jobs: int | None = None

    _parameter_constraints = SHARED | {
        "penalty": [words(*thresholds())],
        "rho": [None, *one_or_each(number(0, 1))],
        "init": starts("several", "published"),
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        penalty = thresholds()[self.penalty]
        starts = self._starts(moments.n_features, {"published": first_variance})
        many = starts.word == SEVERAL
        shrinks = not self.refit and penalty.symbol != "l0"
        polish = None if shrinks else polish_of(self.polish, many)
        counts = None if self.n_nonzero is None else per_component(self.n_nonzero, self.n_components, "n_nonzero")
        rhos = per_component(self.rho, self.n_components, "rho") if self.rho is not None else None
        searches: Searches[Component] = Searches()

        def find(rest: SecondMoments, j: int) -> Component:
            k = counts[j] if counts else math.ceil(math.sqrt(moments.n_features))
            if many and counts:
                first = [truncated_best(rest, k, self.tol, self.max_iter)]
            else:
                first = starts.vectors(rest, j, k)

            def ascend(share: float) -> Component:
                def climbed(view: SecondMoments, w: Array) -> Component:
                    return penalised_ascent(view, penalty, share, w, self.tol, self.max_iter)

                return best_of(at_once(climbed, rest, first, self.n_jobs))

            if rhos or not counts:
                component = ascend(penalty.of_penalty(rhos[j] if rhos else DEFAULT_RHO))
            else:
                search = self._searched(rest, penalty, k, first[0], counted(ascend))
                component = searches.add(replace(search, penalty=penalty.to_penalty(search.penalty)))
            better = polished(rest, component, polish)
            if better is not component and penalty.symbol != "l0":
                better = better._replace(objective=component.objective)
            return refitted(rest, better) if self.refit and better is component else better

        yield from self._one_by_one(moments, find)
        if counts and not rhos:
            searches.set_attributes(self, "rho", self.n_components)
            if many:
                self.calibrated_params_["n_nonzero"] = counts

    def _searched(
        self, rest: SecondMoments, penalty: Threshold, k: int, start: Array, ascend: Callable[[float], Found]
    ) -> Calibration[Component]:
        """Find the threshold that leaves k nonzeros, as a share of the largest deviation."""
        peak = math.sqrt(rest.diagonal.max())
        search = guided_search(rest, ascend, k, start, lambda w: resting_threshold(rest, penalty, k, w) / peak)
        if search.reached and penalty.symbol != "l0" and not self.refit:
            return mildest(search, ascend, lambda end: rest.quadratic(end.loading))
        return search


def truncated_best(moments: SecondMoments, k: int, tol: float, max_iter: int) -> Array:
    """Return the end of truncated steps to k nonzeros, after cheap exchanges."""
    if k >= np.count_nonzero(moments.diagonal):
        return pca(moments, k)
    end = truncated_power(moments, k, leader(moments, k), tol, max_iter)
    return polished(moments, end, cheaply).loading
