"""Choose one cardinality for all components together, by what their span keeps of samples that are held out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.joint.joint_spca import JointSPCA

PATIENCE = 3
"""So many larger cardinalities that keep no more end the search."""
STARTS = 2
"""Starts of each fit, in place of the eight of `JointSPCA`."""


def held_out_spans(X: Array, n_components: int, grid: Sequence[int], n_folds: int, random: RandomSource) -> Array:
    """Return the share of each fold's variance in the span of the components of the other folds.

    ``tr(P S) / tr S``: P projects on the span of the loadings of `JointSPCA`, S holds the second moments of a fold
    about the mean of the others.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    n_components : int
    grid : sequence of int
        Cardinalities of each component, rising.
    n_folds : int
    random : RandomState or Generator
        Draws the folds.

    Returns
    -------
    ndarray of shape (n_folds, n_tried)
        Of the first cardinalities, up to `PATIENCE` after the best.
    """
    folds = np.array_split(random.permutation(len(X)), min(n_folds, len(X)))
    means: list[float] = []
    columns: list[Array] = []
    for k in grid:
        columns.append(np.array([_span(X, fold, n_components, k) for fold in folds]))
        means.append(float(columns[-1].mean()))
        if len(means) - 1 - int(np.argmax(means)) >= PATIENCE:
            break
    return np.column_stack(columns)


def _span(X: Array, fold: NDArray[np.intp], n_components: int, k: int) -> float:
    rows = np.ones(len(X), dtype=bool)
    rows[fold] = False
    mean = X[rows].mean(axis=0)
    inside, outside = X[rows] - mean, X[fold] - mean
    joint = JointSPCA(n_components, n_nonzero=k, n_init=STARTS)
    if len(inside) > inside.shape[1]:
        joint.set_params(covariance="precomputed")
        inside = inside.T @ inside / len(inside)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit that is kept says what is wrong with it
        basis = orthonormal_basis(np.asarray(joint.fit(inside).components_.T, dtype=np.float64))
    return float(np.sum((outside @ basis) ** 2) / np.sum(outside**2))
