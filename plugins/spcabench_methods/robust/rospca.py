"""ROSPCA: sparse components of the samples that robust distances leave, in three rounds."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.base import Component, SparseComponents
from spcabench_methods.core.checks import RandomSource, check_scale, random_source
from spcabench_methods.core.constraints import SHARED, number, whole, words
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted
from spcabench_methods.core.samples import Samples
from spcabench_methods.power.tpower import TPower
from spcabench_methods.robust.spca_grid import SPCAGrid
from spcabench_methods.robust.univariate import QUANTILE, outlyingness, qn, within


@dataclass(eq=False, repr=False, kw_only=True)
class ROSPCA(Counted):
    """Robust sparse principal component analysis by three rounds of distances.

    1. Features are standardised by their medians and Qn.  The outlyingness of a sample is its largest distance from the
       centre along directions through two samples, with centre and scale by the univariate minimum covariance
       determinant.  Of the h samples that lie least far out the principal components span a subspace; the samples at a
       distance from it within a cutoff are kept.
    2. Features are standardised by the samples kept, and the inner method finds sparse components of these.  On the
       features that have a loading, the samples at a distance from the span of the components within a cutoff are kept
       instead, and the inner method finds the final loadings of these, on these features.
    3. Of the samples kept, those whose scores are within a cutoff decide the centre and the order of the components.

    Loadings belong to standardised features, scores to the features as they are.

    The directions cost O(n log n) each, the inner method what it costs on n samples, twice.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component in the order in which the inner method
        finds them; n_features or more: no truncation.  None: the square root of n_features, rounded up.
    alpha : float, default=0.75
        From 0.5 to 1.  h is this share of the samples and one more; so many are taken to be no outliers.
    inner : {"tpower", "grid"}, default="tpower"
        How the components are found: by `TPower` from the leading eigenvector, with `refit`, or by `SPCAGrid`
        with the standard deviation.
    n_directions : int, default=5000
        At least 1.  If there are more pairs of samples, so many random ones make the directions.
    random_state : int, RandomState, Generator or None, default=None
        For the pairs.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `mean_` holds the centre, `objective_` the variances of the scores of the samples that
        decide it, `n_iter_` the iterations of the inner method in its second use.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`; they are variances about the column means, and not robust.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.
    outliers_ : ndarray of bool, shape (n_samples,)
        Which samples have scores, or a distance from the span of the components on the features that have a loading,
        beyond the cutoffs.

    Notes
    -----
    The program that goes with the paper has the grid as its inner method, and refuses features whose Qn is 0; here
    these are standardised by their standard deviations.

    References
    ----------
    M. Hubert, T. Reynkens, E. Schmitt and T. Verdonck, Sparse PCA for high-dimensional data with outliers,
    Technometrics 58, 2016, 424-434.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import ROSPCA
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 1)) @ [[3.0, 3.0, 0.0, 0.0]] + rng.standard_normal((60, 4))
    >>> X[:10] = [30.0, -30.0, 0.0, 0.0] + rng.standard_normal((10, 4))
    >>> robust = ROSPCA(n_components=1, n_nonzero=2).fit(X)
    >>> np.flatnonzero(robust.components_[0]), robust.outliers_[:10].all()
    (array([0, 1]), np.True_)
    """

    alpha: float = 0.75
    inner: str = "tpower"
    n_directions: int = 5000
    random_state: int | RandomSource | None = None

    _parameter_constraints = SHARED | {
        "alpha": [number(0.5, 1, closed="both")],
        "inner": [words("tpower", "grid")],
        "n_directions": [whole(1)],
    }
    _may_miss = True

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        check_scale(Samples(X, mean).trace)
        double = np.asarray(X, dtype=np.float64)
        varying = np.flatnonzero((double != double[0]).any(axis=0))
        centre, found = mean, [Component(np.zeros(X.shape[1]), 0.0, 0)] * self.n_components
        self.outliers_, self._order = np.zeros(len(X), dtype=bool), list(range(self.n_components))
        if len(varying):
            location, found = self._found(double, varying)
            centre = np.where(np.isin(np.arange(X.shape[1]), varying), location, double[0])
        return centre, found, Samples(X, mean)

    def _components(self, X: Any) -> Iterable[Component]:
        found: Iterable[Component] = X
        return found

    def _wanted(self) -> list[int]:
        wanted = super()._wanted()
        return [wanted[j] for j in self._order]

    def _found(self, X: Array, varying: Indices) -> tuple[Array, list[Component]]:
        """Return the centre and the components, in the order of their variances."""
        h = min(math.ceil(self.alpha * len(X)) + 1, len(X))
        kept = self._first_round(X[:, varying], h)
        Xs, medians = standardised(X, kept, varying)
        loadings = self._sparse(Xs[kept], varying)[0]
        used = np.flatnonzero(loadings.any(axis=0))
        kept = within(distances(Xs[:, used], loadings[:, used]), h)
        loadings, n_iter, converged = self._sparse(Xs[kept], used)
        good = kept & scores_within((X - medians) @ loadings.T, kept)
        centre = X[good].mean(axis=0)
        scores = (X - centre) @ loadings.T
        variances = scores[good].var(axis=0)
        far = distances(Xs[:, used], loadings[:, used])
        self.outliers_ = ~(scores_within(scores, good, variances) & within(far, h))
        order = np.argsort(-variances, kind="stable")
        self._order = order.tolist()
        return centre, [Component(loadings[j], variances[j], int(n_iter[j]), bool(converged[j])) for j in order]

    def _first_round(self, X: Array, h: int) -> NDArray[np.bool_]:
        """Return which samples are near the subspace of those that lie least far out."""
        Z = (X - np.median(X, axis=0)) / [scale(x) for x in X.T]
        Z -= Z.mean(axis=0)
        left, lengths, _ = np.linalg.svd(Z, full_matrices=False)
        rank = np.count_nonzero(lengths > max(Z.shape) * EPS * lengths[0])
        T = left[:, :rank] * lengths[:rank]
        far = outlyingness(T, h, self.n_directions, random_source(self.random_state))
        core = np.argsort(far, kind="stable")[:h]
        if self.n_components >= rank:
            return np.isin(np.arange(len(X)), core)
        T = T - T[core].mean(axis=0)
        return np.asarray(within(distances(T, np.linalg.svd(T[core])[2][: self.n_components]), h))

    def _sparse(self, X: Array, features: Indices) -> tuple[Array, Array, Array]:
        """Return the loadings that the inner method finds on some features, its iterations, and whether they ended."""
        r, counts = self.n_components, self._counts(X.shape[1])
        most = min(r, len(features))
        loadings, n_iter, converged = np.zeros((r, X.shape[1])), np.zeros(r), np.ones(r)
        if not most:
            return loadings, n_iter, converged
        if self.inner == "tpower":
            method: SparseComponents = TPower(most, counts[:most], init="pca", refit=True)
        else:
            method = SPCAGrid(most, counts[:most], scale="sd", centre="mean")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # this estimator warns of its own components
            method.fit(X[:, features])
        found = np.array(method._order if isinstance(method, SPCAGrid) else range(most))  # the grid sorts by scale
        loadings[np.ix_(found, features)] = method.components_
        n_iter[found], converged[found] = method.n_iter_per_component_, method.converged_
        return loadings, n_iter, converged


def standardised(X: Array, kept: NDArray[np.bool_], varying: Indices) -> tuple[Array, Array]:
    """Return the samples in units of Qn about the medians of the samples kept, and these medians."""
    medians = np.median(X[kept], axis=0)
    scales = np.ones(X.shape[1])
    scales[varying] = [scale(x) for x in X[kept][:, varying].T]
    return (X - medians) / scales, medians


def scale(x: Array) -> float:
    """Return Qn; if it is 0, the standard deviation; if that is 0 too, 1."""
    return qn(x) or float(x.std()) or 1.0


def distances(X: Array, loadings: Array) -> Array:
    """Return the distance of each row from the span of the loadings, which are rows too."""
    Q = orthonormal_basis(loadings.T)
    return np.asarray(np.linalg.norm(X - (X @ Q) @ Q.T, axis=1))


def scores_within(scores: Array, kept: NDArray[np.bool_], variances: Array | None = None) -> NDArray[np.bool_]:
    """Return which scores are within the cutoff, relative to their variances; by default squared Qn of those kept."""
    if variances is None:
        variances = np.array([qn(y) ** 2 for y in scores[kept].T])
    some = variances > 0.0
    squares = (scores[:, some] ** 2 / variances[some]).sum(axis=1)
    return np.asarray(squares <= chi2.ppf(QUANTILE, max(int(some.sum()), 1)))
