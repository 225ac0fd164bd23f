"""ALSPCA: all components at once, orthogonal, by an augmented Lagrangian."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, components, largest, polar
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, one_or_each, words
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.penalised.alspca_steps import Multipliers, Terms, cost, descend, pressure, smooth

OCTAVES = {"rounded": 1.0, "spectral": 0.0}
"""How far apart, in octaves, the step lengths are."""


@dataclass(eq=False, repr=False, kw_only=True)
class ALSPCA(MomentComponents, Started):
    """Sparse principal components by an augmented Lagrangian.

    The loadings, as columns of W, are a local solution of: maximise ``tr W'SW - sum_j rho_j ||w_j||_1`` subject to
    W'W = I and ``|w_i'S w_j| <= max_correlation`` for i != j, where S = X'X/n of centred X, scaled to a largest
    eigenvalue of 1.  From the leading eigenvectors, by default, the augmented Lagrangian is minimised by proximal
    gradient steps of spectral length that need not descend each time; then the multipliers are updated, and the penalty
    of the constraints is raised fivefold if the violation has not at least halved.  If the Lagrangian has risen above
    its first value, or a loading has vanished, the minimisation starts again.

    A step costs O(d^2 r) for r components once S is formed in O(n d^2), or O(n d r) where there are far more features
    than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    rho : float or list of float, default=0.1
        The penalty, at least 0, one number or one per component, relative to the largest eigenvalue of S: divide a
        published penalty for S by that eigenvalue.
    max_correlation : float or None, default=None
        At least 0; the largest covariance of two scores, relative to the largest eigenvalue of S.  0: uncorrelated
        scores; None: no limit.
    step : {"rounded", "spectral"}, default="rounded"
        Step lengths: those of Barzilai and Borwein, "spectral", or the nearest powers of two.  Spectral steps are
        chaotic: rounding errors grow, and lead to other local solutions on other machines or in other units.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start: the orthonormal matrix nearest to the vectors in `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts; the best end is kept.
    tol : float, default=1e-3
        More than 0.  How far constraints may be violated at the end, with S scaled to a largest eigenvalue of 1.
    max_iter : int, default=200
        At least 1; the most updates of the multipliers, each after at most 500 steps.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds ``w'Sw - rho ||w||_1`` in the units of S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    Z. Lu and Y. Zhang, An augmented Lagrangian approach for sparse principal component analysis, Mathematical
    Programming 135, 2012, 149-193.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import ALSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> ALSPCA(n_components=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    rho: float | Sequence[float] = 0.1
    max_correlation: float | None = None
    step: str = "rounded"
    tol: float = 1e-3
    max_iter: int = 200

    _parameter_constraints = SHARED | {
        "rho": one_or_each(number()),
        "max_correlation": [None, number()],
        "step": [words("rounded", "spectral")],
        "tol": [number(closed="neither")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        rho = np.array(per_component(self.rho, self.n_components, "rho"), dtype=np.float64)
        values, vectors = moments.principal(self.n_components)
        rank, scale = np.count_nonzero(values), values[0]
        best = Block(vectors[:, :0], np.zeros(0), 0, True)
        if rank:
            limit = np.inf if self.max_correlation is None else float(self.max_correlation)
            problem = Problem(moments, float(scale), Terms(rho[:rank], limit, OCTAVES[self.step]))
            starts = self._first_blocks(moments, vectors[:, :rank])
            best = largest(solve(problem, start, self.tol, self.max_iter) for start in starts)
        return components(moments, self.n_components, best)

    def _first_blocks(self, moments: SecondMoments, vectors: Array) -> list[Array]:
        """Return matrices of orthonormal columns to start from."""
        starts = self._starts(moments.n_features)
        return [vectors] if starts.word == "pca" else [polar(W) for W in starts.blocks(moments, vectors)]


class Problem(NamedTuple):
    """Minimise ``-tr W'SW + sum_j rho_j ||w_j||_1`` under constraints."""

    moments: SecondMoments
    scale: float
    terms: Terms

    def __matmul__(self, W: Array) -> Array:
        """Return S W."""
        return self.moments.matvec(W)

    def times(self, W: Array) -> Array:
        """Return S W, with S scaled to a largest eigenvalue of 1."""
        return self @ W / self.scale

    def value(self, W: Array, SW: Array, m: Multipliers) -> float:
        """Return the augmented Lagrangian."""
        return float(smooth(W, SW, self.terms.limit, m)[0] + cost(W, self.terms.rho))

    def descended(self, W: Array, m: Multipliers, tol: float) -> Array:
        """Minimise the augmented Lagrangian from W on."""
        if isinstance(self.moments, Gram):
            return descend(self.moments.S, self.scale, W, self.terms, m, tol)
        plain: Any = descend
        return np.asarray(plain.py_func(self, self.scale, W, self.terms, m, tol))

    def violation(self, W: Array, SW: Array) -> tuple[float, float]:
        """Return how far W'W is from I, and products of scores from their limits."""
        r = len(self.terms.rho)
        beyond = (np.abs(W.T @ SW) - self.terms.limit)[~np.eye(r, dtype=bool)]
        return float(np.abs(W.T @ W - np.eye(r)).max()), float(np.max(beyond, initial=0.0))

    def ended(self, W: Array, n_iter: int, converged: bool) -> Block:
        """Return unit loadings, and what each adds to what is maximised, in the units of S."""
        loadings = [unit(w) for w in W.T]
        prices = self.scale * self.terms.rho
        gains = [self.moments.quadratic(w) - p * float(np.abs(w).sum()) for w, p in zip(loadings, prices, strict=True)]
        return Block(np.column_stack(loadings), np.array(gains), n_iter, converged)


def solve(problem: Problem, start: Array, tol: float, max_iter: int) -> Block:
    """Alternate between the minimisation of the augmented Lagrangian and the update of its multipliers."""
    r = start.shape[1]
    m = Multipliers(np.zeros((r, r)), np.zeros((r, r)), np.zeros((r, r)), 1.0)
    start = np.ascontiguousarray(start)
    W, SW = start, problem.times(start)
    ceiling = max(problem.value(W, SW, m), cost(W, problem.terms.rho) - float((W * SW).sum()))
    inner_tol, before = 0.1, np.inf
    for n_iter in range(1, max_iter + 1):
        collapsed = np.linalg.norm(W, axis=0).min() < 1e-8
        if collapsed or problem.value(W, SW, m) > ceiling:
            W = start
        W = problem.descended(W, m, inner_tol)
        SW = problem.times(W)
        violation = problem.violation(W, SW)
        if max(violation) <= tol:
            return problem.ended(W, n_iter, True)
        above, below = pressure(W.T @ SW, problem.terms.limit, m)
        penalty = m.penalty if max(violation) <= 0.5 * before else 5.0 * m.penalty
        m = Multipliers(m.equal + m.penalty * (W.T @ W - np.eye(r)), above, below, penalty)
        inner_tol, before = max(0.3 * inner_tol, 1e-6), max(violation)
    return problem.ended(W, max_iter, False)
