"""Sparse PCA by variable projection: all components at once; also from a random sketch, and robust to outliers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench_methods.core.arrays import EPS, Array, unit
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, polar, smallest
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.core.constraints import SHARED, number, starts, whole, words
from spcabench_methods.core.moments import Data, SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.starts import SEVERAL, Starts
from spcabench_methods.truncations import Threshold, thresholds

NOTHING = 1e-10
"""A loading shorter than this is a rounding error: B starts at the loadings of PCA, of length 1."""

MULTIPLES = (1.0, 3.0, 10.0)
"""With the penalty "l0" the ends with "l1" and so many times the penalty are starts."""


@dataclass(eq=False, repr=False, kw_only=True)
class VarProSPCA(MomentComponents, Started):
    """Sparse principal component analysis by variable projection.

    With centred X, S = X'X/n and its largest eigenvalue m, a local solution of: minimise

        ||X - X B A'||_F^2 / 2n + alpha m P(B) + beta m ||B||_F^2 / 2   subject to A'A = I,

    over A and B of shape (n_features, n_components); P is the sum of magnitudes ("l1") or the number of nonzeros
    ("l0").  Columns of B, scaled to unit length, are the loadings.  By default both start as the leading eigenvectors.
    A is projected out: the best A for a given B is the orthogonal polar factor of S B.  B then takes a step of
    proximal gradient, with 1/(m + beta m) as its length: a soft or hard threshold of
    ``B + (S (A - B) - beta m B)/(m + beta m)``.  The objective never increases.

    "robust" adds a sparse matrix O to the model, and gamma s ||O||_1 / n with s the root mean square of X to the
    objective: X B A' is fitted to X - O, and O becomes the soft threshold of X - X B A'.  Without O this is the
    Huber loss of the residuals.  The start is then the leading eigenvectors of X with its entries clipped at gamma s,
    as outliers may dominate those of X itself.  "random" replaces S by its Nyström approximation from a random basis:
    the second moments of a sketch Q'X of the samples, with Q an orthonormal basis of X S^q times random vectors.

    An iteration costs O(r d^2) once S is formed in O(n d^2), O(r n d) where there are far more features than samples
    and for "robust", and O(r^2 d) for "random".

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    alpha : float, default=1e-4
        At least 0.  The penalty, shared by all components, relative to m; from 1 on nothing is left with "l1".
    beta : float, default=1e-4
        At least 0.  The ridge penalty, relative to m.
    penalty : {"l1", "l0"}, default="l1"
        What is penalised.
    variant : {"plain", "random", "robust"}, default="plain"
        See above.
    gamma : float, default=1.0
        At least 0.  For "robust": entries with a larger residual, relative to s, count as outliers.
    n_oversamples : int, default=20
        At least 0.  For "random": how many more random vectors than components.
    n_power_iter : int, default=2
        At least 0.  For "random": how often they are multiplied by S.
    init : {"several", "published", "ones", "pca", "max_variance", "random"} or array, default="several"
        The start of A and B: "published" as above.  "several" is the same for "l1"; for "l0", whose minima are many,
        the end of smallest objective is kept from that start, from distant features with large rows of S, and from the
        ends with "l1" and 1, 3 and 10 times the penalty.  For the others see `spcabench_methods.core.starts`, with S
        the second moments of the sketch for the variant "random".
    n_init : int, default=1
        At least 1.  Random starts; the end of smallest objective is kept.
    tol : float, default=1e-5
        At least 0.  Stop when the objective falls by no more than this share.
    max_iter : int, default=1000
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples; not for "robust".
    random_state : int, RandomState, Generator or None, default=None
        For the variant "random", and for random starts.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        What is minimised, and the iterations made, for every component alike.  Others: see `SparseComponents`.

    References
    ----------
    N. B. Erichson, P. Zheng, K. Manohar, S. L. Brunton, J. N. Kutz and A. Y. Aravkin, Sparse principal component
    analysis via variable projection, SIAM Journal on Applied Mathematics 80, 2020, 977-1002: the l1 and l0
    models, their randomised and robust variants.  The clipped start of the robust variant is not in the paper.
    Z. Hu, G. Pan, Y. Wang and Z. Wu, Sparse principal component analysis via rotation and truncation, IEEE Transactions
    on Neural Networks and Learning Systems 27, 2016, 875-890: equation (21) restates the l1 model, up to factors.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import VarProSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> VarProSPCA(n_components=2, alpha=0.05, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    alpha: float = 1e-4
    beta: float = 1e-4
    penalty: str = "l1"
    variant: str = "plain"
    gamma: float = 1.0
    n_oversamples: int = 20
    n_power_iter: int = 2
    init: str | ArrayLike = "several"
    tol: float = 1e-5
    max_iter: int = 1000

    _parameter_constraints = SHARED | {
        "alpha": [number()],
        "beta": [number()],
        "penalty": [words("l1", "l0")],
        "variant": [words("plain", "random", "robust")],
        "gamma": [number()],
        "init": starts("several", "published"),
        "n_oversamples": [whole(0)],
        "n_power_iter": [whole(0)],
    }

    @property
    def _takes_sparse(self) -> bool:
        return self.variant != "robust"

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        if self.variant != "robust":
            return super()._read(X, mean)
        if self.covariance == "precomputed":
            raise ValueError("covariance is 'precomputed' and variant is 'robust', which needs samples; valid is None")
        data = Data(np.subtract(X, mean, dtype=np.float64, order="C"))
        return mean, data, data

    @property
    def _needs_all_samples(self) -> str:
        return super()._needs_all_samples or ("variant is 'robust'" if self.variant == "robust" else "")

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        if moments.exhausted:
            yield from [Component(np.zeros(moments.n_features), objective=0.0, n_iter=0)] * self.n_components
            return
        starts = self._starts(moments.n_features)
        if self.variant == "random":
            n_vectors = min(self.n_components + self.n_oversamples, moments.n_features)
            moments = sketch(moments, n_vectors, self.n_power_iter, starts.random)
        values, vectors = moments.principal(self.n_components)
        penalty, alpha, beta = thresholds()[self.penalty], self.alpha * values[0], self.beta * values[0]

        def ends(penalty: Threshold, alpha: float, firsts: list[Array]) -> list[Block]:
            solve = partial(variable_projection, ridge=beta, largest=values[0], tol=self.tol, max_iter=self.max_iter)
            return [solve(self._model(moments), V, penalty, alpha) for V in firsts]

        firsts = self._first_blocks(starts, moments, values, vectors)
        if len(firsts) > 1 and starts.word == SEVERAL:
            l1 = thresholds()["l1"]
            firsts = [*firsts, *(ends(l1, multiple * alpha, firsts[:1])[0].W for multiple in MULTIPLES)]
        best = smallest(ends(penalty, alpha, firsts))
        for b, objective in zip(best.W.T, best.objectives, strict=True):
            loading = unit(b) if np.linalg.norm(b) > NOTHING else np.zeros_like(b)
            yield Component(loading, objective, best.n_iter, best.converged)

    def _model(self, moments: SecondMoments) -> Model:
        if isinstance(moments, Data) and self.variant == "robust":
            return WithOutliers(np.asarray(moments.X, dtype=np.float64), self.gamma)
        return Clean(moments)

    def _first_blocks(self, starts: Starts, moments: SecondMoments, values: Array, vectors: Array) -> list[Array]:
        """Return matrices to start from, whose columns are zero past the rank."""
        d, first = moments.n_features, []
        if starts.word in ("published", SEVERAL):
            model = self._model(moments)
            clipped = Data(model.Y) if isinstance(model, WithOutliers) else None
            first = [vectors if clipped is None else clipped.principal(self.n_components)[1]]
            if starts.word == "published" or self.penalty == "l1":
                return first
        rank = np.count_nonzero(values)
        past = np.zeros((d, self.n_components - rank))
        blocks = starts.blocks(moments, vectors[:, :rank], math.isqrt(d))[len(first) :]
        return first + [np.column_stack([W, past]) for W in blocks]


class Clean:
    """Y is X."""

    def __init__(self, moments: SecondMoments) -> None:
        self.moments = moments

    def fitted(self, A: Array, B: Array) -> tuple[float, Array, Array]:
        """Return the loss and S B, twice."""
        SB = self.moments.matvec(B)
        return 0.5 * (self.moments.trace + float(np.vdot(B - 2.0 * A, SB))), SB, SB

    def pulled(self, A: Array) -> Array:
        """Return S A."""
        return self.moments.matvec(A)


class WithOutliers:
    """Y is X minus a sparse matrix O of outliers."""

    def __init__(self, X: Array, gamma: float) -> None:
        self.X = X
        self.threshold = gamma * float(np.linalg.norm(X)) / np.sqrt(X.size)
        self.Y = np.clip(X, -self.threshold, self.threshold)

    def fitted(self, A: Array, B: Array) -> tuple[float, Array, Array]:
        """Update O to the soft threshold of the residuals."""
        n = len(self.X)
        scores = self.X @ B
        residuals = scores @ A.T
        np.subtract(self.X, residuals, out=residuals)
        clipped = np.clip(residuals, -self.threshold, self.threshold, out=self.Y)
        loss = 0.5 * np.linalg.norm(clipped) ** 2
        residuals -= clipped
        np.subtract(self.X, residuals, out=self.Y)
        loss += self.threshold * np.abs(residuals, out=residuals).sum()
        return float(loss) / n, self.X.T @ scores / n, self.Y.T @ scores / n

    def pulled(self, A: Array) -> Array:
        """Return X'Y A/n."""
        return np.asarray(self.X.T @ (self.Y @ A)) / len(self.X)


Model = Clean | WithOutliers
"""The target Y of the fit X B A'."""


def variable_projection(
    model: Model, V: Array, penalty: Threshold, alpha: float, ridge: float, largest: float, tol: float, max_iter: int
) -> Block:
    """Alternate the polar factor A and a proximal gradient step of B, from V; each column has the whole objective."""
    step = 1.0 / (largest + ridge)
    scale = 2.0 * penalty.weight * step
    level = penalty.of_penalty(scale * alpha)
    B, objective = V, np.inf
    _, SB, TB = model.fitted(V, V)
    for n_iter in range(1, max_iter + 1):
        A = polar(TB)
        B = penalty(B + step * (model.pulled(A) - SB - ridge * B), level)
        old = objective
        loss, SB, TB = model.fitted(A, B)
        objective = loss + penalty.cost(B.ravel(), level) / scale + 0.5 * ridge * float(np.vdot(B, B))
        if old - objective <= tol * old < np.inf:
            return Block(B, np.full(B.shape[1], objective), n_iter, True)
    return Block(B, np.full(B.shape[1], objective), max_iter, False)


def sketch(moments: SecondMoments, n_vectors: int, n_power_iter: int, random: RandomSource) -> Data:
    """Approximate S by ``S Q (Q'S Q)^+ Q'S`` with Q a basis of S^n_power_iter times random vectors."""
    Q = random.standard_normal((moments.n_features, n_vectors))
    for _ in range(n_power_iter):
        Q = np.linalg.qr(moments.matvec(Q))[0]
    SQ = moments.matvec(Q)
    values, vectors = np.linalg.eigh(Q.T @ SQ)
    kept = values > len(Q) * EPS * values[-1]
    factor = SQ @ vectors[:, kept] / np.sqrt(values[kept])
    return Data(np.ascontiguousarray(factor.T) * np.sqrt(np.count_nonzero(kept)))
