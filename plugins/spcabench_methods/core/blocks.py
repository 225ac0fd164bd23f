"""Matrices with one column per component, for the methods that find all components together."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.moments import Data, Gram, SecondMoments


def polar(M: Array) -> Array:
    """Return the orthogonal matrix nearest to M, ``U V'`` of its singular value decomposition."""
    U, _, Vt = np.linalg.svd(M, full_matrices=False)
    return np.asarray(U @ Vt)


def products(moments: SecondMoments, W: Array) -> Array:
    """Return S W for second moments that were never deflated."""
    if isinstance(moments, Gram):
        return np.asarray(moments.S @ W)
    assert isinstance(moments, Data)
    return np.asarray(moments.X.T @ moments.scores(W)) / len(moments.X)


def through_scores(moments: SecondMoments, W: Array) -> Array:
    """Return X'Y/n for the scores Y nearest to X W among those with Y'Y = n I: ``S W (W'SW)^(-1/2)``.

    If X W does not have full rank, nor does Y.
    """
    SW = products(moments, W)
    values, vectors = np.linalg.eigh(W.T @ SW)
    full = values > len(values) * EPS * values[-1]
    root = (vectors[:, full] / np.sqrt(values[full])) @ vectors[:, full].T
    return np.asarray(SW @ root)


def unit_columns(W: Array) -> Array:
    """Scale columns to unit length; zero stays zero."""
    lengths = np.linalg.norm(W, axis=0)
    return np.asarray(W / np.where(lengths > 0.0, lengths, 1.0))
