"""GeoSPCA: all components on one support, found by integer programmes and cuts."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from spcabench_methods.core.arrays import EPS, TIE, Array, Indices, largest_sums
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number, whole
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Whole
from spcabench_methods.truncations.top_k import top_k

EXCHANGES = 100
"""How many neighbours of a support, and of a cut, are tried."""

NODES = 1000
"""The most nodes of an integer programme; after them its support need not be the one of largest trace."""

INFEASIBLE = 2
"""The solver's status of a programme without a solution."""


@dataclass(eq=False, repr=False)
class GeoSPCA(Whole):
    """Sparse principal components that share their support.

    Maximises f(I), the sum of the r largest eigenvalues of S_II, over all supports I of k features, with r components
    and S = X'X/n of centred X; the loadings are the r leading eigenvectors of S_II.  For any part T of a support I no
    more is explained than f(I) <= f(T) + sum of S_jj over I without T, since a feature adds no more than its variance.
    In each round

    1. an integer linear programme finds the support of largest total variance that no cut forbids; if that is no more
       than the best f found, or no support is left, the best is proved optimal;
    2. while f grows, the support becomes the k features that its r components explain most of, or one of its features
       is exchanged for one of the hundred most promising;
    3. features are removed from the support of step 1 while f(T) of the features T left, plus the largest variances of
       others up to k features, does not exceed the best f found: then no support that contains T is better, which is
       the cut.  Up to a hundred sets with one feature of T exchanged are tried as cuts too.

    The first support comes from step 2, starting at the features that r components of PCA explain most of.  A round
    costs an integer programme with d variables, which can be exponential, and O(k^2) eigenvalue problems of up to k
    features; the number of rounds can be exponential.  S is always formed, so that samples of more than 16384 features
    raise an error.

    Parameters
    ----------
    n_components : int, default=2
        The number r, from 1 to n_features.
    n_nonzero : int or None, default=None
        The number k of features, at least 1; n_features or more: no truncation, that is PCA.  None: the square
        root of n_features, rounded up.  If k is less than r, the last loadings are zero.
    tol : float, default=1e-6
        More than 0.  The relative gap below which a support counts as optimal.
    max_iter : int, default=50
        At least 1.  The most rounds.  They prove optima for a few dozen features; with more features the best support
        seldom changes after the first rounds, and the bound stays far above.
    time_limit : float or None, default=None
        Seconds for all rounds and the first support, more than 0.  With a limit the result depends on the machine.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw, `n_iter_per_component_` the rounds for every component, and converged means proved optimal.  Others: see
        `SparseComponents`.
    upper_bound_ : float
        An upper bound of the sum of `objective_` over all supports of k features.
    gap_ : float
        ``(upper_bound_ - sum of objective_) / upper_bound_``.

    Notes
    -----
    The paper bounds the unexplained variance by one threshold for all supports, lowers it step by step, and cuts off
    supports that exceed it; here a cut depends on the variances of its own features, and is never undone.

    References
    ----------
    D. Bertsimas and D. L. Kitane, Sparse PCA: a geometric approach, Journal of Machine Learning Research 24, 2023:
    formulation (2) and algorithm 2, as the authors' code numbers them.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import GeoSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> geospca = GeoSPCA(n_components=2, n_nonzero=2, covariance="precomputed").fit(S)
    >>> geospca.components_.round(3)
    array([[ 0.707,  0.707,  0.   ],
           [ 0.707, -0.707,  0.   ]])
    >>> geospca.converged_
    array([ True,  True])
    """

    n_nonzero: int | None = None
    _: KW_ONLY
    tol: float = 1e-6
    max_iter: int = 50
    time_limit: float | None = None

    _parameter_constraints = SHARED | {
        "n_nonzero": [None, whole(1)],
        "tol": [number(closed="neither")],
        "time_limit": [None, number(closed="neither")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        varying = np.flatnonzero(moments.diagonal)
        wanted = math.ceil(math.sqrt(moments.n_features)) if self.n_nonzero is None else self.n_nonzero
        k = min(wanted, len(varying))
        S = self._matrix(moments).restricted(varying).S
        search = SharedSupport(S, k, self.n_components, self.tol)
        search.run(self.max_iter, math.inf if self.time_limit is None else self.time_limit)
        self.upper_bound_, self.gap_ = search.upper_bound, search.gap
        W = np.zeros((moments.n_features, self.n_components))
        support = varying[search.support]
        if len(support):
            W[support] = moments.restricted(support).principal(self.n_components)[1]
        for w in W.T:
            yield Component(w, moments.quadratic(w), search.n_rounds, search.gap <= self.tol)


class SharedSupport:
    """A search for the k features on which r components explain most; it can stop after any round.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        With a positive diagonal.
    k, r : int
        How many features and components.
    tol : float
        The relative gap at which the search ends.

    Attributes
    ----------
    support : ndarray of int, shape (k,)
        The best found, ascending.
    value : float
        The sum of the r largest eigenvalues of S on it.
    upper_bound : float
        An upper bound of that sum over all supports.
    n_rounds : int
        Rounds made; 0 if there was nothing to choose from.
    """

    def __init__(self, S: Array, k: int, r: int, tol: float) -> None:
        self._begin = time.monotonic()
        self.S, self.k, self.r, self.tol = S, k, r, tol
        self.variances = S.diagonal()
        self.n_rounds = 0
        self.support, self.value = np.arange(k), 0.0
        self._trace_bound = float(largest_sums(self.variances, k))
        self._eigenvalue_bound = 0.0
        self._cuts: dict[tuple[int, ...], None] = {}
        if k:
            values, vectors = leading_eigenvectors(S, min(r, len(S)))
            self._eigenvalue_bound = float(values.sum())
            self._improve(self._largest(np.sum(values * vectors**2, axis=1)))

    @property
    def upper_bound(self) -> float:
        """An upper bound: supports that are cut off explain at most the target, others at most their trace."""
        rest = max(self._target, self._trace_bound) if self._cuts else self._trace_bound
        return max(self.value, min(rest, self._eigenvalue_bound))

    @property
    def gap(self) -> float:
        """The upper bound minus the value, relative to the bound."""
        return (self.upper_bound - self.value) / self.upper_bound if self.k else 0.0

    @property
    def _target(self) -> float:
        """The value that a support must exceed to be of interest."""
        return self.value * (1.0 + self.tol)

    def run(self, max_rounds: int, seconds: float) -> None:
        """Propose and cut off supports until the best is proved optimal, or a limit is reached.

        The seconds count from the construction of the search.
        """
        end = self._begin + seconds
        while 0 < self.k < len(self.S) and self.n_rounds < max_rounds and self.gap > self.tol:
            self.n_rounds += 1
            support = self._largest_trace(end - time.monotonic())
            if support is None:
                return
            self._improve(support)
            self._cut_off(support)
        self.n_rounds = max(self.n_rounds, 1 if self.k else 0)

    def _largest_trace(self, seconds: float) -> Indices | None:
        """Find the support of largest trace that no cut forbids; None if there is none or time has run out."""
        d, scale = len(self.S), float(self.variances.max())
        size = LinearConstraint(np.ones((1, d)), self.k, self.k)
        cuts = [LinearConstraint(*self._forbidden())] if self._cuts else []
        found = milp(
            -self.variances / scale,
            integrality=np.ones(d, dtype=np.int64),
            bounds=Bounds(0.0, 1.0),
            constraints=[size, *cuts],
            options={"mip_rel_gap": 0.0, "time_limit": max(seconds, 0.0), "node_limit": NODES},
        )
        if found.status == INFEASIBLE:
            self._trace_bound = 0.0
        elif found.mip_dual_bound is not None:
            self._trace_bound = min(self._trace_bound, -scale * float(found.mip_dual_bound))
        return None if found.x is None else np.flatnonzero(found.x > 0.5)

    def _forbidden(self) -> tuple[csr_array, float, Array]:
        """Return all cuts as linear constraints: at least one feature of each cut is left out."""
        sizes = np.array([len(cut) for cut in self._cuts])
        columns = np.concatenate([np.array(cut) for cut in self._cuts])
        rows = np.repeat(np.arange(len(sizes)), sizes)
        matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(sizes), len(self.S)))
        return matrix, -np.inf, sizes - 1.0

    def _improve(self, support: Indices) -> None:
        """Exchange features while that explains more, and keep the support if it is the best so far."""
        value = self._explained(support[None])[0]
        better: Indices | None = support
        while better is not None:
            support, better = better, None
            weights = self._weights(support)
            trials = np.vstack([self._largest(weights), self._exchanged(support, weights)])
            values = self._explained(trials)
            for i in (0, int(np.argmax(values))):
                if values[i] > value * (1.0 + TIE):
                    better, value = trials[i], values[i]
                    break
        if value > self.value:
            self.support, self.value = support, float(value)

    def _weights(self, support: Indices) -> Array:
        """Return the variance of each feature that the components on a support explain."""
        values, vectors = np.linalg.eigh(self.S[np.ix_(support, support)])
        positive = values > len(values) * EPS * values[-1]
        top, W = values[positive][-self.r :], vectors[:, positive][:, -self.r :]
        return np.asarray(np.sum((self.S[:, support] @ W) ** 2 / top, axis=1))

    def _largest(self, weights: Array) -> Indices:
        return np.flatnonzero(top_k(weights + np.finfo(np.float64).tiny, self.k))

    def _exchanged(self, part: Indices, weights: Array) -> NDArray[np.intp]:
        """Exchange each feature of a part for each of the heaviest outside; return about a hundred sets as rows."""
        outside = np.setdiff1d(np.arange(len(weights)), part, assume_unique=True)
        promising = outside[np.argsort(-weights[outside], kind="stable")][: max(1, EXCHANGES // len(part))]
        kept = np.array([np.delete(part, i) for i in range(len(part))])
        rows = np.column_stack([np.repeat(kept, len(promising), axis=0), np.tile(promising, len(part))])
        return np.sort(rows, axis=1)

    def _explained(self, supports: NDArray[np.intp]) -> Array:
        """Return the sum of the r largest eigenvalues on each row of features."""
        S = self.S[supports[:, :, None], supports[:, None, :]]
        return np.asarray(np.linalg.eigvalsh(S)[:, -self.r :].sum(axis=1))

    def _cut_off(self, support: Indices) -> None:
        """Forbid a minimal part of the support that no better support contains, and similar parts."""
        part = support
        while len(part) > 1:
            smaller = np.array([np.delete(part, i) for i in range(len(part))])
            bounds = self._bounds(smaller)
            if bounds.min() > self._target:
                break
            part = smaller[np.argmin(bounds)]
        like = self._exchanged(part, self.variances)
        for cut in [part, *like[self._bounds(like) <= self._target]]:
            self._cuts[tuple(cut.tolist())] = None

    def _bounds(self, parts: NDArray[np.intp]) -> Array:
        """Bound the variance that any support containing a part explains, for each row of `parts`."""
        rest = np.tile(self.variances, (len(parts), 1))
        np.put_along_axis(rest, parts, 0.0, axis=1)
        return np.asarray(self._explained(parts) + largest_sums(rest, self.k - parts.shape[1]))
