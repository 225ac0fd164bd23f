"""What fitted loadings make of samples: scores, what these reconstruct, and how much of the variance they have."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from spcabench_methods.core.centred import is_sparse
from spcabench_methods.core.centred_sparse import CentredSparse
from spcabench_methods.core.checks import FLOATS, further_data
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.samples import Samples, row_blocks


class Scores(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer of samples to scores, by `components_` and `mean_`."""

    components_: NDArray[np.floating]
    mean_: Any

    @property
    @abstractmethod
    def _formats(self) -> list[str] | bool:
        """The sparse formats that are taken."""

    def transform(self, X: Any) -> NDArray[np.floating]:
        """Return the scores of samples: ``(X - mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = further_data(self, X, self._formats)
        W = np.asarray(self.components_.T, dtype=np.float64)
        blocks = [CentredSparse.of(X, self.mean_)] if is_sparse(X) else row_blocks(X, self.mean_)
        scores = np.vstack([block @ W for block in blocks])
        return np.asarray(scores, dtype=np.result_type(X.dtype, self.components_.dtype))

    def least_squares_scores(self, X: Any) -> NDArray[np.floating]:
        """Return the scores from which samples are best reconstructed: ``(X - mean_) @ pinv(components_)``.

        `transform` projects on one component at a time, which counts what components share as often as they share it;
        `inverse_transform` of these scores counts it once.  Its error is what the span of the loadings leaves: of the
        training samples, 1 less the last entry of `cpev_`.  The score of a component depends on the other components
        then.  Where the loadings are orthogonal both are the same; where they depend on one another, these are the
        shortest of the scores that reconstruct best.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        projected = np.asarray(self.transform(X))  # a table after `set_output`
        W = np.asarray(self.components_.T, dtype=np.float64)
        return np.asarray(projected @ np.linalg.pinv(W.T @ W, hermitian=True), dtype=projected.dtype)

    def inverse_transform(self, X: Any) -> NDArray[np.floating]:
        """Return the samples that belong to scores: ``X @ components_ + mean_``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Scores.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        scores = check_array(X, dtype=FLOATS)
        if scores.shape[1] != self._n_features_out:
            raise ValueError(
                f"{type(self).__name__}: X has {scores.shape[1]} columns; valid is n_components={self._n_features_out}"
            )
        return np.asarray(scores @ self.components_ + self.mean_)

    def score(self, X: Any, y: object = None) -> float:
        """Return the share of the variance of samples in the span of the loadings, for model selection.

        It is ``||(X - mean_) Q||_F^2 / ||X - mean_||_F^2``, where the orthonormal columns of Q span the loadings.  For
        the training samples this is the last entry of `cpev_`, if `mean_` is their mean.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        float
            From 0 to 1; 0 if all samples are at the mean.
        """
        check_is_fitted(self)
        X = further_data(self, X, self._formats)
        Q = orthonormal_basis(np.asarray(self.components_.T, dtype=np.float64))
        if is_sparse(X):
            centred = CentredSparse.of(X, self.mean_)
            total, within = float(centred.variances().sum()), float(np.sum((centred @ Q) ** 2)) / len(centred)
        else:
            samples = Samples(X, self.mean_)
            total, within = samples.trace, float(np.trace(samples.scores_covariance(Q)))
        return within / (total or 1.0)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)
