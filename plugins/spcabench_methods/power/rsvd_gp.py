"""rSVD-GP: power steps truncated in proportion to their length, one component at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.constraints import number, one_or_each, starts
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.jobs import at_once
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Deflated, TruncatedComponents
from spcabench_methods.core.searches import Searches, counted, guided_search, threshold_for
from spcabench_methods.core.starts import first_variance, multiplied
from spcabench_methods.greedy.polish import polish_of, polished
from spcabench_methods.truncations import Truncation, truncations

RETURNED = 1e-3
"""Iterations cycle if a loading comes back closer than this share of the tolerance."""


@dataclass(eq=False, repr=False, kw_only=True)
class RSVDGP(Deflated, TruncatedComponents):
    """Regularised singular value decomposition and generalised power method, with relative thresholds.

    From a start, w becomes S w, S = X'X/n of centred X, truncated and scaled to unit length.  The truncation is
    relative to the length of z = S w:

    - "l1": soft thresholds at threshold ||z||,
    - "l0": hard thresholds at threshold ||z||,
    - "sp": the n_nonzero largest entries stay, which is the truncated power method,
    - "en": the smallest entries go that have at most the share `energy` of ||z||^2 together.

    w'Sw never decreases with "sp"; the others have no objective, and may cycle, which ends the iterations.  The
    next component is by default sought in P S P with P = I - w w'.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples.  With `n_nonzero`, one fit a component mostly finds the level of the others, and a miss takes
    about ten.  `n_fits_` does not count the steps that propose levels; their time is part of the search.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Wanted nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        truncation.  With "sp" they are what is left, None the square root of n_features, rounded up.  With the
        others, if given, the level is searched for each component, each fit from the same start.  The search ends at a
        jump of the cardinality across the target, or after 50 fits, and then misses it; see `exact_cardinality_`.
    truncation : str, default="l0"
        Which truncation, by its symbol: one of those above, or another of `spcabench_methods.truncations`.
    threshold : float, list of float or None, default=None
        With "l1", "l0" and other thresholds, relative to ||z||, from 0 to 1, one number or one per component,
        instead of `n_nonzero`; at 1 nothing is left.  None: 1/sqrt(n_features).
    energy : float, list of float or None, default=None
        With "en", the share of ||z||^2, from 0 to below 1, one number or one per component, instead of `n_nonzero`.
        None: 0.1.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    polish : bool or None, default=False
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little.  False: none.  After exchanges a loading is the leading eigenvector on its support.
    init : {"max_variance", "published", "ones", "pca", "random"} or array, default="max_variance"
        The start, see `spcabench_methods.core.starts`; "published" is the first of the features of largest variance.
    n_init : int, default=1
        At least 1.  Random starts of a component; the end of largest variance is kept.
    tol : float, default=1e-6
        At least 0.  Stop when ``||w - w_old||`` is not larger.  The published tables have 0.01.
    max_iter : int, default=1000
        At least 1.  The published tables have 200.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.
    n_jobs : int or None, default=None
        So many threads for random starts, as in scikit-learn: -1 is one a processor, -2 all but one, None is 1 unless
        ``joblib.parallel_config`` says more.  The result is the same for any number.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the wanted nonzeros were found, or n_features or more were wanted.  Only after a search.
    calibrated_params_ : dict
        Parameters that lead to the same loadings without a search.  Only after a search.
    n_fits_ : int
        How many fits of a component the searches took.  Only after a search.

    References
    ----------
    Z. Hu, G. Pan, Y. Wang and Z. Wu, Sparse principal component analysis via rotation and truncation, IEEE
    Transactions on Neural Networks and Learning Systems 27, 2016, 875-890: algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import RSVDGP
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> RSVDGP(n_components=2, threshold=0.4, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    polish: bool | None = False
    init: str | ArrayLike = "max_variance"
    tol: float = 1e-6
    max_iter: int = 1000
    n_jobs: int | None = None

    _parameter_constraints = TruncatedComponents._parameter_constraints | {
        "energy": [None, *one_or_each(number(0, 1))],
        "threshold": [None, *one_or_each(number(0, 1, closed="both"))],
        "init": starts("published"),
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        truncation = truncations()[self.truncation]
        polish = polish_of(self.polish, by_default=True)
        starts = self._starts(moments.n_features, {"published": first_variance})
        searched = self.n_nonzero is not None and truncation.level.name != "n_nonzero"
        levels = self._values("n_nonzero") if searched else self._truncation(moments.n_features)[1]
        searches: Searches[Component] = Searches()

        def find(rest: SecondMoments, j: int) -> Component:
            first = starts.vectors(rest, j)

            def power(level: float) -> Component:
                def followed(view: SecondMoments, start: Array) -> Component:
                    return relative_power(view, truncation, level, start, self.tol, self.max_iter)

                return best_of(at_once(followed, rest, first, self.n_jobs))

            def at_rest(w: Array) -> float:
                return threshold_for(rest, truncation, int(levels[j]), w, lambda w, Sw: unit(Sw))

            if searched:
                component = searches.add(guided_search(rest, counted(power), int(levels[j]), first[0], at_rest))
            else:
                component = power(levels[j])
            if polish is not None:
                return polished(rest, component, polish)
            return refitted(rest, component) if self.refit else component

        yield from self._one_by_one(moments, find)
        if searched:
            searches.set_attributes(self, truncation.level.name, self.n_components)


def relative_power(
    moments: SecondMoments, truncation: Truncation, level: float, start: Array, tol: float, max_iter: int
) -> Component:
    """Repeat ``w = unit(truncate(unit(S w)))`` until w settles, or returns to where it was 1, 2, 4, ... steps ago."""
    w, z = multiplied(moments, start)
    past, converged = w, False
    for n_iter in range(1, max_iter + 1):
        old, w = w, unit(truncation(unit(z), level))
        if not w.any():
            return Component(w, 0.0, n_iter)
        z = moments.matvec(w)
        converged = distance(w, old) <= tol
        if converged or distance(w, past) <= RETURNED * tol:
            break
        if n_iter & (n_iter - 1) == 0:
            past = w
    return Component(w, float(w @ z), n_iter, converged)


def distance(v: Array, w: Array) -> float:
    """Return the length of v - w."""
    change = v - w
    return math.sqrt(change @ change)
