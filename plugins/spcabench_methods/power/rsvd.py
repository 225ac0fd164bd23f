"""sPCA-rSVD: the best rank-one approximation under a penalty on the loading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import SAME_END, Component, best_of
from spcabench_methods.core.constraints import SHARED, number, starts, words
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.starts import SEVERAL, multiplied, pca, top_variance
from spcabench_methods.greedy.polish import polish_of, polished
from spcabench_methods.truncations import Threshold, thresholds
from spcabench_methods.truncations.contract import Rule
from spcabench_methods.truncations.top_k import magnitude, top_k

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)
"""Ends whose objectives differ by no more than this share are as good as each other."""
SETTLED = 0.125
"""With samples of single precision, steps go round in circles that are shorter than this share of their rounding."""


@dataclass(eq=False, repr=False, kw_only=True)
class RSVD(Deflated, Started, Counted):
    """Sparse principal components by regularised singular value decomposition.

    Each loading is a local solution of: minimise ||X - u v'||^2/n + P(v) over ||u||^2 = n and v, scaled to
    unit length.  P is 2 lam ||v||_1 for "l1", lam^2 nnz(v) for "l0", and 2 p(v) with p the smoothly clipped
    absolute deviation (a = 3.7) for "scad".  From a start, v becomes X'u/n with the thresholding rule of the penalty
    applied, and u becomes X v scaled.  In terms of S = X'X/n this is
    y = S v / sqrt(v'Sv), then v = rule(y).  With a fixed number k of nonzeros, lam is the (k+1)-th largest
    magnitude of y in each iteration.  The next component is by default sought in X - X w w'.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples; the start takes a singular value decomposition of rank one.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None, if `lam` is None too: the square root of n_features, rounded up.  Where k-th and
        (k+1)-th magnitude tie, the k largest stay, of tied ones those with the smallest index, unshrunk.
    penalty : str, default="l1"
        The penalty, and so the rule: "l1", "l0", "scad", or another threshold of `spcabench_methods.truncations`.
    lam : float or None, default=None
        The threshold, at least 0, instead of `n_nonzero`.  Absolute, in the units of y, which are those of X: the
        loadings change with them, unless it is scaled alike.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    init : {"several", "published", "ones", "pca", "max_variance", "random", "top_variance"} or array, default="several"
        The start, see `spcabench_methods.core.starts`: "several" keeps the best end, by the variance
        if the nonzeros are given and else by the objective; "published" is "pca";
        "top_variance" the features of largest variance with equal weights, as many as shall be nonzero (with `lam` the
        square root of n_features).
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    polish : bool or None, default=None
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little, and only if `init` is "several".  False: none.  Exchanges are made where the loading is the
        leading eigenvector on its support: with `refit`, or if the penalty is "l0".
    tol : float, default=1e-6
        At least 0.  Stop when v changes by less than this share.
    max_iter : int, default=500
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
        See `SparseComponents`; `objective_` holds what is minimised, with the last lam and the deflated X, before
        `refit` and exchanges.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    H. Shen and J. Z. Huang, Sparse principal component analysis via regularized low rank matrix
    approximation, Journal of Multivariate Analysis 99, 2008, 1015-1034, algorithm 1; rules in lemma 2.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import RSVD
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> RSVD(n_components=1, penalty="l0", n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    penalty: str = "l1"
    lam: float | None = None
    refit: bool = False
    init: str | ArrayLike = "several"
    polish: bool | None = None
    tol: float = 1e-6
    max_iter: int = 500

    _parameter_constraints = SHARED | {
        "penalty": [words(*thresholds())],
        "lam": [None, number()],
        "init": starts("several", "published", "top_variance"),
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        penalty = thresholds()[self.penalty]
        counts = self._counts(moments.n_features)
        rules = self._rules(penalty, counts)
        starts = self._starts(moments.n_features, {"published": pca, "top_variance": top_variance})
        exact = self.refit or penalty.symbol == "l0"
        polish = polish_of(self.polish, starts.word == SEVERAL) if exact else None

        def find(rest: SecondMoments, j: int) -> Component:
            ends = [
                penalised_pair(rest, penalty, rules[j], start, self.tol, self.max_iter)
                for start in starts.vectors(rest, j, counts[j])
            ]
            if starts.word == SEVERAL and self.lam is None:  # each end has a penalty of its own
                component = best_of(ends, lambda end: rest.quadratic(end.loading), SAME_END)
            else:
                component = best_of(ends, lambda end: -end.objective, ROUNDING)
            better = polished(rest, component, polish)
            if self.refit and better is component:
                better = refitted(rest, component)
            return better._replace(objective=component.objective)

        return self._one_by_one(moments, find)

    def _rules(self, rule: Rule, counts: list[int]) -> list[AdaptiveRule]:
        self._only_one("n_nonzero", "lam")
        if self.lam is not None:
            lam = self.lam
            return [lambda y: (rule(y, lam), lam)] * len(counts)
        return [keeping(rule, k) for k in counts]


AdaptiveRule = Callable[[Array], tuple[Array, float]]


def keeping(rule: Rule, k: int) -> AdaptiveRule:
    """Apply `rule` with the threshold that leaves k nonzeros."""

    def truncate(y: Array) -> tuple[Array, float]:
        lam = magnitude(y, k + 1)
        v = rule(y, lam)
        tied = np.count_nonzero(v) < k and np.count_nonzero(v) < np.count_nonzero(y)
        return (top_k(y, k), 0.0) if tied else (v, lam)

    return truncate


def penalised_pair(
    moments: SecondMoments, penalty: Threshold, truncate: AdaptiveRule, start: Array, tol: float, max_iter: int
) -> Component:
    """Alternate ``v = rule(y)`` and ``y = S v / sqrt(v'Sv)`` until v settles, up to what single precision rounds."""
    tol = max(tol, SETTLED * moments.rounding)
    w, Sw = multiplied(moments, start)
    y = Sw / np.sqrt(w @ Sw)
    v = np.zeros_like(y)
    for n_iter in range(1, max_iter + 1):
        old = v
        v, lam = truncate(y)
        if not v.any():
            return Component(v, moments.trace, n_iter)
        Sv = moments.matvec(v)
        y = Sv / np.sqrt(v @ Sv)
        converged = bool(np.linalg.norm(v - old) <= tol * np.linalg.norm(v))
        if converged:
            break
    objective = moments.trace - 2.0 * float(y @ v) + float(v @ v) + penalty.cost(v, lam) / penalty.weight
    return Component(unit(v), objective, n_iter, converged)
