"""Manifold proximal gradient: orthonormal loadings with an l1 penalty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, polar, products
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, Constraints, number, one_or_each
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.randomness import RandomSource
from spcabench_methods.manifold.joint_starts import from_each_start
from spcabench_methods.manifold.tangent import Tangent

SHORTEST = 1e-4
"""No shorter share of a step is tried."""
NEGLIGIBLE = 1e-5
"""Entries of unit vectors up to this become zero at the end."""


class ManPG(MomentComponents):
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
        At least 0.  Stop when ``||D||^2 / t^2`` is below this share of the number of entries, with m = 1.
    max_iter : int, default=10000
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds what is minimised, and the iterations made, for every component
        alike.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

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

    _parameter_constraints: ClassVar[Constraints] = SHARED | {
        "mu": one_or_each(number()),
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        mu: float | Sequence[float] = 0.1,
        init: str | ArrayLike = "pca",
        n_init: int = 1,
        tol: float = 1e-8,
        max_iter: int = 10_000,
        covariance: str | None = None,
        random_state: int | RandomSource | None = None,
    ) -> None:
        self.n_components = n_components
        self.mu = mu
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.covariance = covariance
        self.random_state = random_state

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
            converged = squared < shortest
            better = None if converged else self._retracted(W, D, value, squared)
            if better is None:
                break
            W, value, SW = better
        W = np.where(np.abs(W) > NEGLIGIBLE, W, 0.0)
        return Block(W, np.full(W.shape[1], self.scale * self.value(W)[0]), n_iter, converged)

    def value(self, W: Array) -> tuple[float, Array]:
        """Return the objective and S W."""
        SW = products(self.moments, W) / self.scale
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
