"""GSPCA: greedy search by exact eigenvalues, forward and backward."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.constraints import SHARED, words
from spcabench_methods.core.default_starts import peak
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import first_largest
from spcabench_methods.greedy.cardinality_path import Found, GreedyComponents
from spcabench_methods.greedy.leading_pair import LeadingPair, spectrum, with_one_less
from spcabench_methods.greedy.pathspca import forward
from spcabench_methods.greedy.polish import Polish, polish_of


@dataclass(eq=False, repr=False, kw_only=True)
class GSPCA(GreedyComponents):
    """Greedy sparse principal components, bidirectional.

    Each loading is a greedy solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  "forward" starts from the feature of largest variance and adds the feature with
    which the largest eigenvalue of S on the support is largest; "backward" starts from all features and
    removes the one without which it is; "both" takes the better support of each cardinality.  The next
    component is by default found in P S P with P = I - w w'.

    A step at k features costs O(k^3 + k^2 d) forward, O(k^3) backward, since the eigenvalues for all features
    follow from one decomposition; the whole path O(d^4).  With far more features than samples a step costs
    O(n^2 d).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    direction : {"forward", "backward", "both"}, default="both"
        Whether to add features, to remove them, or both.
    polish : bool or None, default=None
        True: exchange single features of the support of each component, until no exchange explains more.  None: make
        only exchanges that cost little.  False: none, as published.  The paths stay as they are.
    whole_path : bool, default=False
        Follow each path over all cardinalities, or stop at k.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw with the deflated S, iterations are the supports found.  Others: see `SparseComponents`.
    path_ : list of CardinalityPath or None, length n_components
        The loadings of all cardinalities reached; None if nothing was left to explain.  Only nonzeros and their places
        are stored: O(k^2) numbers forward, O(d^2) backward from all features.

    References
    ----------
    B. Moghaddam, Y. Weiss and S. Avidan, Spectral bounds for sparse PCA: exact and greedy algorithms, Advances
    in Neural Information Processing Systems 18, 2006, 915-922: the greedy search.
    D. Meng, H. Cui, Z. Xu and K. Jing, Following the entire solution path of sparse principal component analysis by
    coordinate-pairwise algorithm, Data and Knowledge Engineering 88, 2013, 25-36: equation (2) restates the model.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import GSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> GSPCA(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    direction: str = "both"

    _parameter_constraints = SHARED | {
        "direction": [words("forward", "backward", "both")],
        "whole_path": ["boolean"],
    }

    def _search(self, n_features: int) -> tuple[Found, Polish | None]:
        return self._found, polish_of(self.polish, by_default=True)

    def _found(self, rest: SecondMoments, j: int, k: int) -> Iterator[LeadingPair]:
        if self.direction != "backward":
            yield from forward(rest, peak(rest, rest.diagonal), rest.n_features if self.whole_path else k, full=True)
        if self.direction != "forward":
            yield from backward(rest, 1 if self.whole_path else k)


def backward(moments: SecondMoments, k: int) -> Iterator[LeadingPair]:
    """Remove features, from all that vary, until k are left."""
    support = np.flatnonzero(moments.diagonal)
    while True:
        known = spectrum(moments, support)
        yield LeadingPair(support, known.vectors[:, 0].copy(), float(known.values[0]))
        if len(support) <= k:
            return
        support = np.delete(support, first_largest(with_one_less(known)))
