"""PathSPCA: greedy search that adds one feature after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.constraints import SHARED, starts, words
from spcabench_methods.core.default_starts import peak
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.starts import SEVERAL, first_variance
from spcabench_methods.greedy.cardinality_path import Found, GreedyComponents
from spcabench_methods.greedy.leading_pair import LeadingPair, with_one_more
from spcabench_methods.greedy.polish import Polish, polish_of

HEAD_START = 8
"""The features after which the best of several paths is chosen."""


@dataclass(eq=False, repr=False, kw_only=True)
class PathSPCA(GreedyComponents, Started):
    """Greedy path of sparse principal components.

    Each loading is a greedy solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  The first feature is that of the largest entry of a start, in the paper the one of largest
    variance.  To a support I with leading eigenvector z of S_II the next is added,

    - "approximate": the feature i of largest (S_iI z)^2, which bounds from below what the eigenvalue gains;
    - "full": the feature with which the largest eigenvalue of S on the new support is largest.

    The next component is by default found in P S P with P = I - w w'.

    A step from k features costs O(k^3 + k d), "full" O(k^3 + k^2 d): the eigenvalues for all features follow
    from one decomposition.  Where there are far more features than samples, O(n d), "full" O(n^2 d).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    search : {"approximate", "full"}, default="approximate"
        How the next feature is found.
    init : {"several", "published", "ones", "pca", "max_variance", "random"} or array, default="several"
        The start, see `spcabench_methods.core.starts`: the path begins with the feature of its largest entry, of those
        that tie the one of largest variance.  From several starts there are several paths of up to eight features,
        and the best goes on; the support that short ascents came to is one more result.  "published": the feature of
        largest variance, the first of those that tie.
    n_init : int, default=1
        At least 1.  Random starts of a component.
    polish : bool or None, default=None
        True: exchange single features of the support of each component, until no exchange explains more.  None: make
        only exchanges that cost little, and only if `init` is "several".  False: none.  The paths stay as they are.
    whole_path : bool, default=False
        Follow each path up to all features, or stop at k.
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
        w'Sw with the deflated S, iterations are the supports found.  Others: see `SparseComponents`.
    path_ : list of CardinalityPath or None, length n_components
        The loadings of all cardinalities reached; None if nothing was left to explain.

    References
    ----------
    A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component analysis,
    Journal of Machine Learning Research 9, 2008, 1269-1294, sections 3.1 and 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import PathSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> pathspca = PathSPCA(n_components=1, n_nonzero=2, whole_path=True, covariance="precomputed").fit(S)
    >>> pathspca.components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    >>> pathspca.path_[0].variance.round(3)
    array([4.   , 6.   , 6.004])
    """

    search: str = "approximate"
    init: str | ArrayLike = "several"

    _parameter_constraints = SHARED | {
        "search": [words("approximate", "full")],
        "init": starts("several", "published"),
        "whole_path": ["boolean"],
    }

    def _search(self, n_features: int) -> tuple[Found, Polish | None]:
        starts = self._starts(n_features, {"published": first_variance})

        def found(rest: SecondMoments, j: int, k: int) -> Iterator[LeadingPair]:
            last = rest.n_features if self.whole_path else k
            vectors = starts.vectors(rest, j, k)
            features = dict.fromkeys(peak(rest, np.abs(w)) for w in vectors)
            yield from from_each(rest, features, last, full=self.search == "full")
            if starts.word == SEVERAL:
                end = np.flatnonzero((vectors[0] != 0.0) & (rest.diagonal > 0.0))
                if len(end) <= last:  # dense where no ascents were made
                    yield LeadingPair.on(rest, end)

        return found, polish_of(self.polish, starts.word == SEVERAL)


def from_each(moments: SecondMoments, features: Iterable[int], k: int, full: bool) -> Iterator[LeadingPair]:
    """Follow a path from each feature for some steps, and then the one that explains most."""
    paths = [forward(moments, feature, k, full) for feature in features]
    heads = [list(islice(path, HEAD_START)) for path in paths]
    yield from chain.from_iterable(heads)
    longest = max(len(head) for head in heads)
    best = max((i for i in range(len(heads)) if len(heads[i]) == longest), key=lambda i: heads[i][-1].variance)
    yield from paths[best]


def forward(moments: SecondMoments, feature: int, k: int, full: bool) -> Iterator[LeadingPair]:
    """Add features to a first one, until there are k or no more vary."""
    outside = moments.diagonal > 0.0
    most = min(k, int(np.count_nonzero(outside)))
    support = np.array([feature])
    while True:
        outside[feature] = False
        found = LeadingPair.on(moments, support)
        yield found
        if len(support) >= most:
            return
        if full:
            (candidates,) = outside.nonzero()
            feature = int(candidates[first_largest(with_one_more(moments, support, candidates))])
        else:
            products = moments.matvec(found.loading(moments.n_features))
            feature = first_largest(np.where(outside, products**2, -1.0))
        support = np.sort(np.append(support, feature))
