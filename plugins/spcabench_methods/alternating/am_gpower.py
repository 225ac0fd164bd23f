"""AM-GPower: eight formulations of one sparse component, solved by alternating maximisation from many starts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench_methods.alternating.climb import FORMULATIONS, Formulation, climb
from spcabench_methods.core.arrays import TIE, Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, words
from spcabench_methods.core.moments import Data, SecondMoments, data_of
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.searches import Calibration, Searches, counted, search_penalty, single_fit
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.starts import Starts
from spcabench_methods.greedy.polish import polish_of, polished

Gradient = Callable[[Array], Array]


@dataclass(eq=False, repr=False, kw_only=True)
class AMGPower(Deflated, Started, Counted):
    """Alternating maximisation for eight formulations of sparse principal component analysis.

    The variance of a loading w is f(w) = sqrt(w'Sw) with S = X'X/n ("l2"), or f(w) = ||X w||_1/n ("l1", robust),
    of centred X.  Each loading is a local solution of: maximise over ||w|| = 1

    - "l0" "constrained": f(w) subject to at most k nonzeros,
    - "l1" "constrained": f(w) subject to ||w||_1 <= bound,
    - "l0" "penalised": f(w)^2 - gamma nnz(w),
    - "l1" "penalised": f(w) - gamma ||w||_1.

    As f(w) is the largest y'Xw over a ball of y, both are maximised in turn: y is X w scaled ("l2") or its signs
    ("l1"), and w is v = X'y with its k largest entries kept, with the soft threshold of length one that meets the
    bound, or with the hard (v_j^2 > gamma) or soft threshold at gamma; scaled to unit length.  The objective never
    decreases.  The best of many starts is kept.  Penalties are relative: gamma = rho max_j f(e_j) for "l1", rho
    max_j f(e_j)^2 for "l0".  The next component is by default found in X - X w w', with gamma relative to that.

    An iteration of m starts is one product of matrices, O(m d^2) once S is formed in O(n d^2), or O(m n d) for "l1"
    and where there are far more features than samples; starts that have converged leave the product.  A search
    takes about ten such fits a component, 34 or more if it misses the target.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Requested nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        truncation.  None, if `bound` and `rho` are None too: the square root of n_features, rounded up.  Only "l0"
        "constrained" uses it directly; otherwise `fit` searches the bound or penalty of each component by bisection,
        each time from the same starts, and a component misses a target that none reaches, see `exact_cardinality_`.
    variance : {"l2", "l1"}, default="l2"
        Which norm of the scores is maximised.
    sparsity : {"l0", "l1"}, default="l0"
        What is constrained or penalised: the number of nonzeros, or the sum of magnitudes.
    form : {"constrained", "penalised"}, default="constrained"
        Whether sparsity is a constraint or a penalty.
    bound : float, list of float or None, default=None
        For "l1" "constrained", instead of `n_nonzero`: the bound on ||w||_1, at least 1, one number or one per
        component; the square root of n_features or more is no bound.  It has no unit.
    rho : float, list of float or None, default=None
        For "penalised", instead of `n_nonzero`: the relative penalty, in [0, 1), one number or one per component.
    init : {"random", "ones", "pca", "max_variance"} or array, default="random"
        The start, see `spcabench_methods.core.starts`; "random" has the feature of largest f too, and "max_variance" is
        that feature.  So that a start survives a penalty, v is scaled to the largest f(e_j) there.
    n_init : int, default=10
        At least 1.  Random starts of a component.
    refit : bool, default=False
        After that, maximise f(w) on the support alone.
    polish : bool or None, default=False
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little.  False: none.  After exchanges a loading is the leading eigenvector on its support; only for "l2".
    tol : float, default=1e-6
        At least 0.  Stop when the objective grows by no more than this share.
    max_iter : int, default=200
        At least 1.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples; only for "l2".
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        What is maximised, with the deflated X, before `refit` and exchanges.  Others: see `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.  Only after a search.
    calibrated_params_ : dict
        Parameters with which a fit without a search finds the same loadings.  Only after a search.
    n_fits_ : int
        How many fits of a component the searches took.  Only after a search.

    Notes
    -----
    With equal starts some formulations are other methods: "l2" "l0" "constrained" is TPower, "l2" "penalised" is
    GPower without its refit, "l2" "l1" "constrained" is PMD, "l1" "l0" "constrained" is RSPCA with p = 0.

    References
    ----------
    P. Richtárik, M. Jahani, S. D. Ahipaşaoğlu and M. Takáč, Alternating maximization: unifying framework for 8
    sparse PCA formulations and efficient parallel codes, Optimization and Engineering 22, 2021, 1493-1519
    (arXiv:1212.4137): the eight formulations, section 1 and table 1, and their alternating maximisation; many starts at
    a time, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import AMGPower
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> AMGPower(n_components=1, n_nonzero=2, covariance="precomputed", random_state=0).fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    variance: str = "l2"
    sparsity: str = "l0"
    form: str = "constrained"
    bound: float | Sequence[float] | None = None
    rho: float | Sequence[float] | None = None
    init: str | ArrayLike = "random"
    n_init: int = 10
    refit: bool = False
    polish: bool | None = False
    tol: float = 1e-6
    max_iter: int = 200

    _parameter_constraints = SHARED | {
        "variance": [words("l2", "l1")],
        "sparsity": [words("l0", "l1")],
        "form": [words("constrained", "penalised")],
        "bound": [None, *one_or_each(number(1))],
        "rho": [None, *one_or_each(number(0, 1))],
    }

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        if self.variance == "l2":
            return super()._read(X, mean)
        if self.covariance == "precomputed":
            raise ValueError("covariance is 'precomputed' and variance is 'l1', which needs samples; valid is None")
        data = data_of(X, mean)
        return mean, data, data

    @property
    def _needs_all_samples(self) -> str:
        return super()._needs_all_samples or ("variance is 'l1'" if self.variance == "l1" else "")

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        first = self._starts(moments.n_features)
        searched = self._searched
        given = None if searched is None else getattr(self, searched)
        self._refuse_unused(searched)
        polish = polish_of(self.polish, by_default=True)
        counts = self._counts(moments.n_features)
        levels = per_component(counts if given is None else given, self.n_components, searched or "n_nonzero")
        searches: Searches[Component] = Searches()

        def find(rest: SecondMoments, j: int) -> Component:
            gradient = partial(GRADIENTS[self.variance], rest)
            deviations = DEVIATIONS[self.variance](rest)
            V = gradients(gradient, deviations, self._vectors(first, rest, j, deviations))
            solve = partial(self._solve, gradient, float(deviations.max()), V)
            if searched is None or given is not None:
                component = solve(levels[j])
            else:
                n_varying = int(np.count_nonzero(deviations))
                dense, sparse = (0.0, 1.0) if searched == "rho" else (math.sqrt(n_varying), 1.0)
                found = search_level(solve, counts[j], dense, sparse, n_varying)
                component = searches.add(found)
            if self.refit:
                component = self._refitted(gradient, component)
            return polished(rest, component, polish)._replace(objective=component.objective)

        yield from self._one_by_one(moments, find)
        if searched is not None and given is None:
            searches.set_attributes(self, searched, self.n_components, unused=0.0 if searched == "rho" else 1.0)

    @property
    def _searched(self) -> str | None:
        if self.form == "penalised":
            return "rho"
        return "bound" if self.sparsity == "l1" else None

    def _refuse_unused(self, searched: str | None) -> None:
        if self.variance == "l1" and self.polish is not False:
            raise ValueError(f"polish is {self.polish} and variance is 'l1'; valid is False, as exchanges are for 'l2'")
        for name in ("bound", "rho"):
            if getattr(self, name) is None:
                continue
            if name != searched:
                raise ValueError(f"{name} is given; with sparsity={self.sparsity!r}, form={self.form!r} valid is None")
            self._only_one("n_nonzero", name)

    def _vectors(self, first: Starts, rest: SecondMoments, j: int, deviations: Array) -> Array:
        """Return vectors to start from, as columns."""
        axis = largest_axis(deviations)
        if first.word == "random":
            return np.hstack([axis, first.random.standard_normal((self.n_init, len(axis))).T])
        return axis if first.word == "max_variance" else np.column_stack(first.vectors(rest, j))

    def _solve(self, gradient: Gradient, peak: float, V: Array, level: float) -> Component:
        if self.form == "penalised":
            level = peak * (math.sqrt(level) if self.sparsity == "l0" else level)
        return climb(gradient, FORMULATIONS[self.sparsity, self.form], level, V, self.tol, self.max_iter)

    def _refitted(self, gradient: Gradient, component: Component) -> Component:
        support = component.loading != 0.0
        on_support = Formulation(lambda v, level: np.where(support, v, 0.0), lambda f, W, level: f)
        dense = climb(gradient, on_support, 0.0, component.loading[:, None], self.tol, self.max_iter)
        return component._replace(loading=dense.loading, converged=component.converged and dense.converged)


def square_gradient(moments: SecondMoments, W: Array) -> Array:
    """Return S w / sqrt(w'Sw) for each column; zero where there is no variance."""
    V = moments.matvec(W)
    deviations = np.sqrt(np.maximum(np.einsum("ij,ij->j", W, V), 0.0))
    return np.asarray(np.divide(V, deviations, out=np.zeros_like(V), where=deviations > 0.0))


def absolute_gradient(data: Data, W: Array) -> Array:
    """Return X' sign(X w)/n for each column; a sample in the hyperplane of w counts as on its positive side."""
    scores = data.scores(W)
    signs = np.where(scores >= -TIE * np.abs(scores).max(axis=0), 1.0, -1.0)
    return data.backwards(signs)


GRADIENTS: dict[str, Callable[[Any, Array], Array]] = {"l2": square_gradient, "l1": absolute_gradient}

DEVIATIONS: dict[str, Callable[[Any], Array]] = {
    "l2": lambda moments: np.sqrt(moments.diagonal),
    "l1": Data.mean_magnitudes,
}
"""The variances f(e_j) of the features alone."""


def largest_axis(deviations: Array) -> Array:
    """Return the unit vector of the feature of largest variance, as a column."""
    axis = np.zeros((len(deviations), 1))
    axis[first_largest(deviations)] = 1.0
    return axis


def gradients(gradient: Gradient, deviations: Array, W: Array) -> Array:
    """Return the gradients at starts, the columns of W, scaled to the largest variance of a feature.

    A start without variance is replaced by the feature of largest variance.
    """
    W = W / np.linalg.norm(W, axis=0)
    V = gradient(W)
    useless = np.einsum("ij,ij->j", W, V) <= TIE * deviations.max()
    V[:, useless] = gradient(largest_axis(deviations))
    return np.asarray(V * (deviations.max() / np.abs(V).max(axis=0)))


def search_level(
    solve: Callable[[float], Component], k: int, dense: float, sparse: float, n_varying: int
) -> Calibration[Component]:
    """Find the level, between one that keeps all features and one that leaves at most one, with k nonzeros."""
    direction = 1.0 if dense < sparse else -1.0
    fit = counted(lambda penalty: solve(direction * penalty))
    low, high = direction * dense, direction * sparse
    if k >= n_varying or (k == 1 and direction < 0):
        search = single_fit(fit, low if k >= n_varying else high, k)
    else:
        search = search_penalty(fit, low, high, k)
    return replace(search, penalty=direction * search.penalty)
