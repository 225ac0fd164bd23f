"""A data set: a training matrix or a covariance, and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spcabench.specs import Array


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A training matrix or a covariance, and what is known about it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), optional
        The training samples, not centred.
    covariance : ndarray of shape (n_features, n_features), optional
        Given instead of `X` where only second moments are known.
    X_clean : ndarray of shape (n_clean, n_features), optional
        The originals of the rows `clean_rows` of `X`.
    clean_rows : ndarray of int, shape (n_clean,), optional
        Which rows of `X` they are the originals of; the first ``n_clean`` if not given.
    X_test : ndarray of shape (n_test, n_features), optional
        Held-out samples.
    y, y_test : ndarray of int, optional
        Classes.
    supports : ndarray of bool, shape (n_true_components, n_features), optional
        Where the true loadings are nonzero.
    image_shape : (height, width), optional
        If the features are pixels.
    feature_names : tuple of str
        Empty if they have none.
    files : tuple of Path
        What was read; a change of any makes the records stale.
    notes : str
        Anything that a reader of the results must know.
    """

    X: Array | None = None
    covariance: Array | None = None
    X_clean: Array | None = None
    clean_rows: NDArray[np.intp] | None = None
    X_test: Array | None = None
    y: NDArray[np.int64] | None = None
    y_test: NDArray[np.int64] | None = None
    supports: NDArray[np.bool_] | None = None
    image_shape: tuple[int, int] | None = None
    feature_names: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    notes: str = ""

    @property
    def facts(self) -> frozenset[str]:
        """The facts (see `FACTS`) that are known of it."""
        known = {
            "samples": self.X,
            "clean": self.X_clean,
            "test": self.X_test,
            "labels": self.y,
            "supports": self.supports,
            "image": self.image_shape,
        }
        return frozenset(name for name, value in known.items() if value is not None)

    @property
    def n_features(self) -> int:
        """The number of features."""
        matrix = self.X if self.X is not None else self.covariance
        assert matrix is not None
        return int(matrix.shape[1])
