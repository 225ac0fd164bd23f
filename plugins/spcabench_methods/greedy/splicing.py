"""Splicing: exchange the least important features of a support for the most promising ones outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.checks import cardinalities
from spcabench_methods.core.constraints import SHARED, Constraints, starts, whole
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.jit import njit
from spcabench_methods.core.largest_entries import largest as largest_entries
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.randomness import RandomSource
from spcabench_methods.core.several import foremost
from spcabench_methods.core.starts import SEVERAL, Starts
from spcabench_methods.greedy.exchanges import best_end
from spcabench_methods.greedy.leading_pair import ascending
from spcabench_methods.greedy.polish import polish_of


class Splicing(MomentComponents):
    """Sparse principal components by splicing.

    Each loading is a local solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  On a support with leading eigenvector w and eigenvalue l, removing feature j
    loses w_j^2 (2 l - S_jj), and adding feature i promises (S w)_i^2.  The m features that lose least are
    exchanged with the m that promise most, for m = `max_exchange`, halved down to 1; the first exchange that
    raises the largest eigenvalue is made, until none does.  After that
    exchanges of one feature are tried, see `polish`.  The next component is by default found in P S P with
    P = I - w w'.

    An exchange costs O((k^3 + k d) log k) once S is formed in O(n d^2), a round of `polish` O(k^4 + k^3 d).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    init : {"several", "both", "ones", "pca", "max_variance", "random", "top_variance"} or array, default="several"
        The start: the k largest entries of the leading eigenvector ("pca"), the k features of largest variance
        ("top_variance"), or both.  "both" returns the better result, that of "pca" on ties.  For the other starts w in
        `spcabench_methods.core.starts` the k largest entries of S w; of the ends of "several" the best is kept.
    n_init : int, default=1
        At least 1.  Random starts of a component; the best end is kept.
    max_exchange : int or None, default=None
        The most features exchanged at once, at least 1; None: the whole support.
    polish : bool or None, default=None
        True: go on until no exchange of a single feature explains more.  None: make only exchanges that cost little,
        and only if `init` is "several".  False: none.
    max_iter : int, default=20
        At least 1.  The most exchanges of several features, `polish` not counted.
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
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    J. Zhu, C. Wen, J. Zhu, H. Zhang and X. Wang, A polynomial algorithm for best-subset selection problem,
    Proceedings of the National Academy of Sciences 117, 2020, 33117-33123: algorithms 1 and 2, as the documentation of
    the authors' library abess numbers them, for regression.
    D. Meng, H. Cui, Z. Xu and K. Jing, Following the entire solution path of sparse principal component analysis by
    coordinate-pairwise algorithm, Data and Knowledge Engineering 88, 2013, 25-36: equation (2) restates the model.
    Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis, INFORMS Journal on
    Computing 37, 2025: the exchanges of `polish`.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import Splicing
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> Splicing(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    _parameter_constraints: ClassVar[Constraints] = SHARED | {
        "init": starts("several", "both", "top_variance"),
        "max_exchange": [None, whole(1)],
    }

    def __init__(
        self,
        n_components: int = 2,
        n_nonzero: int | Sequence[int] | None = None,
        *,
        init: str | ArrayLike = "several",
        n_init: int = 1,
        max_exchange: int | None = None,
        polish: bool | None = None,
        max_iter: int = 20,
        deflation: str = "projection",
        covariance: str | None = None,
        random_state: int | RandomSource | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.init = init
        self.n_init = n_init
        self.max_exchange = max_exchange
        self.polish = polish
        self.max_iter = max_iter
        self.deflation = deflation
        self.covariance = covariance
        self.random_state = random_state

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = cardinalities(self.n_nonzero, self.n_components, moments.n_features)
        starts = Starts.of(self, moments.n_features)
        polish = polish_of(self.polish, starts.word == SEVERAL)

        def find(rest: SecondMoments, j: int) -> Component:
            k = counts[j]
            spliced = best_end(rest, supports(starts, rest, j, k), self.max_exchange or k, self.max_iter)
            found = polish(rest, spliced.found) if polish is not None else spliced.found
            return Component(found.loading(rest.n_features), found.variance, spliced.n_iter, spliced.converged)

        return by_deflation(moments, find, self.n_components, self.deflation)


def largest_loadings(moments: SecondMoments, k: int) -> Indices:
    """Start from the k largest entries of the leading eigenvector."""
    return largest(moments, np.abs(moments.principal(1)[1][:, 0]), k)


def largest_variances(moments: SecondMoments, k: int) -> Indices:
    """Start from the k features of largest variance."""
    return foremost(moments, k)


SUPPORTS = {
    "both": (largest_loadings, largest_variances),
    "pca": (largest_loadings,),
    "top_variance": (largest_variances,),
}


def supports(starts: Starts, rest: SecondMoments, j: int, k: int) -> list[Indices]:
    """Return the supports from which component j of k nonzeros starts."""
    if starts.word in SUPPORTS:
        return [start(rest, k) for start in SUPPORTS[starts.word]]
    return [largest(rest, np.abs(rest.matvec(w)), k) for w in starts.vectors(rest, j, k)]


def largest(moments: SecondMoments, weights: Array, k: int) -> Indices:
    """Return the k varying features of largest weight, the first on ties; all if fewer vary."""
    return largest_varying(weights, moments.diagonal, k)


@njit(cache=True)
def largest_varying(weights: Array, diagonal: Array, k: int) -> Indices:
    """Return, ascending, the k features of largest weight, the first on ties, among those of nonzero variance."""
    (varying,) = (diagonal > 0.0).nonzero()
    chosen = np.empty(min(k, len(varying)), np.intp)
    largest_entries(weights[varying], chosen)
    return ascending(varying[chosen], len(diagonal))
