"""GPower, block version: the generalised power method on orthogonal scores of all components together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices, spread
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, components, largest, through_scores, unit_columns
from spcabench_methods.core.checks import RandomSource, per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, words
from spcabench_methods.core.default_starts import peak
from spcabench_methods.core.jobs import each
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.truncations import Threshold, thresholds
from spcabench_methods.truncations.hard import hard


@dataclass(eq=False, repr=False, kw_only=True)
class GPowerBlock(MomentComponents, Started):
    """Generalised power method, block version.

    With centred X, columns a_i, and scores Y with Y'Y = n I, a local solution is found of

    - "l1": maximise ``sum_ij [mu_j |a_i'y_j|/n - gamma_j]_+^2``, or
    - "l0": maximise ``sum_ij [(mu_j a_i'y_j/n)^2 - gamma_j]_+``.

    These are convex, so that the gradient step never lowers them: T becomes the soft ("l1") or hard ("l0")
    threshold of Z = X'Y diag(mu)/n, and Y the scores nearest to X T diag(mu).  In terms of S = X'X/n, and with
    B = T diag(mu), this is ``Z = S B (B'SB)^(-1/2) diag(mu)``.  The loadings are the columns of T, scaled to unit
    length.  Penalties are relative: gamma_j = rho_j mu_j max_i sqrt(S_ii) for "l1", and rho_j mu_j^2 max_i S_ii for
    "l0", so that rho_j = 1 leaves nothing.  Features that cannot enter are left out.  With equal `mu` the objective
    does not change if components are rotated, but for the penalty; distinct ones make it tend to eigenvectors.

    An iteration costs O(d^2 r) for r components once S is formed in O(n d^2), or O(n d r) where there are far more
    features than samples, and O(d r^2).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    penalty : str, default="l1"
        What is penalised: "l1", "l0", or what another threshold of `spcabench_methods.truncations` minimises.
    rho : float or list of float, default=0.1
        The relative penalty, in [0, 1), one number or one per component.
    mu : float or list of float, default=1.0
        Weights of the components, above 0, one number or one per component.  Only their ratios matter to the loadings.
    refit : bool, default=True
        But with "l0", find the loadings again on the supports found, where the penalty has shrunk them: maximise
        ``sum_j mu_j y_j'X w_j`` over scores Y and unit loadings by turns.  Of no use with "l0".
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start: the scores nearest to those of the vectors in `spcabench_methods.core.starts`; but "random" are the
        feature of largest variance and random directions in the span of the leading scores, as published.
    n_init : int, default=1
        At least 1.  Random starts; the best end is kept.
    tol : float, default=1e-6
        At least 0.  Stop when the objective grows by less than this share, or no loading changes.
    max_iter : int, default=1000
        At least 1.
    random_state : int, RandomState, Generator or None, default=None
        For the random start.
    n_jobs : int or None, default=None
        So many threads for random starts, as in scikit-learn: -1 is one a processor, -2 all but one, None is 1 unless
        ``joblib.parallel_config`` says more.  The result is the same for any number.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        What each component adds to the maximised sum.  Others: see `SparseComponents`.

    References
    ----------
    M. Journée, Y. Nesterov, P. Richtárik and R. Sepulchre, Generalized power method for sparse principal
    component analysis, Journal of Machine Learning Research 11, 2010, 517-553: models (16) and (20), algorithms
    4 and 5, and algorithm 6 for the refit.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import GPowerBlock
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> GPowerBlock(n_components=2, rho=0.3, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    penalty: str = "l1"
    rho: float | Sequence[float] = 0.1
    mu: float | Sequence[float] = 1.0
    refit: bool = True
    tol: float = 1e-6
    max_iter: int = 1000
    n_jobs: int | None = None

    _parameter_constraints = SHARED | {
        "penalty": [words(*thresholds())],
        "rho": one_or_each(number(0, 1)),
        "mu": one_or_each(number(closed="neither")),
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        d, r = moments.n_features, self.n_components
        rho, mu = (np.array(per_component(getattr(self, name), r, name), dtype=np.float64) for name in ("rho", "mu"))
        values, vectors = moments.principal(r)
        rank = np.count_nonzero(values)
        best = Block(np.zeros((d, rank)), np.zeros(rank), 0, True)
        if rank:
            problem = Problem.of(moments, thresholds()[self.penalty], rho[:rank], mu[:rank])
            starts = self._first_blocks(moments, values[:rank], vectors[:, :rank])
            best = largest(each(lambda start: problem.ascend(start, self.tol, self.max_iter), starts, self.n_jobs))
            T = best.W
            if self.refit and problem.penalty is not hard:
                T = problem.refit(T, self.tol, self.max_iter)
            best = best._replace(W=spread(T, problem.active, d))
        return components(moments, r, best)

    def _first_blocks(self, moments: SecondMoments, values: Array, vectors: Array) -> list[Array]:
        """Return X'Y/n of scores Y to start from."""
        starts = self._starts(moments.n_features)
        if starts.word == "pca":
            return [vectors * np.sqrt(values)]
        if starts.word == "random":
            return [random_start(moments, values, vectors, starts.random) for _ in range(self.n_init)]
        return [through_scores(moments, W) for W in starts.blocks(moments, vectors)]


def random_start(moments: SecondMoments, values: Array, vectors: Array, random: RandomSource) -> Array:
    """Return X'Y/n of the feature of largest variance and random directions in the span of the leading scores."""
    rank = len(values)
    W = vectors @ (random.standard_normal((rank, rank)) / np.sqrt(values)[:, None])
    W[:, 0] = 0.0
    W[peak(moments, moments.diagonal), 0] = 1.0
    SW = moments.matvec(W)
    return np.asarray(np.linalg.solve(np.linalg.cholesky(W.T @ SW), SW.T).T)


class Problem(NamedTuple):
    """What is maximised, over the features that can enter.

    Parameters
    ----------
    moments : SecondMoments
        Of the active features alone.
    active : ndarray of int
        Which these are.
    penalty : Threshold
        How it acts on an entry of Z.
    levels : ndarray of shape (r,)
        The magnitude that an entry of each column of Z has to exceed.
    mu : ndarray of shape (r,)
    """

    moments: SecondMoments
    active: Indices
    penalty: Threshold
    levels: Array
    mu: Array

    @classmethod
    def of(cls, moments: SecondMoments, penalty: Threshold, rho: Array, mu: Array) -> Problem:
        """Make penalties absolute, and leave out the features that no scores can make exceed them."""
        deviations = np.sqrt(moments.diagonal)
        levels = np.array([penalty.of_penalty(relative) * float(deviations.max()) for relative in rho])
        active = np.flatnonzero(deviations > levels.min())
        return cls(moments.restricted(active), active, penalty, mu * levels, mu)

    def ascend(self, start: Array, tol: float, max_iter: int) -> Block:
        """Repeat ``T = truncate(Z)``, ``Z = X'Y/n diag(mu)`` with Y nearest to X T diag(mu), until all settles."""
        Z = start[self.active] * self.mu
        objectives, T = np.zeros(len(self.mu)), np.zeros_like(Z)
        converged = False
        for n_iter in range(1, max_iter + 1):
            before, T, old = T, self.truncate(Z), objectives.sum()
            objectives = np.array([self.penalty.gain(*column) for column in zip(Z.T, T.T, self.levels, strict=True)])
            if objectives.sum() <= 0.0:
                return Block(T, objectives, n_iter, True)
            Z = through_scores(self.moments, T * self.mu) * self.mu
            converged = bool(n_iter > 2 and abs(objectives.sum() - old) < tol * old) or np.array_equal(T, before)
            if converged:
                break
        return Block(self.truncate(Z), objectives, n_iter, converged)

    def truncate(self, Z: Array) -> Array:
        """Apply the penalty to each column."""
        return np.column_stack([self.penalty(*pair) for pair in zip(Z.T, self.levels, strict=True)])

    def refit(self, T: Array, tol: float, max_iter: int) -> Array:
        """Find unit loadings with the supports of T that correlate most with orthogonal scores."""
        support = T != 0.0
        objective = 0.0
        for _ in range(max_iter):
            T = np.where(support, through_scores(self.moments, unit_columns(T) * self.mu) * self.mu, 0.0)
            old, objective = objective, float(np.linalg.norm(T, axis=0).sum())
            if objective - old <= tol * objective:
                break
        return T
