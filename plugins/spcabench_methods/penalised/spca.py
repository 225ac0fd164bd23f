"""SPCA: sparse principal components as regressions, penalised by the elastic net."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, smallest
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, starts, words
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.l1_ball import excess
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Started
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.starts import SEVERAL
from spcabench_methods.penalised.elastic_net import (
    elastic_net,
    elastic_net_of_cardinality,
    elastic_net_of_norm,
    ridge_regression,
)
from spcabench_methods.truncations.lp import sparse_approximation
from spcabench_methods.truncations.soft import soft

RIDGE = 1e-6
"""The ridge if none is given, as a share of the mean variance of a feature."""

Regression = Callable[[Array, Array], tuple[Array, float]]
"""``regress(g, b)`` returns coefficients and their l1 penalty, for g = S a and a warm start b."""


@dataclass(eq=False, repr=False, kw_only=True)
class SPCA(MomentComponents, Started, Counted):
    """Sparse principal component analysis by regression.

    The loadings are the columns of B, scaled to unit length, in a local solution of: minimise
    ``||X - X B A'||^2/n + ridge ||B||^2 + sum_j l1_j ||b_j||_1`` over A and B subject to A'A = I, for centred X.
    From the leading eigenvectors, by default, as A, each b_j becomes the solution of an elastic net,
    ``b'(S + ridge I) b - 2 a_j'S b + l1_j ||b||_1`` with S = X'X/n, and A becomes the orthogonal factor of the polar
    decomposition of S B.  With `n_nonzero`, l1_j is in each regression the smallest that leaves so many nonzeros:
    where the path of the elastic net would take in the next feature.  As ridge grows without limit, b_j becomes the
    soft threshold of S a_j at l1_j/2 ("inf"), which needs no regression.  All components are found together.

    A regression costs O(m^2) a sweep for m features that are or have been nonzero, or O(k^3) for k steps of the
    path, beyond O(d m) products of S; "inf" costs O(d).  Other steps cost O(d^2 r) for r components once S is formed
    in O(n d^2), or O(n d r) where there are far more features than samples.  Without an l1 penalty all eigenvectors
    are found once, in O(d^3) or O(n^2 d).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no l1 penalty.
        None, if `l1` and `bound` are None too: the square root of n_features, rounded up.  Where features tie for a
        place, or leave the path, there may be fewer.
    l1 : float, list of float or None, default=None
        The penalty instead of `n_nonzero`, at least 0, one number or one per component; a component is zero from
        ``2 max |S a_j|`` on.  Absolute, in the units of S (a variance), as is `ridge`.
    bound : float, list of float or None, default=None
        The largest l1 norm of the regression coefficients instead of `n_nonzero`, more than 0, one number or one per
        component.
    ridge : float, "inf" or None, default=None
        At least 0.  Keep it positive where there are more features than samples.  A number is absolute, in the units
        of S (a variance): the loadings change with the units of X, unless it is scaled with their square.  None: a
        millionth of the mean variance of a feature.
    init : {"pca", "several", "ones", "max_variance", "random"} or array, default="pca"
        The start: A becomes the orthonormal matrix nearest to the vectors in `spcabench_methods.core.starts`.
        "several": the leading eigenvectors, and features whose rows of S are large and apart; the end whose loadings
        span the most variance is kept, or with `l1` or `bound` that of smallest objective.
    n_init : int, default=1
        At least 1.  Random starts; the end of smallest objective is kept.
    tol : float, default=1e-3
        At least 0.  Stop when the loadings change by no more.
    stop : {"largest", "mean"}, default="largest"
        What `tol` limits: the largest change of an entry, or the root mean square, over components, of the length of
        the change.
    max_iter : int, default=200
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds the minimised objectives of the last regressions, whose sum is
        what is minimised, less the total variance; with "inf" ``||b||^2 - 2 a'S b + l1 ||b||_1``.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    H. Zou, T. Hastie and R. Tibshirani, Sparse principal component analysis, Journal of Computational and
    Graphical Statistics 15, 2006, 265-286: algorithm 1, and section 4 for "inf".

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> SPCA(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    l1: float | Sequence[float] | None = None
    bound: float | Sequence[float] | None = None
    ridge: float | str | None = None
    tol: float = 1e-3
    stop: str = "largest"
    max_iter: int = 200

    _parameter_constraints = SHARED | {
        "l1": [None, *one_or_each(number())],
        "bound": [None, *one_or_each(number(closed="neither"))],
        "ridge": [None, number(), words("inf")],
        "init": starts("several"),
        "stop": [words("largest", "mean")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        ridge = RIDGE * (moments.trace or 1.0) / moments.n_features if self.ridge is None else self.ridge
        regressions = self._regressions(moments, ridge)
        values, vectors = moments.principal(self.n_components)
        rank = int(np.count_nonzero(values))
        starts = self._first_blocks(moments, vectors, rank)
        ends = [self._alternated(moments, regressions, ridge, A) for A in starts]
        counted_several = isinstance(self.init, str) and self.init == SEVERAL and self.l1 is None and self.bound is None
        best = widest(moments, ends) if counted_several else smallest(ends)
        for j, (w, objective) in enumerate(zip(best.W.T, best.objectives, strict=True)):
            yield Component(w, objective, best.n_iter if j < rank else 0, best.converged)

    def _first_blocks(self, moments: SecondMoments, vectors: Array, rank: int) -> list[Array]:
        """Return matrices A to start from, whose columns are zero past the rank."""
        starts = self._starts(moments.n_features)
        if starts.word == "pca" or rank == 0:
            return [vectors]
        past = np.zeros((moments.n_features, self.n_components - rank))
        k = max(self._counts(moments.n_features))
        return [np.column_stack([polar(W), past]) for W in starts.blocks(moments, vectors[:, :rank], k)]

    def _alternated(self, moments: SecondMoments, regressions: list[Regression], ridge: float | str, A: Array) -> Block:
        """Alternate between regressions and the polar factor, from A."""
        B, W = np.zeros_like(A), np.zeros_like(A)
        n_iter, converged = 0, False
        while n_iter < self.max_iter and not converged:
            n_iter += 1
            G = moments.matvec(A)
            found = [regress(g, b) for regress, g, b in zip(regressions, G.T, B.T, strict=True)]
            B = np.column_stack([b for b, _ in found])
            old, W = W, np.column_stack([unit(b) for b in B.T])
            SB = moments.matvec(B)
            A = polar(SB)
            converged = CHANGES[self.stop](W, old) <= self.tol
        curved = B if isinstance(ridge, str) else SB + ridge * B
        l1 = np.array([penalty for _, penalty in found])
        return Block(W, (B * (curved - 2.0 * G)).sum(axis=0) + l1 * np.abs(B).sum(axis=0), n_iter, converged)

    def _regressions(self, moments: SecondMoments, ridge: float | str) -> list[Regression]:
        """Return the regression of each component."""
        self._only_one("n_nonzero", "l1", "bound")
        if self.l1 is not None:
            levels = per_component(self.l1, self.n_components, "l1")
            each = {l1: penalised(moments, ridge, l1) for l1 in set(levels)}
            return [each[l1] for l1 in levels]
        if self.bound is not None:
            return [bounded(moments, ridge, c) for c in per_component(self.bound, self.n_components, "bound")]
        counts = self._counts(moments.n_features)
        return [counted(moments, ridge, k) for k in counts]


def widest(moments: SecondMoments, ends: Sequence[Block]) -> Block:
    """Return the block whose loadings span the most variance, the first on ties; each end has penalties of its own.

    It counts as converged only if all blocks converged: one whose iterations ran out might have become the best.
    """
    bases = [orthonormal_basis(end.W) for end in ends]
    best = first_largest(np.array([np.trace(moments.scores_covariance(Q)) for Q in bases]))
    return ends[best]._replace(converged=all(end.converged for end in ends))


def penalised(moments: SecondMoments, ridge: float | str, l1: float) -> Regression:
    """Regress with a given penalty."""
    if isinstance(ridge, str):
        return lambda g, b: (soft(g, 0.5 * l1), l1)
    if l1 == 0.0 < ridge:
        solve = ridge_regression(moments, ridge)
        return lambda g, b: (solve(g), l1)
    return lambda g, b: (elastic_net(moments, g, ridge, l1, b), l1)


def counted(moments: SecondMoments, ridge: float | str, k: int) -> Regression:
    """Regress with the penalty that leaves k nonzeros."""
    if isinstance(ridge, str):
        return lambda g, b: largest(g, k)
    return lambda g, b: elastic_net_of_cardinality(moments, g, ridge, k)


def bounded(moments: SecondMoments, ridge: float | str, bound: float) -> Regression:
    """Regress with the smallest penalty that keeps the l1 norm within the bound."""
    if isinstance(ridge, str):
        return lambda g, b: shrunk(g, bound)
    return lambda g, b: elastic_net_of_norm(moments, g, ridge, bound)


def shrunk(g: Array, bound: float) -> tuple[Array, float]:
    """Threshold softly until the l1 norm is no larger than the bound; return the vector and its l1 penalty."""
    level = excess(g, bound)
    return soft(g, level), 2.0 * level


def largest(g: Array, k: int) -> tuple[Array, float]:
    """Threshold softly at the (k+1)-th magnitude; return the vector and its l1 penalty."""
    b = sparse_approximation(g, k, 1.0)
    return b, 2.0 * float(np.abs(g - b).max())


def largest_change(W: Array, old: Array) -> float:
    """Return the largest change of an entry, whatever the signs of the columns."""
    return float(np.minimum(np.abs(W - old).max(axis=0), np.abs(W + old).max(axis=0)).max())


def mean_change(W: Array, old: Array) -> float:
    """Return the root mean square of the lengths of the changes, whatever the signs of the columns."""
    return float(np.sqrt(np.minimum(((W - old) ** 2).sum(axis=0), ((W + old) ** 2).sum(axis=0)).mean()))


CHANGES = {"largest": largest_change, "mean": mean_change}


def polar(M: Array) -> Array:
    """Return the orthogonal factor of the polar decomposition of the columns that are not zero; others stay zero."""
    A = np.zeros_like(M)
    nonzero = M.any(axis=0)
    U, _, Vt = np.linalg.svd(M[:, nonzero], full_matrices=False)
    A[:, nonzero] = U @ Vt
    return A
