"""rSVD-GPB: alternate between scores and truncated loadings of all components together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.blocks import Block, components, largest, through_scores, unit_columns, with_variances
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import TruncatedComponents


@dataclass(eq=False, repr=False, kw_only=True)
class RSVDGPB(TruncatedComponents):
    """Regularised singular value decomposition and generalised power method, block version, relative thresholds.

    From the leading eigenvectors by default as W (d, r), the scores Y, with Y'Y = n I, become those nearest to X W, and
    W becomes Z = X'Y/n with each column truncated in proportion to its length.  In terms of S = X'X/n this is
    ``Z = S W (W'SW)^(-1/2)``, then

    - "l1": soft thresholds at threshold ||z_j||,
    - "l0": hard thresholds at threshold ||z_j||,
    - "sp": the n_nonzero largest entries stay,
    - "en": the smallest entries go that have at most the share `energy` of ||z_j||^2 together.

    Columns are scaled to unit length at the end only: Y depends on their lengths.  There is no objective, no
    deflation, and no order.  Without truncation W stays a scaled set of eigenvectors.

    An iteration costs O(d^2 r) for r components once S is formed in O(n d^2), or O(n d r) where there are far more
    features than samples, and O(d r^2).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component with "sp", at least 1, one number or one per component; n_features or more: no
        truncation.  None: the square root of n_features, rounded up.  Of tied entries those with the smallest
        index stay.
    truncation : str, default="l0"
        Which truncation, by its symbol: one of those above, or another of `spcabench_methods.truncations`.
    threshold : float or None, default=None
        With "l1", "l0" and other thresholds, relative to ||z_j||, from 0 to 1; at 1 nothing is left.  None:
        1/sqrt(n_features).
    energy : float or None, default=None
        With "en", the share of ||z_j||^2, from 0 to below 1.  None: 0.1.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start of all components, see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts; the end of largest variance is kept.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    tol : float, default=0.01
        At least 0.  Stop when ``||W - W_old||_F / sqrt(r)``, of unit columns, is not larger.
    max_iter : int, default=200
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        The variances w'Sw.  Others: see `SparseComponents`.

    References
    ----------
    Z. Hu, G. Pan, Y. Wang and Z. Wu, Sparse principal component analysis via rotation and truncation, IEEE
    Transactions on Neural Networks and Learning Systems 27, 2016, 875-890: algorithm 3.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import RSVDGPB
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> RSVDGPB(n_components=2, threshold=0.4, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    tol: float = 0.01
    max_iter: int = 200

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        truncation, levels = self._truncation(moments.n_features)
        values, vectors = moments.principal(self.n_components)
        V = vectors[:, values > 0.0]

        def truncate(Z: Array) -> Array:
            return np.column_stack([truncation.relative(z, level) for z, level in zip(Z.T, levels, strict=False)])

        best = Block(V, np.zeros(0), 0, True)
        if V.size:
            starts = self._starts(moments.n_features).blocks(moments, V)
            best = largest(alternated(moments, start, truncate, self.tol, self.max_iter) for start in starts)
        return components(moments, self.n_components, best, self.refit)


def alternated(
    moments: SecondMoments, V: Array, truncate: Callable[[Array], Array], tol: float, max_iter: int
) -> Block:
    """Repeat ``W = truncate(S W (W'SW)^(-1/2))`` from V until unit columns settle; return these and variances."""
    W = loadings = V
    for n_iter in range(1, max_iter + 1):
        W = truncate(through_scores(moments, W))
        old, loadings = loadings, unit_columns(W)
        if np.linalg.norm(loadings - old) <= tol * np.sqrt(V.shape[1]):
            return with_variances(moments, loadings, n_iter, True)
    return with_variances(moments, loadings, max_iter, False)
