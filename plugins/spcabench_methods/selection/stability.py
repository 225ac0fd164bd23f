"""Stability: which features are selected again when half of the samples are left out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.selection.candidates import Path

SAME = 0.5
"""A component of a half-sample is another one if its cosine with that of all samples is smaller."""

Supports = NDArray[np.bool_]


def half_samples(X: Array, n_resamples: int, random: RandomSource) -> Iterator[Array]:
    """Yield centred halves of the samples, in pairs that share no row (Shah and Samworth 2013)."""
    half = len(X) // 2
    for _ in range(-(-n_resamples // 2)):
        order = random.permutation(len(X))
        for rows in (order[:half], order[half : 2 * half]):
            yield X[rows] - X[rows].mean(axis=0)


def resampled(X: Array, path: Path, n_resamples: int, random: RandomSource) -> Array:
    """Return the loadings of each half-sample, shape (n_resamples, n_cardinalities, n_features)."""
    return np.array([path(half) for half in half_samples(X, n_resamples, random)])


def nogueira(supports: Supports) -> float:
    """Return the stability of supports: 1 if they are the same, near 0 if they are chance.

    ``1 - [mean_f B/(B - 1) p_f (1 - p_f)] / [(k/d)(1 - k/d)]``, with p_f the share of B supports that have feature f,
    and k their mean size.  Not defined, nan, where all features are selected, or none.

    Parameters
    ----------
    supports : ndarray of bool, shape (n_resamples, n_features)

    References
    ----------
    S. Nogueira, K. Sechidis and G. Brown, On the stability of feature selection algorithms, Journal of Machine Learning
    Research 18, 2018, 1-54.

    Examples
    --------
    >>> nogueira(np.array([[True, True, False, False], [True, False, True, False]]))
    0.0
    """
    B = len(supports)
    shares = supports.mean(axis=0)
    size = float(shares.mean())
    if size in (0.0, 1.0):
        return np.nan
    spread = float(np.mean(B / (B - 1) * shares * (1 - shares)))
    return 1.0 - spread / (size * (1.0 - size))


def stabilities(loadings: Array) -> Array:
    """Return the index of `nogueira` at each cardinality, from the loadings of `resampled`."""
    return np.array([nogueira(loadings[:, place] != 0) for place in range(loadings.shape[1])])


def most_stable(values: Array) -> int:
    """Return the place of the most stable cardinality; on ties the largest, which says the most."""
    known = np.where(np.isnan(values), -np.inf, values)
    return int(len(known) - 1 - np.argmax(known[::-1]))


def frequencies(loadings: Array, w: Array) -> Array:
    """Return the share of half-samples in which each feature is selected, shape (n_features,).

    Parameters
    ----------
    loadings : ndarray of shape (n_resamples, n_features)
        Of the half-samples, at one cardinality.
    w : ndarray of shape (n_features,)
        The loading of all samples.  A half-sample whose component is another one selects nothing.
    """
    same = np.abs(loadings @ w) >= SAME
    return np.asarray(((loadings != 0) & same[:, None]).mean(axis=0))
