"""GeoSPCA: all components on one support, which an integer programme proposes and cuts close in on."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import TIE
from spcabench_methods.greedy.bounds import largest_sums
from spcabench_methods.greedy.whole_matrix import whole_matrix
from spcabench_methods.joint import GEOSPCA_PARAMETERS
from spcabench_methods.truncations.top_k import top_k

EXCHANGES = 100
"""So many neighbours of a support are tried, and as many of a cut."""

NODES = 1000
"""The most nodes of an integer programme: what it proposes need not be the support of largest trace."""

INFEASIBLE = 2
"""What the solver calls a programme without a solution."""


class GeoSPCA(MomentComponents):
    """Sparse principal components that share their support.

    Maximises f(I), the sum of the r largest eigenvalues of S_II, over all supports I of k features, with r components
    and S = X'X/n of centred X; the loadings are the r leading eigenvectors of S_II.  For any part T of a support I no
    more is explained than f(I) <= f(T) + sum of S_jj over I without T, since a feature adds no more than its variance.
    In each round

    1. an integer linear programme finds the support of largest total variance that no cut forbids; if that is no more
       than the best f found, or no support is left, the best is proved optimal;
    2. the k features become those that its r components explain most of, or one is exchanged for one of the hundred
       most promising, while f grows;
    3. features are left out of the support of step 1 while f(T), with the largest variances of others up to k
       features, does not exceed the best f found: no support that contains all of the T left is better, which is the
       cut.  Up to a hundred of T with one feature exchanged are tried as cuts too.

    The first support comes from step 2, from the features that r components of PCA explain most of.  A round costs an
    integer programme with d variables, which can be exponential, and O(k^2) eigenvalue problems of up to k features;
    their number can be exponential.  S is formed whatever the number of samples; samples of more than 16384
    features are refused.

    Parameters
    ----------
    n_components : int, default=2
        The number r, from 1 to n_features.
    n_nonzero : int or None, default=None
        The number k of features, at least 1; n_features or more: no truncation, which gives PCA.  None: the square
        root of n_features, rounded up.  If k is less than r, the last loadings are zero.
    tol : float, default=1e-6
        More than 0.  The relative gap that counts as none.
    max_iter : int, default=50
        At least 1.  The most rounds.  They prove optima of a few dozen features; with more the best support seldom
        changes after the first rounds, and the bound stays far above.
    time_limit : float or None, default=None
        Seconds for all rounds, more than 0, from before the first support; what is found then depends on the machine.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw, `n_iter_per_component_` the rounds for each alike, converged
        means proved optimal.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    upper_bound_ : float
        What the sum of `objective_` exceeds for no support of k features.
    gap_ : float
        ``(upper_bound_ - sum of objective_) / upper_bound_``.

    Notes
    -----
    The paper bounds the variance not explained by one threshold for all supports, which it lowers step by step, and
    cuts off supports that exceed it; here a cut depends on the variances of its own features, and is not undone.

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

    _parameters = GEOSPCA_PARAMETERS
    _gram_ratio: ClassVar[float] = math.inf

    def __init__(
        self,
        n_components: int = 2,
        n_nonzero: int | None = None,
        *,
        tol: float = 1e-6,
        max_iter: int = 50,
        time_limit: float | None = None,
        covariance: str | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.covariance = covariance

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        varying = np.flatnonzero(moments.diagonal)
        wanted = math.ceil(math.sqrt(moments.n_features)) if self.n_nonzero is None else self.n_nonzero
        k = min(wanted, len(varying))
        S = whole_matrix(moments, type(self).__name__).restricted(varying).S
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
    """A search for the k features of which r components explain most, which can be stopped after any round.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        With a positive diagonal.
    k, r : int
        How many features and components.
    tol : float
        The relative gap at which it ends.

    Attributes
    ----------
    support : ndarray of int, shape (k,)
        The best found, ascending.
    value : float
        The sum of the r largest eigenvalues of S on it.
    upper_bound : float
        What no support has more of.
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
        """Supports that are cut off explain no more than the target, others no more than their trace."""
        rest = max(self._target, self._trace_bound) if self._cuts else self._trace_bound
        return max(self.value, min(rest, self._eigenvalue_bound))

    @property
    def gap(self) -> float:
        """What the upper bound is above the value, relative to the bound."""
        return (self.upper_bound - self.value) / self.upper_bound if self.k else 0.0

    @property
    def _target(self) -> float:
        """What a support has to exceed to be worth a look."""
        return self.value * (1.0 + self.tol)

    def run(self, max_rounds: int, seconds: float) -> None:
        """Propose and cut off supports until the best is proved optimal, or a limit is reached.

        The seconds count from when the search was made.
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
        """Find the support of largest trace that no cut forbids; nothing if there is none or time has run out."""
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
        """Write all cuts as: of the features of each, one at least is left out."""
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
        """Exchange each feature of a part for each of those of largest weight outside, as rows; a hundred in all."""
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
        """Forbid as small a part of the support as must be left out of a better one, and parts like it."""
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
        """Bound what supports explain that contain all of a part, for each row of `parts`."""
        rest = np.tile(self.variances, (len(parts), 1))
        np.put_along_axis(rest, parts, 0.0, axis=1)
        return np.asarray(self._explained(parts) + largest_sums(rest, self.k - parts.shape[1]))
