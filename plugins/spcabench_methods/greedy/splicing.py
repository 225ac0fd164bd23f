"""Splicing: exchange several features of a support at once, as long as that explains more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import TIE, Array, Indices
from spcabench_methods.core.arrays import largest as largest_entries
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, starts, whole
from spcabench_methods.core.default_starts import foremost
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.core.starts import SEVERAL, Starts
from spcabench_methods.greedy.leading_pair import LeadingPair, others
from spcabench_methods.greedy.polish import polish_of


@dataclass(eq=False, repr=False, kw_only=True)
class Splicing(Deflated, Started, Counted):
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
    objective_ : ndarray of shape (n_components,)
        w'Sw with the deflated S.  Others: see `SparseComponents`.

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

    init: str | ArrayLike = "several"
    max_exchange: int | None = None
    polish: bool | None = None
    max_iter: int = 20

    _parameter_constraints = SHARED | {
        "init": starts("several", "both", "top_variance"),
        "max_exchange": [None, whole(1)],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        starts = self._starts(moments.n_features)
        polish = polish_of(self.polish, starts.word == SEVERAL)

        def find(rest: SecondMoments, j: int) -> Component:
            k = counts[j]
            spliced = best_end(rest, supports(starts, rest, j, k), self.max_exchange or k, self.max_iter)
            found = polish(rest, spliced.found) if polish is not None else spliced.found
            return Component(found.loading(rest.n_features), found.variance, spliced.n_iter, spliced.converged)

        return self._one_by_one(moments, find)


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
    """Return, ascending, the k varying features of largest weight, the first on ties; all if fewer vary."""
    (varying,) = moments.diagonal.nonzero()
    return np.asarray(varying[largest_entries(weights[varying], k)])


class Spliced(NamedTuple):
    """The result of rounds of exchanges, and how many there were."""

    found: LeadingPair
    n_iter: int
    converged: bool


def best_end(moments: SecondMoments, starts: Sequence[Indices], max_exchange: int, max_iter: int) -> Spliced:
    """Splice from each start; return the result of largest variance, the first of those that tie up to rounding.

    The final support of an earlier start is not searched again.  The result counts as converged only if all starts
    converged: one whose rounds ran out might have become the best.
    """
    best = splice(moments, starts[0], max_exchange, max_iter)
    converged = best.converged
    for start in starts[1:]:
        end = splice(moments, start, max_exchange, max_iter, best.found)
        converged = converged and end.converged
        if end.found.variance > (1.0 + TIE) * best.found.variance:
            best = end
    return best._replace(converged=converged)


def splice(
    moments: SecondMoments, support: Indices, max_exchange: int, max_iter: int, end: LeadingPair | None = None
) -> Spliced:
    """Exchange features until no exchange raises the largest eigenvalue, or the support is that of a known `end`."""
    found = LeadingPair.on(moments, support)
    for n_iter in range(1, max_iter + 1):
        better = None if end and found.same(end) else first_better_exchange(moments, found, max_exchange)
        if better is None:
            return Spliced(found, n_iter, True)
        found = better
    return Spliced(found, max_iter, False)


def first_better_exchange(moments: SecondMoments, found: LeadingPair, m: int) -> LeadingPair | None:
    """Exchange m, m/2, ..., 1 features; return the first result that explains more, or None."""
    kept, promising = ranked(moments, found)
    m = min(m, len(kept), len(promising))
    while m:
        support = np.sort(np.concatenate([kept[: len(kept) - m], promising[:m]]))
        if hopeful(moments, support, found.variance):
            better = LeadingPair.on(moments, support)
            if better.variance > (1.0 + TIE) * found.variance:
                return better
        m //= 2
    return None


def hopeful(moments: SecondMoments, support: Indices, variance: float) -> bool:
    """Return whether the largest eigenvalue of S on a support may exceed `variance`: the norm there bounds it."""
    return not isinstance(moments, Gram) or float(np.sum(moments.submatrix(support) ** 2)) > variance * variance


def ranked(moments: SecondMoments, found: LeadingPair) -> tuple[Indices, Indices]:
    """Sort a support by the loss from removing each feature, and the other varying features by their promised gain.

    Both are in descending order; ties are in the order of the indices.
    """
    support, weights, variance = found
    outside = others(moments, support)
    losses = weights**2 * (2.0 * variance - moments.diagonal[support])
    gains = np.abs(moments.matvec(found.loading(moments.n_features))[outside])
    return support[np.argsort(-losses, kind="stable")], outside[np.argsort(-gains, kind="stable")]
