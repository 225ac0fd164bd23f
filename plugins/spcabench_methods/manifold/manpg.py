"""ManPG: proximal gradient steps in the tangent space of the manifold of matrices with orthonormal columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, components, polar, smallest
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Started

SHORTEST = 1e-4
"""No shorter share of a step is tried."""
NEGLIGIBLE = 1e-5
"""Entries of unit vectors up to this become zero at the end."""


@dataclass(eq=False, repr=False, kw_only=True)
class ManPG(MomentComponents, Started):
    """Sparse principal components by the manifold proximal gradient method.

    A local solution of: minimise

        -tr(W'SW) + m sum over j of mu_j ||w_j||_1   subject to W'W = I,

    with S = X'X/n of centred X, m its largest variance, and the loadings as columns of W.  A step D minimises
    ``-2 tr(D'SW) + ||D||^2 / 2t`` and the penalty of W + D among the tangents, D'W + W'D = 0, where 1/t is twice the
    largest eigenvalue of S.  So W + D is a soft threshold of ``W + 2t S W + 2t W L``, and the symmetric L that makes
    D a tangent is found by a semi-smooth Newton method.  The step is halved until the objective falls by at least
    ``a ||D||^2 / 2t``, for a share a of it, and W + a D is replaced by its polar factor.  In the end entries of up to
    1e-5 become zero; until then the loadings are orthonormal.  None of them can vanish: for large `mu` each has a
    single feature.

    An iteration costs O(r d^2), or O(r n d) where there are far more features than samples, and O(d r^4) at most for a
    step of Newton's method.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    mu : float or list of float, default=0.1
        At least 0, relative to the largest variance; one number or one per component.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start, made orthonormal; see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts; the end of smallest objective is kept.
    tol : float, default=1e-8
        At least 0.  Stop when ``||D||^2 / t^2`` is at most this share of the number of entries, with m = 1.
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
    S. Chen, S. Ma, A. M.-C. So and T. Zhang, Proximal gradient method for nonsmooth optimization over the Stiefel
    manifold, SIAM Journal on Optimization 30, 2020, 210-239.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import ManPG
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> ManPG(n_components=2, mu=0.1, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    mu: float | Sequence[float] = 0.1
    tol: float = 1e-8
    max_iter: int = 10_000

    _parameter_constraints = SHARED | {"mu": one_or_each(number())}

    def _components(self, moments: SecondMoments) -> Iterable[Component]:
        prices = np.array(per_component(self.mu, self.n_components, "mu"), dtype=np.float64)
        scale = float(moments.diagonal.max()) or 1.0
        largest = float(moments.principal(1)[0][0]) / scale

        def descend(V: Array) -> Block:
            problem = Problem(moments, scale, largest, prices[: V.shape[1]])
            return problem.descended(V, self.tol, self.max_iter)

        return from_each_start(self, moments, descend)


class Problem:
    """The objective of second moments whose largest variance is made 1.

    Parameters
    ----------
    moments : SecondMoments
    scale : float
        Their largest variance.
    largest : float
        The largest eigenvalue of S, divided by it.
    prices : ndarray of shape (r,)
        Of the l1 norms.
    """

    def __init__(self, moments: SecondMoments, scale: float, largest: float, prices: Array) -> None:
        self.moments, self.scale, self.prices = moments, scale, prices
        self.t = 0.5 / largest

    def descended(self, W: Array, tol: float, max_iter: int) -> Block:
        """Take steps from W until they are short; each column has the whole objective."""
        shortest = tol * W.size * self.t**2
        tangent = Tangent(self.t * self.prices, self.t, shortest)
        value, SW = self.value(W)
        n_iter, converged = 0, False
        while n_iter < max_iter:
            n_iter += 1
            D = tangent.step(W, SW)
            squared = float(np.vdot(D, D))
            converged = squared <= shortest
            better = None if converged else self._retracted(W, D, value, squared)
            if better is None:
                break
            W, value, SW = better
        W = np.where(np.abs(W) > NEGLIGIBLE, W, 0.0)
        return Block(W, np.full(W.shape[1], self.scale * self.value(W)[0]), n_iter, converged)

    def value(self, W: Array) -> tuple[float, Array]:
        """Return the objective and S W."""
        SW = self.moments.matvec(W) / self.scale
        return float(np.abs(W).sum(axis=0) @ self.prices) - float(np.vdot(W, SW)), SW

    def _retracted(self, W: Array, D: Array, value: float, squared: float) -> tuple[Array, float, Array] | None:
        """Return the first of W + D, W + D/2, ... that is better by enough, its value and product; None if none is."""
        share = 1.0
        while share >= SHORTEST:
            Y = polar(W + share * D)
            found, SY = self.value(Y)
            if found <= value - share * squared / (2.0 * self.t):
                return Y, found, SY
            share /= 2.0
        return None


PRECISE = 1e-7
"""The entries of D'W + W'D are at most this in norm, and less where the step is short."""
SHARE = 1e-2
"""What they cost is at most this share of what the step promises."""
MOST_STEPS = 50
ENOUGH = 1e-3
"""Newton's step, or a half of it, a quarter, ..., must shorten them by this share; a smaller share is not tried."""
SOLVED = 1e-4
"""Newton's equations are solved up to this share of their right side."""


class Trial(NamedTuple):
    """A step D, where W + D is not zero, and ``D'W + W'D``."""

    D: Array
    nonzero: Array
    apart: Array

    @property
    def norm(self) -> float:
        """How far D is from a tangent."""
        return float(np.linalg.norm(self.apart))


class Tangent:
    """Steps D with D'W + W'D = 0; the multipliers of one are the start of the next.

    D is the soft threshold of ``W + 2t S W + 2t W L``, less W.  The multipliers L maximise a concave dual, whose
    gradient is -(D'W + W'D): a semi-smooth Newton method finds them, and where its step does not help, a gradient step
    of 1/4t does.

    Parameters
    ----------
    thresholds : ndarray of shape (r,)
        Of the columns of W + D.
    t : float
        The length of a gradient step.
    shortest : float
        The square of the length below which steps need not be told apart.
    """

    def __init__(self, thresholds: Array, t: float, shortest: float) -> None:
        self.thresholds, self.t, self.shortest = thresholds, t, shortest
        self.multipliers = np.zeros((len(thresholds), len(thresholds)))

    def step(self, W: Array, SW: Array) -> Array:
        """Return the step from W."""
        forward = W + 2.0 * self.t * SW
        L = self.multipliers
        trial = self._trial(W, forward, L)
        for _ in range(MOST_STEPS):
            if trial.norm <= self._precision(trial, L):
                break
            L, trial = self._improved(W, forward, L, trial)
        self.multipliers = L
        return trial.D

    def _trial(self, W: Array, forward: Array, L: Array) -> Trial:
        V = forward + 2.0 * self.t * (W @ L)
        Z = V - np.clip(V, -self.thresholds, self.thresholds)
        product = W.T @ Z
        return Trial(Z - W, Z != 0.0, product + product.T - 2.0 * np.eye(len(L)))

    def _precision(self, trial: Trial, L: Array) -> float:
        promised = max(float(np.vdot(trial.D, trial.D)), self.shortest) / (2.0 * self.t)
        return min(PRECISE, SHARE * promised / max(1.0, float(np.linalg.norm(L))))

    def _improved(self, W: Array, forward: Array, L: Array, trial: Trial) -> tuple[Array, Trial]:
        direction, share = self._newton(W, trial), 1.0
        while share > ENOUGH:
            found = self._trial(W, forward, L + share * direction)
            if found.norm**2 < (1.0 - ENOUGH * share) * trial.norm**2:
                return L + share * direction, found
            share /= 2.0
        L = L - trial.apart / (4.0 * self.t)
        return L, self._trial(W, forward, L)

    def _newton(self, W: Array, trial: Trial) -> Array:
        """Solve the equations of Newton's step, slightly regularised, by conjugate gradients."""
        slight = 0.2 * max(min(trial.norm, 0.1), 1e-11)
        X, rest = np.zeros_like(trial.apart), -trial.apart
        direction, squared = rest, float(np.vdot(rest, rest))
        end = SOLVED**2 * squared
        for _ in range(X.size):
            product = W.T @ np.where(trial.nonzero, 2.0 * self.t * (W @ direction), 0.0)
            turned = product + product.T + slight * direction
            length = squared / float(np.vdot(direction, turned))
            X = X + length * direction
            rest = rest - length * turned
            old, squared = squared, float(np.vdot(rest, rest))
            if squared <= end:
                break
            direction = rest + squared / old * direction
        return X


def from_each_start(
    estimator: Started, moments: SecondMoments, descend: Callable[[Array], Block]
) -> Iterator[Component]:
    """Descend from each start of a block; yield the columns of the best end, scaled, and zeros past the rank of S.

    Parameters
    ----------
    estimator : Started
    moments : SecondMoments
    descend : callable
        ``descend(V)`` of a matrix of orthonormal columns.
    """
    values, vectors = moments.principal(estimator.n_components)
    rank = int(np.count_nonzero(values))
    best = Block(vectors[:, :0], np.zeros(0), 0, True)
    if rank:
        blocks = estimator._starts(moments.n_features).blocks(moments, vectors[:, :rank])
        varies = moments.diagonal[:, None] > 0.0
        best = smallest(descend(np.where(varies, polar(V), 0.0)) for V in blocks)
    return components(moments, estimator.n_components, best)
