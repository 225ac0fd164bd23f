"""GPower: the generalised power method on the sphere of scores, one component at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents, best_of
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.deflation import by_deflation, refitted
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.randomness import RandomSource
from spcabench_methods.core.searches import Searches
from spcabench_methods.core.signs import TIE, first_largest
from spcabench_methods.core.starts import Starts
from spcabench_methods.core.unit import unit
from spcabench_methods.power import GPOWER_PARAMETERS
from spcabench_methods.power.rho_search import search_rho
from spcabench_methods.truncations import Threshold, thresholds


class GPower(MomentComponents):
    """Generalised power method, single unit.

    With S = X'X/n of centred X, each loading is a local solution of

    - "l1": maximise sqrt(w'Sw) - gamma ||w||_1 subject to ||w|| <= 1, or
    - "l0": maximise w'Sw - gamma nnz(w) subject to ||w|| <= 1.

    Both are maximised over scores x with ||x||^2 = n instead: with c = X'x/n, "l1" maximises the sum of
    [|c_j| - gamma]_+^2, "l0" the sum of [c_j^2 - gamma]_+.  These are convex, so that the gradient step
    x = X t, scaled, with t the soft ("l1") or hard ("l0") threshold of c, never lowers them.  Only
    c = S t / sqrt(t'St) is needed of it.  The default start is the feature of largest variance.  The penalty
    is relative: gamma = rho max_j sqrt(S_jj) for "l1", gamma = rho max_j S_jj for "l0", so that rho = 1 leaves
    nothing.  Features with sqrt(S_jj) <= gamma ("l1") or S_jj <= gamma ("l0") cannot enter and are left out.
    The next component is by default sought in P S P with P = I - w w', with gamma relative to that matrix.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples.  With `n_nonzero`, one or two fits a component mostly find rho for "l1", five to ten
    for "l0"; a miss mostly takes about 16, at most 50.  `n_fits_` does not count the ascents that propose
    penalties; their time is part of the search.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Wanted nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        penalty.  If given, rho is searched for each component, each fit from the same start.  The first is hardly
        larger than the smallest that keeps as many nonzeros, as more shrinkage explains less variance.  The search
        ends at a jump of the cardinality across the target, or after 50 fits; see `exact_cardinality_`.
    penalty : str, default="l1"
        What is penalised: "l1", "l0", or what another threshold of `spcabench_methods.truncations` minimises.
    rho : float or list of float, default=0.1
        The relative penalty, in [0, 1), one number or one per component.  Unused if `n_nonzero` is given.
    init : {"max_variance", "ones", "pca", "random"} or array, default="max_variance"
        The start, see `spcabench_methods.core.starts`; of it only the features that can enter count.
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
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

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds the maximised sums, with the deflated S.
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

    _parameters = GPOWER_PARAMETERS
    _few_products = True

    def __init__(
        self,
        n_components: int = 2,
        n_nonzero: int | Sequence[int] | None = None,
        *,
        penalty: str = "l1",
        rho: float | Sequence[float] = 0.1,
        init: str | ArrayLike = "max_variance",
        n_init: int = 1,
        refit: bool = True,
        tol: float = 1e-6,
        max_iter: int = 1000,
        deflation: str = "projection",
        covariance: str | None = None,
        random_state: int | RandomSource | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.penalty = penalty
        self.rho = rho
        self.init = init
        self.n_init = n_init
        self.refit = refit
        self.tol = tol
        self.max_iter = max_iter
        self.deflation = deflation
        self.covariance = covariance
        self.random_state = random_state

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        penalty = thresholds()[self.penalty]

        starts = Starts.of(self, moments.n_features)

        def ascend(rest: SecondMoments, rho: float, j: int) -> Component:
            first = starts.vectors(rest, j)
            return best_of(penalised_ascent(rest, penalty, rho, w, self.tol, self.max_iter) for w in first)

        def finish(rest: SecondMoments, component: Component) -> Component:
            return refitted(rest, component) if self.refit else component

        if self.n_nonzero is None:
            rhos = per_component(self.rho, self.n_components, "rho")
            yield from by_deflation(
                moments, lambda rest, j: finish(rest, ascend(rest, rhos[j], j)), self.n_components, self.deflation
            )
            return

        counts = per_component(self.n_nonzero, self.n_components, "n_nonzero")
        searches: Searches[Component] = Searches()

        def search(rest: SecondMoments, j: int) -> Component:
            start = starts.vectors(rest, j)[0]
            found = search_rho(rest, penalty, counts[j], start, lambda rho: ascend(rest, rho, j))
            return finish(rest, searches.add(found))

        yield from by_deflation(moments, search, self.n_components, self.deflation)
        searches.set_attributes(self, "rho", self.n_components)


def penalised_ascent(
    moments: SecondMoments, penalty: Threshold, rho: float, start: Array, tol: float, max_iter: int
) -> Component:
    """Repeat ``t = truncate(c)``, ``c = S t / sqrt(t'St)`` until the objective settles."""
    deviations = np.sqrt(moments.diagonal)
    level = penalty.of_penalty(rho) * float(deviations.max())
    active = np.flatnonzero(deviations > level)
    if not active.size:
        return Component(np.zeros(moments.n_features), 0.0)
    if 2 * active.size > moments.n_features:  # the threshold leaves the others out too, without a copy of most features
        active = np.arange(moments.n_features)
    inner = moments.restricted(active)
    c = gradient(inner, start[active], deviations[active])
    objective = 0.0
    converged = False
    for n_iter in range(1, max_iter + 1):
        t, old = penalty.compiled(c, level), objective
        objective = penalty.gain(c, t, level)
        if objective <= 0.0:
            return Component(np.zeros(moments.n_features), 0.0, n_iter)
        St = inner.matvec(t)
        c = St / np.sqrt(t @ St)
        converged = n_iter > 2 and abs(objective - old) < tol * old
        if converged:
            break
    loading = np.zeros(moments.n_features)
    loading[active] = unit(penalty.compiled(c, level))
    return Component(loading, objective, n_iter, converged)


def gradient(moments: SecondMoments, w: Array, deviations: Array) -> Array:
    """Return ``S w / sqrt(w'Sw)`` at the start; a start without variance makes way for the feature of the largest."""
    (support,) = w.nonzero()
    if len(support) != 1:
        Sw = moments.matvec(w)
        variance = float(w @ Sw)
        if variance > TIE * float(deviations.max()) ** 2:
            return np.asarray(Sw / np.sqrt(variance))
        support = np.array([first_largest(deviations)])
    return np.asarray(moments.columns(support)[:, 0] / deviations[support[0]])
