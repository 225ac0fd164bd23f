"""TPower: the power method, truncated to k entries after each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, largest, unit
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.constraints import SHARED, starts
from spcabench_methods.core.default_starts import leader
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.jobs import at_once
from spcabench_methods.core.kernels import truncated_steps
from spcabench_methods.core.moments import Data, Gram, SecondMoments, small
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.starts import SEVERAL, first_variance, max_variance, multiplied, top_variance
from spcabench_methods.greedy.polish import polish_of, polished
from spcabench_methods.power.positive import parts, positive_power, positive_starts

OTHERS = {"published": first_variance, "top_variance": top_variance, "decreasing": max_variance}
"""The starts beside the common ones."""
SLOW = 64
"""From this step on S is formed if it was not: so far the products with the samples took about as long."""
WIDER = (8, 4, 2)
"""Multiples of k that decreasing cardinalities start with."""


@dataclass(eq=False, repr=False, kw_only=True)
class TPower(Deflated, Started, Counted):
    """Truncated power method.

    Each loading is a local solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  From a start, w becomes the k largest entries of S w, scaled to unit length; w'Sw
    never decreases.  The next component is by default sought in P S P with P = I - w w'.

    An iteration costs O(k d) for k nonzeros once S is formed in O(n d^2), or O(n d) where there are far more
    features than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support, to which it has converged up to `tol`.
    init : {"several", "published", "ones", "pca", "max_variance", "random", "top_variance", "decreasing"} or array, \
default="several"
        The start, see `spcabench_methods.core.starts`: "several" goes on from the best short ascent;
        "published" is the feature of largest variance, the first of those that tie; "top_variance" the k features of
        largest variance with equal weights; "decreasing" what the iterations lead to with 8 k, then 4 k, then 2 k
        nonzeros, from the feature of largest variance.
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    polish : bool or None, default=None
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little, and only if `init` is "several".  False: none.  After exchanges a loading is the leading
        eigenvector on its support.
    tol : float, default=1e-6
        At least 0.  Stop when w'Sw changes by less than this share, or w by less than a hundredth of it.
    max_iter : int, default=1000
        At least 1.
    nonnegative : bool, default=False
        True: no entry of a loading is negative, as with amounts that add up.  Each step keeps the largest positive
        entries of S w, of which there may be fewer than k; `exact_cardinality_` says so.  Starts are the positive
        part of each start and of its negative, with "several" also single features.  No features are exchanged.
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
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S, iterations are those with k nonzeros.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    X.-T. Yuan and T. Zhang, Truncated power method for sparse eigenvalue problems, Journal of Machine
    Learning Research 14, 2013, 899-925, algorithm 1.
    C. D. Sigg and J. M. Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008, 960-967: steps
    without negative entries.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import TPower
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> TPower(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    refit: bool = False
    init: str | ArrayLike = "several"
    polish: bool | None = None
    tol: float = 1e-6
    max_iter: int = 1000
    nonnegative: bool = False
    n_jobs: int | None = None

    _parameter_constraints = SHARED | {
        "init": starts("several", "published", "top_variance", "decreasing"),
        "nonnegative": ["boolean"],
    }

    @property
    def _may_miss(self) -> bool:  # type: ignore[override]
        return self.nonnegative

    @property
    def _few_products(self) -> bool:
        return self.n_components == 1 and isinstance(self.init, str) and self.init == "published" and not self.polish

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        starts = self._starts(moments.n_features, OTHERS)
        polish = None if self.nonnegative else polish_of(self.polish, starts.word == SEVERAL)
        for name in ("polish", "refit"):
            if self.nonnegative and getattr(self, name):
                raise ValueError(f"{name} is True and nonnegative is True; valid is False: it would ignore signs")

        def positive(rest: SecondMoments, j: int) -> Component:
            k = counts[j]
            if starts.word == SEVERAL:
                first = positive_starts(rest, k)
            else:
                first = [part for start in starts.vectors(rest, j, k) for part in parts(start)]
            return best_of(positive_power(rest, k, start, self.tol, self.max_iter) for start in first)

        def narrowed(rest: SecondMoments, start: Array, k: int) -> Component:
            for multiple in WIDER if starts.word == "decreasing" else ():
                start = truncated_power(rest, multiple * k, start, self.tol, self.max_iter).loading
            return truncated_power(rest, k, start, self.tol, self.max_iter)

        def find(rest: SecondMoments, j: int) -> Component:
            k = counts[j]
            first = [leader(rest, k)] if starts.word == SEVERAL else starts.vectors(rest, j, k)
            component = best_of(at_once(lambda view, start: narrowed(view, start, k), rest, first, self.n_jobs))
            component = polished(rest, component, polish)
            return refitted(rest, component) if self.refit and polish is None else component

        return self._one_by_one(moments, positive if self.nonnegative else find)


def truncated_power(moments: SecondMoments, k: int, start: Array, tol: float, max_iter: int) -> Component:
    """Repeat ``w = unit(top_k(S w, k))`` until w'Sw or w settles."""
    w, z = multiplied(moments, start)
    few = small(moments)
    if few is not None:
        return Component(*truncated_steps(*few, z, w, k, tol, max_iter))
    variance = -np.inf
    for n_iter in range(1, max_iter + 1):
        if n_iter == SLOW and type(moments) is Data and moments.n_features <= len(moments.X):
            moments = Gram(moments.submatrix(np.arange(moments.n_features)), moments.rounding)
        old, old_variance = w, variance
        w = np.zeros_like(z)
        support = largest(np.abs(z), k)
        w[support] = unit(z[support])
        z = moments.matvec(w)
        variance = float(w @ z)
        if abs(variance - old_variance) < tol * variance or np.linalg.norm(w - old) <= 1e-2 * tol:
            return Component(w, variance, n_iter)
    return Component(w, variance, max_iter, converged=False)
