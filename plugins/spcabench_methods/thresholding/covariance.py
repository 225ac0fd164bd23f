"""Covariance thresholding: eigenvectors of the covariances that are far from zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, spread, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.constraints import SHARED, number, words
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Whole
from spcabench_methods.core.starts import max_variance
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k

N_QUANTILES = 21
"""How many thresholds above zero the grid has."""
NORMAL = 0.6745
"""The median magnitude of standard normal numbers."""
NEGLIGIBLE = 1e-10
"""Smaller entries of an eigenvector are rounding errors: the blocks of the matrix leave it at zero there."""


@dataclass(eq=False, repr=False, kw_only=True)
class CovarianceThresholding(Whole, Deflated, Counted):
    """Sparse principal components from thresholded covariances.

    S = X'X/n of centred X; T has the soft thresholds of its entries at tau, and v is the leading eigenvector of T.  The
    loading has the `n_nonzero` largest entries of v, and is by default refitted on them.  The threshold removes
    covariances that are noise.  With "grid" tau is zero or one of the 21 quantiles 0, 0.05, ... 1 of the magnitudes of
    the covariances, the one whose loadings explain most.  With "noise", or a number, T comes from S - s I, where s is
    the median variance; "noise" is nu times the median absolute deviation of the covariances from their median, divided
    by 0.6745.  A large tau splits T into blocks, and its eigenvector may have fewer nonzeros than requested, see
    `exact_cardinality_`.

    S is always formed, in O(n d^2), so that samples of more than 16384 features raise an error; each threshold costs an
    eigenvector of T, O(d^2) an iteration.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no truncation.
        None: the square root of n_features, rounded up.
    tau : {"grid", "noise"} or float, default="grid"
        The threshold, at least 0, in the units of S (a variance).
    nu : float, default=1.0
        More than 0.  The "noise" in standard deviations.
    noise : float or None, default=None
        At least 0.  The variance s; None: the median.
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    tau_ : ndarray of shape (n_components,)
        The thresholds of the components; 0 where nothing was left to explain.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.

    Notes
    -----
    Neither the grid nor `nu` is from the papers: with nu = 1 spikes were recovered better than with 2 or 4.

    References
    ----------
    R. Krauthgamer, B. Nadler and D. Vilenchik, Do semidefinite relaxations solve sparse PCA up to the information
    limit? Annals of Statistics 43, 2015, 1300-1322: the idea.
    Y. Deshpande and A. Montanari, Sparse PCA via covariance thresholding, Journal of Machine Learning Research 17,
    2016, 1-41: algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import CovarianceThresholding
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> CovarianceThresholding(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    tau: float | str = "grid"
    nu: float = 1.0
    noise: float | None = None
    refit: bool = True

    _parameter_constraints = SHARED | {
        "tau": [words("grid", "noise"), number()],
        "nu": [number(closed="neither")],
        "noise": [None, number()],
    }
    _may_miss = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        self.tau_ = np.zeros(self.n_components)

        def find(rest: SecondMoments, j: int) -> Component:
            self.tau_[j], loading = self._loading(rest, counts[j])
            return Component(loading, rest.quadratic(loading))

        yield from self._one_by_one(moments, find)

    def _loading(self, moments: SecondMoments, k: int) -> tuple[float, Array]:
        """Return a threshold and its loading: one with k nonzeros, or the most below; then the one that explains most.

        Of those that tie up to rounding it is the one with the smallest threshold.
        """
        varying = np.flatnonzero(moments.diagonal)
        inner = self._matrix(moments).restricted(varying)
        best, best_rank, best_tau = np.zeros(len(varying)), (-1, 0.0), 0.0
        for tau, T in self._thresholded(inner.S):
            w = self._truncated(inner, T, k)
            rank = (int(np.count_nonzero(w)), inner.quadratic(w))
            if rank[0] > best_rank[0] or (rank[0] == best_rank[0] and rank[1] > (1.0 + TIE) * best_rank[1]):
                best, best_rank, best_tau = w, rank, tau
        return best_tau, spread(best, varying, moments.n_features)

    def _thresholded(self, S: Array) -> Iterator[tuple[float, Array]]:
        """Yield thresholds and the matrices that they leave."""
        covariances = S[np.triu_indices(len(S), 1)]
        if self.tau == "grid":
            sizes = np.append(np.abs(covariances), [] if len(covariances) else 0.0)
            for tau in dict.fromkeys([0.0, *np.quantile(sizes, np.linspace(0.0, 1.0, N_QUANTILES)).tolist()]):
                yield tau, soft(S, tau)
            return
        noise = float(np.median(S.diagonal())) if self.noise is None else self.noise
        tau = self.tau if not isinstance(self.tau, str) else self.nu * noise_of(covariances)
        yield tau, soft(S - noise * np.eye(len(S)), tau)

    def _truncated(self, inner: Gram, T: Array, k: int) -> Array:
        """Return the loading that the matrix left by a threshold has; without any, the feature of largest variance."""
        v = leading_eigenvectors(T, 1)[1][:, 0] if T.any() else max_variance(inner, k)
        w = unit(top_k(hard(v, NEGLIGIBLE), k))
        return inner.leading(np.flatnonzero(w)) if self.refit else w


def noise_of(covariances: Array) -> float:
    """Return the standard deviation of covariances most of which are normal noise."""
    if not len(covariances):
        return 0.0
    return float(np.median(np.abs(covariances - np.median(covariances)))) / NORMAL
