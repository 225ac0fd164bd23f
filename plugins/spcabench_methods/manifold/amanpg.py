"""Alternating manifold proximal gradient: the criterion of SPCA, by steps on both of its matrices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, polar
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, words
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.manifold.manpg import from_each_start

ENOUGH = 1e-3
"""A step on the orthonormal matrix must lower the objective by this share of what its gradient promises."""
FIRST, AGAIN, SHORTEST, GROWTH = 100.0, 1.0, 1e-5, 1.1
"""Times 1/d: its first length, that after one that failed, and the shortest; and by how much it grows."""


@dataclass(eq=False, repr=False, kw_only=True)
class AManPG(MomentComponents, Started):
    """Sparse principal components by the alternating manifold proximal gradient method.

    A local solution of the problem of `SPCA`: minimise

        -2 tr(A'SB) + tr(B'SB) + l2 m ||B||^2 + m sum over j of l1_j ||b_j||_1   subject to A'A = I,

    with S = X'X/n of centred X and m its largest variance; for ``l2="inf"`` with ``m ||B||^2`` instead of
    ``tr(B'SB) + l2 m ||B||^2``.  The columns of B, scaled to unit length, are the loadings.  Both matrices start as the
    leading eigenvectors.  In turn B takes a proximal gradient step, or becomes its best for "inf", a soft threshold of
    S A; and A takes a step along the gradient on the manifold of orthonormal columns, which is halved until the
    objective falls by enough and ends in a polar factor.  With ``orthonormal_step="polar"`` A becomes its best, the
    polar factor of S B.  The objective never increases.  Columns of B vanish if `l1` is large.

    An iteration costs O(r d^2), or O(r n d) where there are far more features than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    l1 : float or list of float, default=0.1
        At least 0, relative to the largest variance; one number or one per component.
    l2 : float or "inf", default=1.0
        At least 0, relative to the largest variance.
    orthonormal_step : {"gradient", "polar"}, default="gradient"
        How A is improved; the two may end at different local solutions.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start of A and B, made orthonormal; see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts; the end of smallest objective is kept.
    tol : float, default=1e-8
        At least 0.  Stop when the objective falls by no more, with m = 1.
    max_iter : int, default=10000
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        What is minimised, and the iterations made, for every component alike.  Others: see `SparseComponents`.

    References
    ----------
    S. Chen, S. Ma, L. Xue and H. Zou, An alternating manifold proximal gradient method for sparse principal component
    analysis and sparse canonical correlation analysis, INFORMS Journal on Optimization 2, 2020, 192-208.
    H. Zou, T. Hastie and R. Tibshirani, Sparse principal component analysis, Journal of Computational and Graphical
    Statistics 15, 2006, 265-286: the criterion.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import AManPG
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> AManPG(n_components=2, l1=0.2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    l1: float | Sequence[float] = 0.1
    l2: float | str = 1.0
    orthonormal_step: str = "gradient"
    tol: float = 1e-8
    max_iter: int = 10_000

    _parameter_constraints = SHARED | {
        "l1": one_or_each(number()),
        "l2": [number(), words("inf")],
        "orthonormal_step": [words("gradient", "polar")],
    }

    def _components(self, moments: SecondMoments) -> Iterable[Component]:
        prices = np.array(per_component(self.l1, self.n_components, "l1"), dtype=np.float64)
        scale = float(moments.diagonal.max()) or 1.0
        largest = float(moments.principal(1)[0][0]) / scale

        def times(W: Array) -> Array:
            return moments.matvec(W) / scale

        def descend(V: Array) -> Block:
            l1 = prices[: V.shape[1]]
            fit = Limit(times, l1) if isinstance(self.l2, str) else Ridge(times, l1, self.l2, largest)
            turn = Steps(len(V)) if self.orthonormal_step == "gradient" else polar_factor
            end = alternated(fit, turn, V, self.tol, self.max_iter)
            return end._replace(objectives=scale * end.objectives)

        return from_each_start(self, moments, descend)


Times = Callable[[Array], Array]
Turn = Callable[[Array, Array], Array]
"""``turn(A, M)`` returns orthonormal columns with a larger tr(A'M), or the same."""


class Ridge:
    """The part of the objective that B decides, with a finite l2 penalty."""

    def __init__(self, times: Times, l1: Array, l2: float, largest: float) -> None:
        self.times, self.l1, self.l2 = times, l1, l2
        self.step = 0.5 / (largest + l2)

    def improved(self, A: Array, B: Array, SB: Array) -> Array:
        """Return B after a step of proximal gradient."""
        V = B - 2.0 * self.step * (SB - self.times(A) + self.l2 * B)
        return np.asarray(V - np.clip(V, -self.step * self.l1, self.step * self.l1))

    def cost(self, B: Array, SB: Array) -> float:
        """Return the terms without A."""
        return float(np.vdot(B, SB + self.l2 * B)) + float(np.abs(B).sum(axis=0) @ self.l1)


class Limit:
    """The same in the limit of large l2 penalties."""

    def __init__(self, times: Times, l1: Array) -> None:
        self.times, self.l1 = times, l1

    def improved(self, A: Array, B: Array, SB: Array) -> Array:
        """Return the best B."""
        V = self.times(A)
        return np.asarray(V - np.clip(V, -0.5 * self.l1, 0.5 * self.l1))

    def cost(self, B: Array, SB: Array) -> float:
        """Return the terms without A."""
        return float(np.vdot(B, B)) + float(np.abs(B).sum(axis=0) @ self.l1)


class Steps:
    """Gradient steps on -2 tr(A'M) along the manifold; the length of one is the start of the next."""

    def __init__(self, d: int) -> None:
        self.again, self.shortest = AGAIN / d, SHORTEST / d
        self.length = FIRST / d

    def __call__(self, A: Array, M: Array) -> Array:
        """Halve the step until the objective falls by enough; return A itself if it never does."""
        product = A.T @ M
        R = A @ (product + product.T) - 2.0 * M
        squared, value = float(np.vdot(R, R)), float(np.vdot(A, M))
        halved = False
        while self.length >= self.shortest:
            turned = polar(A - self.length * R)
            if 2.0 * (float(np.vdot(turned, M)) - value) >= ENOUGH * self.length * squared:
                self.length *= 1.0 if halved else GROWTH
                return turned
            halved = True
            self.length /= 2.0
        self.length = self.again
        return A


def polar_factor(A: Array, M: Array) -> Array:
    """Return the best orthonormal columns."""
    return polar(M)


def alternated(fit: Ridge | Limit, turn: Turn, V: Array, tol: float, max_iter: int) -> Block:
    """Improve B and A in turn, from V, until the objective settles; each column has the whole of it."""
    A, B = V, V
    SB = fit.times(B)
    value, n_iter, converged = np.inf, 0, False
    while n_iter < max_iter and not converged:
        n_iter += 1
        B = fit.improved(A, B, SB)
        SB = fit.times(B)
        A = turn(A, SB)
        old, value = value, fit.cost(B, SB) - 2.0 * float(np.vdot(A, SB))
        converged = old - value <= tol
    return Block(B, np.full(V.shape[1], value), n_iter, converged)
