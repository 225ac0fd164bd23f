"""Splicing: exchange the features of a support that matter least with those outside that promise most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.base import Component, MomentComponents, cardinalities
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import TIE, first_largest
from spcabench_methods.core.truncation import top_k
from spcabench_methods.greedy import SPLICING_PARAMETERS
from spcabench_methods.greedy.neighbours import with_one_more


class Splicing(MomentComponents):
    """Sparse principal components by splicing.

    Each loading is a local solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  On a support with leading eigenvector w and eigenvalue l, removing feature j
    loses w_j^2 (2 l - S_jj), and adding feature i promises (S w)_i^2.  The m features that lose least are
    exchanged with the m that promise most, for m = `max_exchange`, halved down to 1; the first exchange that
    raises the largest eigenvalue is made, until none does.  With `polish` all exchanges of one feature are
    tried after that.  The next component is by default sought in P S P with P = I - w w'.

    An exchange costs O((k^3 + k d) log k) once S is formed in O(n d^2), a round of `polish` O(k^4 + k^3 d).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    init : {"both", "pca", "top_variance"}, default="both"
        The start: the k largest entries of the leading eigenvector ("pca"), the k features of largest variance
        ("top_variance"), or each of them, of which the better end is taken, of equal ones that of "pca".
    max_exchange : int or None, default=None
        The most features exchanged at once, at least 1; None: the whole support.
    polish : bool, default=False
        Go on until no exchange of a single feature explains more.
    max_iter : int, default=20
        At least 1.  The most exchanges of several features, `polish` not counted.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    J. Zhu, C. Wen, J. Zhu, H. Zhang and X. Wang, A polynomial algorithm for best-subset selection problem,
    Proceedings of the National Academy of Sciences 117, 2020, 33117-33123.  `polish`: Y. Li and W. Xie, Exact and
    approximation algorithms for sparse principal component analysis, INFORMS Journal on Computing 37, 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import Splicing
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> Splicing(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    _parameters = SPLICING_PARAMETERS

    def __init__(
        self,
        n_components: int = 2,
        n_nonzero: int | Sequence[int] | None = None,
        *,
        init: str = "both",
        max_exchange: int | None = None,
        polish: bool = False,
        max_iter: int = 20,
        deflation: str = "projection",
        covariance: str | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.init = init
        self.max_exchange = max_exchange
        self.polish = polish
        self.max_iter = max_iter
        self.deflation = deflation
        self.covariance = covariance

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = cardinalities(self.n_nonzero, self.n_components, moments.n_features)

        def find(rest: SecondMoments, j: int) -> Component:
            k = counts[j]
            ends = [splice(rest, start(rest, k), self.max_exchange or k, self.max_iter) for start in STARTS[self.init]]
            spliced = best(rest, ends)
            support = swapped(rest, spliced.support) if self.polish else spliced.support
            loading = rest.leading(support)
            return Component(loading, rest.quadratic(loading), spliced.n_iter, spliced.converged)

        return by_deflation(moments, find, self.n_components, self.deflation)


class Spliced(NamedTuple):
    """A support, and how many rounds of exchanges led to it."""

    support: Indices
    n_iter: int
    converged: bool


def largest_loadings(moments: SecondMoments, k: int) -> Indices:
    """Start from the k largest entries of the leading eigenvector."""
    return largest(moments, np.abs(moments.principal(1)[1][:, 0]), k)


def largest_variances(moments: SecondMoments, k: int) -> Indices:
    """Start from the k features of largest variance."""
    return largest(moments, moments.diagonal, k)


STARTS = {
    "both": (largest_loadings, largest_variances),
    "pca": (largest_loadings,),
    "top_variance": (largest_variances,),
}


def largest(moments: SecondMoments, weights: Array, k: int) -> Indices:
    """Give the k features of largest weight that vary, or all of them."""
    varying = moments.diagonal > 0.0
    return np.flatnonzero(top_k(weights + np.finfo(float).tiny * varying, k))


def splice(moments: SecondMoments, support: Indices, max_exchange: int, max_iter: int) -> Spliced:
    """Exchange features until no exchange that is tried raises the largest eigenvalue."""
    w = moments.leading(support)
    for n_iter in range(1, max_iter + 1):
        better = first_better_exchange(moments, w, support, max_exchange)
        if better is None:
            return Spliced(support, n_iter, True)
        support = better
        w = moments.leading(support)
    return Spliced(support, max_iter, False)


def best(moments: SecondMoments, ends: Sequence[Spliced]) -> Spliced:
    """Give the end of the largest variance, the first of those that tie up to rounding."""
    if len(ends) == 1:
        return ends[0]
    return ends[first_largest(np.array([largest_eigenvalue(moments, end.support) for end in ends]))]


def first_better_exchange(moments: SecondMoments, w: Array, support: Indices, m: int) -> Indices | None:
    """Try m, m/2, ..., 1 features; give the first support that is better."""
    Sw = moments.matvec(w)
    variance = float(w @ Sw)
    losses = w[support] ** 2 * (2.0 * variance - moments.diagonal[support])
    outside = others(moments, support)
    kept = support[np.argsort(-losses, kind="stable")]
    promising = outside[np.argsort(-np.abs(Sw[outside]), kind="stable")]
    m = min(m, len(support), len(outside))
    while m:
        trial = np.sort(np.concatenate([kept[: len(kept) - m], promising[:m]]))
        if largest_eigenvalue(moments, trial) > (1.0 + TIE) * variance:
            return trial
        m //= 2
    return None


def swapped(moments: SecondMoments, support: Indices) -> Indices:
    """Exchange single features, each with its best substitute, until no exchange raises the eigenvalue."""
    better: Indices | None = support
    while better is not None:
        support, better = better, first_better_swap(moments, better)
    return support


def first_better_swap(moments: SecondMoments, support: Indices) -> Indices | None:
    """Try all exchanges of one feature, those that lose least first."""
    outside = others(moments, support)
    if not len(outside):
        return None
    w = moments.leading(support)
    variance = moments.quadratic(w)
    for j in np.argsort(np.abs(w[support]), kind="stable"):
        rest = np.delete(support, j)
        values = with_one_more(moments, rest, outside)
        best = int(np.argmax(values))
        if values[best] > (1.0 + TIE) * variance:
            trial = np.sort(np.append(rest, outside[best]))
            if largest_eigenvalue(moments, trial) > (1.0 + TIE) * variance:
                return trial
    return None


def largest_eigenvalue(moments: SecondMoments, support: Indices) -> float:
    """Give the largest variance of a unit vector on `support`."""
    return float(moments.restricted(support).principal(1)[0][0])


def others(moments: SecondMoments, support: Indices) -> Indices:
    """Give the varying features outside `support`."""
    return np.setdiff1d(np.flatnonzero(moments.diagonal), support, assume_unique=True)
