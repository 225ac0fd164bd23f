"""Fit a method on second moments to samples with missing values, or with weights."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import FLOATS, check_parameters, check_scale, warn
from spcabench_methods.core.constraints import Constraints, number, whole, words
from spcabench_methods.core.scores import Scores
from spcabench_methods.incomplete.moments import Gaussian, em_moments, pairwise_moments
from spcabench_methods.power.tpower import TPower


@dataclass(eq=False, repr=False)
class MomentSPCA(Scores):
    """Sparse PCA of samples that lack values (nan), or that have weights, by any method that takes a covariance.

    The mean and the second moments of the samples are estimated first, then the method is fitted to them.

    ``em`` takes a Gaussian model of a few factors and a ridge, and adds the covariances of what is missing to the
    moments; it serves where many values are missing, where features are nearly as many as samples or more, and where
    what is missing depends on columns that are there.  ``pairwise`` takes each moment over the samples that have both
    features; it serves where at most a tenth is missing and samples are twice as many as features.  Neither repairs
    values that are missing because of what they would be, such as those below a limit of detection.

    Each iteration of ``em`` is O(n d q^2 + n q d^2) for n samples, d features and q factors; memory is O(n q d + d^2).

    Parameters
    ----------
    estimator : estimator, default=None
        A sparse PCA with the parameter ``covariance``; ``TPower()`` if not given.
    missing : {"em", "pairwise"}, default='em'
        How second moments are estimated where values are missing.  Complete samples have their own with either.
    rank : int, default=None
        Factors of the Gaussian model; if not given one more than the components.
    max_iter : int, default=200
        The most iterations of ``em``.
    tol : float, default=1e-3
        ``em`` ends when no second moment changes by more than this share of the largest.

    Attributes
    ----------
    estimator_ : estimator
        Fitted to `covariance_`.
    components_ : ndarray of shape (n_components, n_features)
        The loadings of `estimator_`.
    mean_ : ndarray of shape (n_features,)
        The estimated means.
    covariance_ : ndarray of shape (n_features, n_features)
        The estimated second moments of centred samples.
    n_missing_ : int
        Values that were missing.
    n_iter_ : int
        Iterations of ``em``; 1 where nothing was missing.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Their names, if the data had any.

    References
    ----------
    M. E. Tipping and C. M. Bishop, Journal of the Royal Statistical Society B 61, 1999, 611-622; J. Josse and
    F. Husson, Journal de la Societe Francaise de Statistique 153, 2012, 79-99.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import MomentSPCA, TPower
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((100, 8))
    >>> X[:, :3] += 3 * rng.standard_normal((100, 1))
    >>> X[rng.random(X.shape) < 0.2] = np.nan
    >>> fitted = MomentSPCA(TPower(n_components=1, n_nonzero=3)).fit(X)
    >>> np.flatnonzero(fitted.components_[0])
    array([0, 1, 2])
    """

    estimator: BaseEstimator | None = None
    _: KW_ONLY
    missing: str = "em"
    rank: int | None = None
    max_iter: int = 200
    tol: float = 1e-3

    _formats: ClassVar[bool] = False
    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": "no_validation",
        "missing": [words("em", "pairwise")],
        "rank": [None, whole(0)],
        "max_iter": [whole(1)],
        "tol": [number()],
    }

    def fit(self, X: Any, y: object = None, sample_weight: Any = None) -> Self:
        """Estimate the second moments, and find the components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The training samples; nan is a missing value.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each sample counts, 0 or more; alike if not given.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter, the data or the weights are not valid, or if a feature has no value at all.
        """
        check_parameters(self)
        model = TPower() if self.estimator is None else clone(self.estimator)
        if "covariance" not in model.get_params(deep=False):
            raise ValueError(
                f"MomentSPCA: estimator is {type(model).__name__}; valid is one with the parameter covariance"
            )
        X = validate_data(self, X, dtype=FLOATS, ensure_min_samples=2, ensure_all_finite="allow-nan")
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        kept = weights > 0
        with np.errstate(over="ignore", invalid="ignore"):  # check_scale reports data that are too large
            self._estimate(X[kept].astype(np.float64), weights[kept] / weights.sum(), model.n_components)
        check_scale(float(np.trace(self.covariance_)))
        self.estimator_ = model.set_params(covariance="precomputed").fit(self.covariance_)
        self.components_ = self.estimator_.components_.astype(X.dtype)
        return self

    def _estimate(self, X: Array, weights: Array, n_components: int) -> None:
        lacking = np.isnan(X)
        empty = np.flatnonzero(lacking.all(axis=0))
        if len(empty):
            raise ValueError(f"MomentSPCA: feature {self._named(int(empty[0]))} has no value; drop it")
        self.n_missing_ = int(lacking.sum())
        self.n_iter_ = 1
        if self.missing == "pairwise" or not self.n_missing_:
            self.mean_, self.covariance_ = pairwise_moments(X, weights)
            return
        self.mean_, self.covariance_, self.n_iter_, ended = em_moments(
            X, weights, self._rank(n_components), self.max_iter, self.tol
        )
        if not ended:
            message = f"the second moments did not converge in {self.max_iter} iterations; raise max_iter or tol"
            warn(message, ConvergenceWarning)

    def _rank(self, n_components: int) -> int:
        return n_components + 1 if self.rank is None else self.rank

    def _named(self, place: int) -> str:
        names = getattr(self, "feature_names_in_", None)
        return str(place) if names is None else f"{place} ({names[place]})"

    def complete(self, X: Any) -> NDArray[np.floating]:
        """Return samples with what they lack filled in: the conditional means given what is there.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; nan is a missing value.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False, ensure_all_finite="allow-nan")
        if not np.isnan(X).any():
            return np.asarray(X)
        model = Gaussian.of(self.mean_, self.covariance_, self._rank(len(self.components_)))
        return np.asarray(model.completed(X.astype(np.float64)), dtype=X.dtype)

    def transform(self, X: Any) -> NDArray[np.floating]:
        """Return the scores of samples, completed where they lack values: ``(complete(X) - mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; nan is a missing value.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        whole = self.complete(X)
        return np.asarray((whole - self.mean_) @ self.components_.T, dtype=whole.dtype)

    def score(self, X: Any, y: object = None) -> float:
        """Return the share of the variance of completed samples in the span of the loadings; see `Scores.score`."""
        return super().score(self.complete(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.allow_nan = True
        return tags
