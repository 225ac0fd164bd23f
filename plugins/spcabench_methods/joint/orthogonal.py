"""OrthogonalSPCA: sparse orthogonal components, each improved in turn while the others are fixed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import null_space
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from spcabench_methods.alternating.climb import FORMULATIONS, climb
from spcabench_methods.certified.apart import best_apart
from spcabench_methods.certified.bounds import supports
from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.constraints import SHARED, starts, whole
from spcabench_methods.core.eigenvectors import ITERATIVE, leading_eigenvectors
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Started
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.starts import Starts

Mask = NDArray[np.bool_]

FEASIBLE = 1e-4
"""Loadings W count as orthogonal if the magnitudes of W'W - I sum to no more than this."""

SMALLEST = 1e-7
"""Steps of the penalty are computed from at least this violation."""

SCALED, SMALL_STEPS = 0.15, 0.75
"""After the first share of the rounds steps depend on tr(W'SW) over the violation, after the second they are larger."""

CLIMB_TOL, CLIMB_ITERATIONS = 1e-6, 100

FEW = 5000
"""Of at most so many supports of a loading the best ones that share no feature are looked for."""

SPARSE = FORMULATIONS["l0", "constrained"]


@dataclass(eq=False, repr=False, kw_only=True)
class OrthogonalSPCA(MomentComponents, Started, Counted):
    """Sparse principal components with orthogonal loadings, or with disjoint supports.

    A local solution of: maximise tr(W'SW) subject to W'W = I and at most k_t nonzeros in column t of W, with
    S = X'X/n of centred X.  In each round every loading w_t in turn becomes a sparse component of
    S - L sum over s != t of v_s w_s w_s', shifted to be positive semidefinite, where v_s is the variance of w_s
    after the first round.  That is done by the truncated power method from the leading eigenvector and
    `n_init` random vectors; the best becomes the leading eigenvector on its support.  After each
    round the penalty L grows: in the first 15 % of the rounds by 0.01 times the violation, the sum of magnitudes of
    W'W - I; then by 0.01 tr(W'SW) over the violation, with S scaled to a mean variance of 1; and five times as fast in
    the last quarter.  The result is the W of largest tr(W'SW) among the loadings with a violation below 1e-4, the
    loadings of each round made orthogonal on their supports, and loadings with disjoint supports.

    With `disjoint` there is no penalty.  If each loading has at most 5000 supports, the rounds begin at the best ones
    that share no feature.  Then w_t uses only features that no other loading has, and is only replaced by a
    better one, so that tr(W'SW) never decreases.

    A round costs O(r d^2 (n_init + 1)) an iteration of the power method once S is formed in O(n d^2), and the
    extreme eigenvalues of r matrices.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more for all of them:
        no truncation, that is PCA.  None: the square root of n_features, rounded up.
    disjoint : bool, default=False
        Whether supports may share no feature.  Features may then run out: later loadings have fewer nonzeros.
    init : {"published", "ones", "pca", "max_variance", "random"} or array, default="published"
        The start of a loading in each round: "published" are the leading eigenvector and `n_init` random vectors, and
        where supports may not meet the feature of largest variance too; "pca" is that eigenvector alone.  For the other
        starts see `spcabench_methods.core.starts`; one that the others leave nothing makes way for "pca".
    n_init : int, default=5
        At least 0, with "random" at least 1.  Random starts of a loading in each round.
    tol : float, default=1e-8
        At least 0.  Stop when tr(W'SW) changes by less than this share, and the loadings are orthogonal.
    max_iter : int, default=200
        At least 1.  The most rounds.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw, `n_iter_per_component_` the rounds for every component.  Others: see `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.
    violation_ : float
        The sum of magnitudes of W'W - I, without zero loadings.
    feasible_ : bool
        Whether that is at most 1e-4.

    Notes
    -----
    The paper does not scale S for the penalty; without that, loadings would depend on the units of X.  Nor does it
    make loadings orthogonal on their supports, but a run whose violation stays above 1e-4 would have no result.

    References
    ----------
    R. Cory-Wright and J. Pauphilet, Sparse PCA with multiple components, arXiv:2209.14790, 2022: the iterative
    deflation heuristic, algorithm 2 as the authors' code numbers it.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import OrthogonalSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> pca = OrthogonalSPCA(n_components=2, n_nonzero=[2, 1], covariance="precomputed", random_state=0).fit(S)
    >>> pca.components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    disjoint: bool = False
    init: str | ArrayLike = "published"
    n_init: int = 5
    tol: float = 1e-8
    max_iter: int = 200

    _parameter_constraints = SHARED | {
        "disjoint": ["boolean"],
        "init": starts("published"),
        "n_init": [whole(0)],
    }
    _may_miss = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = [min(k, moments.n_features) for k in self._counts(moments.n_features)]
        if moments.exhausted:
            found = Loadings(np.zeros((moments.n_features, self.n_components)), 0, True)
        elif min(counts) >= np.count_nonzero(moments.diagonal) and not self.disjoint:
            found = Loadings(moments.principal(self.n_components)[1], 1, True)
        else:
            pieces = Pieces(moments, counts, self._starts(moments.n_features))
            found = (disjoint_rounds if self.disjoint else penalised_rounds)(pieces, self.tol, self.max_iter)
        self.violation_ = violation(found.W[:, found.W.any(axis=0)])
        self.feasible_ = self.violation_ <= FEASIBLE
        for w in found.W.T:
            yield Component(w, moments.quadratic(w), found.n_iter, found.converged)


class Loadings(NamedTuple):
    """Loadings as columns, and how the rounds ended."""

    W: Array
    n_iter: int
    converged: bool


class Pieces:
    """Finds one sparse loading while the others are fixed.

    Parameters
    ----------
    moments : SecondMoments
        S.
    counts : list of int
        Nonzeros of each loading.
    starts : Starts
        Of each loading in each round.
    """

    def __init__(self, moments: SecondMoments, counts: list[int], starts: Starts) -> None:
        self.moments, self.counts, self.starts = moments, counts, starts
        self.S = moments.matvec(np.eye(moments.n_features)) if moments.n_features < ITERATIVE else None

    def find(self, t: int, others: Array, free: Mask) -> Array:
        """Find loading t of M = S less ``others others'`` on the features `free`."""
        smallest, leading = self._extremes(others) if others.size else (0.0, self._leading(free))
        shift = max(0.0, -smallest)

        def gradient(W: Array) -> Array:
            V = self.moments.matvec(W) - others @ (others.T @ W) + shift * W
            return np.where(free[:, None], V, 0.0)

        leading = leading.reshape(len(free), -1)
        V = gradient(self._vectors(t, leading))
        if not V.any():
            V = gradient(leading)
        found = climb(gradient, SPARSE, self.counts[t], V, CLIMB_TOL, CLIMB_ITERATIONS).loading
        # With a large shift powers converge slowly; their limit is the eigenvector on the support.
        support = np.flatnonzero(found)
        M = self.moments.columns(support)[support] - others[support] @ others[support].T
        found[support] = leading_eigenvectors(M, 1)[1][:, 0]
        return found

    def _vectors(self, t: int, leading: Array) -> Array:
        """Return the vectors from which loading t starts, as columns, where its leading ones are known."""
        word, starts = self.starts.word, self.starts
        if word == "published":
            drawn = starts.random.standard_normal((starts.n_init, len(leading)))
            W = np.column_stack([leading, drawn.T])
        elif word == "pca":
            W = leading[:, :1]
        else:
            W = np.column_stack(starts.vectors(self.moments, t))
        return np.where(self.moments.diagonal[:, None] > 0.0, W, 0.0)

    def _leading(self, free: Mask) -> Array:
        axis = np.zeros(len(free))
        axis[first_largest(np.where(free, self.moments.diagonal, 0.0))] = 1.0
        return np.column_stack([self.moments.leading(np.flatnonzero(free)), axis])

    def _extremes(self, others: Array) -> tuple[float, Array]:
        """Return the smallest eigenvalue of M and the eigenvector of the largest."""
        if self.S is not None:
            values, vectors = np.linalg.eigh(self.S - others @ others.T)
            return float(values[0]), np.asarray(vectors[:, -1])
        d = len(others)

        def product(w: Array) -> Array:
            return np.asarray(self.moments.matvec(w.ravel()) - others @ (others.T @ w.ravel()))

        start = np.random.default_rng(0).standard_normal(d)
        operator = LinearOperator((d, d), matvec=product, dtype=np.float64)
        with suppress(ArpackError):  # two digits are enough for a shift and a start
            values, vectors = eigsh(operator, k=2, which="BE", v0=start, tol=1e-2)
            return float(values[0]), np.asarray(vectors[:, -1])
        return -(float(np.linalg.norm(others, 2)) ** 2), self.moments.principal(1)[1][:, 0]

    def orthogonalised(self, W: Array) -> Array:
        """Return orthogonal loadings on the supports of W: the best ones, in the order of their variances."""
        Q = np.zeros_like(W)
        for t in np.argsort(-np.einsum("ij,ij->j", W, self.moments.matvec(W)), kind="stable"):
            support = np.flatnonzero(W[:, t])
            basis = null_space(Q[support].T)
            if basis.size:
                inner = basis.T @ self.moments.columns(support)[support] @ basis
                Q[support, t] = basis @ leading_eigenvectors(inner, 1)[1][:, 0]
        return Q

    def value(self, W: Array) -> float:
        """Return tr(W'SW)."""
        return float(np.vdot(W, self.moments.matvec(W)))


def penalised_rounds(pieces: Pieces, tol: float, max_iter: int) -> Loadings:
    """Improve each loading in turn, under a growing penalty on its overlap with the others."""
    d, r = pieces.moments.n_features, len(pieces.counts)
    mean_variance = pieces.moments.trace / d
    everywhere = np.ones(d, dtype=bool)
    W, weights, penalty = np.zeros((d, r)), np.zeros(r), 0.0
    best = disjoint_rounds(pieces, tol, max_iter).W
    best_value, value = pieces.value(best), -np.inf
    for n_iter in range(1, max_iter + 1):
        for t in range(r):
            s = np.arange(r) != t
            W[:, t] = pieces.find(t, W[:, s] * np.sqrt(penalty * weights[s]), everywhere)
            if n_iter == 1:
                weights[t] = pieces.moments.quadratic(W[:, t])
        old, value = value, pieces.value(W)
        distance = violation(W)
        for Q in [W, pieces.orthogonalised(W)] if distance <= FEASIBLE else [pieces.orthogonalised(W)]:
            if pieces.value(Q) > best_value:
                best, best_value = Q.copy(), pieces.value(Q)
        if distance <= FEASIBLE and abs(value - old) <= tol * value:
            return Loadings(best, n_iter, True)
        distance = max(distance, SMALLEST)
        scaled = n_iter > SCALED * max_iter
        step = 0.01 if n_iter <= SMALL_STEPS * max_iter else 0.05
        penalty += step * (value / mean_variance / distance if scaled else distance)
    return Loadings(best, max_iter, False)


def disjoint_rounds(pieces: Pieces, tol: float, max_iter: int) -> Loadings:
    """Improve each loading in turn on the features that no other loading has, until none improves.

    Where supports are few the first loadings are the best ones.
    """
    d, r = pieces.moments.n_features, len(pieces.counts)
    W, value = np.zeros((d, r)), 0.0
    if pieces.S is not None and all(math.comb(d, k) <= FEW for k in pieces.counts):
        W = best_apart(pieces.S, [supports(d, k) for k in pieces.counts])
    for n_iter in range(1, max_iter + 1):
        for t in range(r):
            free = (pieces.moments.diagonal > 0.0) & ~np.delete(W, t, axis=1).any(axis=1)
            if free.any():
                w = pieces.find(t, np.empty((d, 0)), free)
                if pieces.moments.quadratic(w) > pieces.moments.quadratic(W[:, t]):
                    W[:, t] = w
        old, value = value, pieces.value(W)
        if value - old <= tol * value:
            return Loadings(W, n_iter, True)
    return Loadings(W, max_iter, False)


def violation(W: Array) -> float:
    """Return the sum of magnitudes of W'W - I."""
    return float(np.abs(W.T @ W - np.eye(W.shape[1])).sum())
