"""A data set, and what a metric sees of a fit to it: the data set, the fit, and second moments of some samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spcabench.specs import Array
from spcabench.traces import PathTable, Trace


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
        return int(np.asarray(self.covariance if self.X is None else self.X).shape[1])


@dataclass(frozen=True)
class Moments:
    """Second moments about the mean of one set of samples, without ever forming a matrix of features by features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), optional
        The samples; centred on the fly.
    covariance : ndarray of shape (n_features, n_features), optional
        Given instead of `X`.
    """

    X: Array | None = None
    covariance: Array | None = None

    @cached_property
    def mean(self) -> Array:
        """The mean of the samples, shape (n_features,); zero where only the covariance is known."""
        if self.X is None:
            return np.zeros(len(np.asarray(self.covariance)))
        return np.asarray(self.X.mean(axis=0, dtype=np.float64))

    @cached_property
    def total_variance(self) -> float:
        """The trace of S = Xc'Xc/n."""
        if self.X is None:
            return float(np.trace(np.asarray(self.covariance)))
        return float(np.var(self.X, axis=0, dtype=np.float64).sum())

    def scores(self, W: Array) -> Array:
        """Return Xc W for loadings W of shape (n_features, n_components): scores, shape (n_samples, n_components).

        Where only the covariance S is known, the scores of its symmetric root: any factor with the same
        second moments will do for what is computed from them.
        """
        if self.X is not None:
            return np.asarray(self.X @ W - self.mean @ W, dtype=np.float64)
        return np.asarray(self._root @ W)

    def covariance_of_scores(self, W: Array) -> Array:
        """Return W'SW, shape (n_components, n_components)."""
        if self.X is None:
            return np.asarray(W.T @ (np.asarray(self.covariance) @ W))
        scores = self.scores(W)
        return np.asarray(scores.T @ scores / len(scores))

    @cached_property
    def _root(self) -> Array:
        values, vectors = np.linalg.eigh(np.asarray(self.covariance))
        n = len(values)
        return np.asarray(np.sqrt(n * np.clip(values, 0.0, None))[:, None] * vectors.T)


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What a fit left behind.

    Parameters
    ----------
    components : ndarray of shape (n_components, n_features)
        Unit rows or zero rows, signs fixed.
    mean : ndarray of shape (n_features,)
        What was subtracted from the samples.
    n_iter : ndarray of int, optional
        Iterations of each component, or one number for all.
    objective : ndarray of float, optional
        The method's own objective at the end, of each component or of all.
    upper_bound : ndarray of float, optional
        What the method proved that no objective exceeds (its attribute ``upper_bound_``).
    deflation : str
        How the method removes a component before it looks for the next (its parameter ``deflation``); empty if it does
        not say.
    fit_time, search_time, cold_time : float
        Wall seconds: of the fit at the knob that was found, of the search for it, and of the first fit in a process.
    n_fits : int
        Fits made by the search.
    paths : mapping of int to PathTable
        What is kept of the solution path of each component, counted from 0, that has one (`spcabench.traces`).
    trace : Trace, optional
        How the fit converged (`spcabench.traces`), where the suite asks for it.
    """

    components: Array
    mean: Array
    n_iter: NDArray[np.int64] | None = None
    objective: Array | None = None
    upper_bound: Array | None = None
    deflation: str = ""
    fit_time: float = np.nan
    search_time: float = 0.0
    cold_time: float = np.nan
    n_fits: int = 0
    paths: Mapping[int, PathTable] = field(default_factory=dict)
    trace: Trace | None = None

    @property
    def W(self) -> Array:
        """Loadings as columns, shape (n_features, n_components): the layout of the papers."""
        return self.components.T


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What a metric sees: the data set, the fit, and the second moments of the samples in question."""

    dataset: Dataset
    fitted: Fitted
    moments: Moments
