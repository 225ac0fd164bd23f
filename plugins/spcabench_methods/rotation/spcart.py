"""SPCArt: rotate the leading eigenvectors towards their own truncations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.blocks import Block, components, polar, smallest
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import TruncatedComponents
from spcabench_methods.rotation.art_steps import alternation, bounds
from spcabench_methods.truncations import Truncation


@dataclass(eq=False, repr=False, kw_only=True)
class SPCArt(TruncatedComponents):
    """Sparse principal component analysis via rotation and truncation.

    With the leading eigenvectors of S = X'X/n as columns of V (d, r), a rotation R and sparse unit loadings W are
    sought with W close to Z = V R', by turns: W becomes Z with each column truncated and scaled to unit length,
    and R becomes the orthogonal factor of the polar decomposition of W'V.  The truncations, and what is minimised
    over W and over R with R'R = I:

    - "l1": soft thresholds; ``||V - W R||^2/2 + threshold sum_j ||w_j||_1`` with unit w_j,
    - "l0": hard thresholds; ``||V - W R||^2 + threshold^2 nnz(W)``, for w_j not scaled to unit length,
    - "sp": the n_nonzero largest entries stay; ``||V - W R||^2`` with unit w_j of so many nonzeros,
    - "en": the smallest entries go that have at most the share `energy` of the squared length together.

    Of other truncations the objective is the squared distance and the penalty that each minimises.  No step raises
    the objective, but for "l0", where the scaling of w_j may; "en" has none.  As all columns of Z have unit length,
    one level serves all of them, and loadings come out about equally sparse.  By default the first R = I, so that
    W are the thresholded eigenvectors.  There is no deflation, and no order.

    An iteration costs O(d r^2 + r^3) once V is found.

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
        With "l1", "l0" and other thresholds, on the entries of unit vectors, from 0 to 1; at 1 nothing is left.  None:
        1/sqrt(n_features), the smallest that makes any vector sparse, and the largest that (but for a uniform vector)
        leaves something.
    energy : float or None, default=None
        With "en", a share of the squared length, from 0 to below 1.  None: 0.1.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start: R takes V closest to the vectors in `spcabench_methods.core.starts`; with "pca", as published, R = I.
    n_init : int, default=1
        At least 1.  Random starts; the end of smallest objective is kept.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    tol : float, default=0.01
        At least 0.  Stop when ``||W - W_old||_F / sqrt(r)`` is not larger.
    max_iter : int, default=200
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds what each unit loading adds to the objective, for "en" to
        ``||V - W R||^2``.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    Z. Hu, G. Pan, Y. Wang and Z. Wu, Sparse principal component analysis via rotation and truncation, IEEE
    Transactions on Neural Networks and Learning Systems 27, 2016, 875-890: algorithm 1, objectives (5), (8), (9).

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SPCArt
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> SPCArt(n_components=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    tol: float = 0.01
    max_iter: int = 200

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        truncation, chosen = self._truncation(moments.n_features)
        levels = np.array(chosen, dtype=np.float64)
        values, vectors = moments.principal(self.n_components)
        leading = vectors[:, : np.count_nonzero(values)]
        r = leading.shape[1]
        best = Block(leading, np.zeros(r), 0, True)
        if r:
            change = self.tol * self.tol * r
            best = smallest(
                aligned(V, truncation, levels[:r], change, self.max_iter) for V in self._rotated(moments, leading)
            )
        return components(moments, self.n_components, best, self.refit)

    def _rotated(self, moments: SecondMoments, leading: Array) -> list[Array]:
        """Return the eigenvectors as rows, rotated towards each start."""
        if isinstance(self.init, str) and self.init == "pca":
            return [np.ascontiguousarray(leading.T)]
        starts = self._starts(moments.n_features)
        return [polar(W.T @ leading) @ leading.T for W in starts.blocks(moments, leading)]


def aligned(V: Array, rule: Truncation, levels: Array, change: float, max_iter: int) -> Block:
    """Alternate between W as the truncation of R V, and the rotation R that takes V closest to W, from R = I.

    Parameters
    ----------
    V : ndarray of shape (r, n_features)
        Orthonormal rows; a row is a component here.
    rule : Truncation
    levels : ndarray of shape (r,)
        The level of each row.
    change : float
        Stop when the squared change of W is not larger.
    max_iter : int

    Returns
    -------
    Block
        The sparse loadings, and what each adds to the objective.
    """
    limits = bounds(rule, levels, V.shape[1])
    W, R, M, n_iter, converged = alternation(rule)(np.ascontiguousarray(V), limits, change, max_iter)
    cosines = np.einsum("ij,ij->i", R, M).tolist()
    objectives = [
        rule.weight * (1.0 + (cosine > 0.0) - 2.0 * cosine) + rule.cost(w, level)  # one of zero belongs to w = 0
        for w, cosine, level in zip(W, cosines, levels.tolist(), strict=True)
    ]
    return Block(W.T, np.array(objectives), n_iter, converged)
