"""The criteria by which a cardinality is chosen: likelihoods, held-out variance, and the index of sparseness."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.checks import RandomSource
from spcabench_methods.core.explained import adjusted_variances
from spcabench_methods.selection.candidates import Path, variances


def ebic(explained: Array, total: float, grid: Sequence[int], n_samples: int, n_features: int) -> Array:
    """Return the criterion at each cardinality; the smallest is the best.

    ``n [log f_k + (d - 1) log((T - f_k)/(d - 1))] + k log n + 2 k log d``, with f_k the variance at k nonzeros and T
    the total variance.  The last term pays for choosing k of d features.

    Parameters
    ----------
    explained : ndarray of shape (n_cardinalities,)
        The variances f_k.
    total : float
        The total variance T.
    grid : sequence of int
        The cardinalities k.
    n_samples, n_features : int
        The numbers n and d; of component j it is d - j + 1.

    References
    ----------
    J. Chen and Z. Chen, Extended Bayesian information criteria for model selection with large model spaces, Biometrika
    95, 2008, 759-771; the likelihood is that of Tipping and Bishop 1999 with one component.
    """
    k = np.asarray(grid, dtype=np.float64)
    return np.asarray(bic(explained, total, grid, n_samples, n_features) + 2 * k * np.log(max(n_features, 2)))


def bic(explained: Array, total: float, grid: Sequence[int], n_samples: int, n_features: int) -> Array:
    """Return the criterion of `ebic` without its last term, which pays for the choice of features."""
    k = np.asarray(grid, dtype=np.float64)
    d = max(n_features, 2)
    floor = EPS * total or 1.0
    rest = np.maximum(total - explained, floor) / (d - 1)
    fit = n_samples * (np.log(np.maximum(explained, floor)) + (d - 1) * np.log(rest))
    return np.asarray(fit + k * np.log(n_samples))


def held_out_variances(X: Array, path: Path, n_folds: int, random: RandomSource) -> Array:
    """Return the variance of each fold along the loadings of the other folds.

    Returns
    -------
    ndarray of shape (n_folds, n_cardinalities)
        Means over the rows of a fold, about the mean of the other folds.
    """
    order = random.permutation(len(X))
    found = []
    for fold in np.array_split(order, min(n_folds, len(X))):
        rows: NDArray[np.bool_] = np.ones(len(X), dtype=bool)
        rows[fold] = False
        mean = X[rows].mean(axis=0)
        found.append(variances(X[fold] - mean, path(X[rows] - mean)))
    return np.array(found)


def one_standard_error(held_out: Array) -> int:
    """Return the place of the smallest cardinality within one standard error of the best.

    The standard error is that of the difference to the best, fold by fold.  The variance of the score is common to all
    cardinalities and drops out; the error of the mean itself, which is usual, is mostly that variance.

    Parameters
    ----------
    held_out : ndarray of shape (n_folds, n_cardinalities)
        As of `held_out_variances`, cardinalities rising.

    Examples
    --------
    >>> one_standard_error(np.array([[1.0, 3.0, 3.1], [2.0, 5.0, 4.9], [1.5, 4.0, 4.2]]))
    1
    """
    best = int(held_out.mean(axis=0).argmax())
    lost = held_out[:, [best]] - held_out
    errors = lost.std(axis=0, ddof=1) / np.sqrt(len(lost))
    return int(np.argmax(lost.mean(axis=0) <= errors))


def index_of_sparseness(X: Array, W: Array) -> float:
    """Return the index of loadings; larger is better.

    ``(V_a V_s / V_o^2) (zeros / (d r))``: V_a is the adjusted variance of the r components, V_s the sum of the
    variances of their scores, V_o the variance of as many principal components.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred samples.
    W : ndarray of shape (n_features, n_components)
        Unit columns.

    References
    ----------
    N. T. Trendafilov, From simple structure to sparse components: a review, Computational Statistics 29, 2014, 431-454.
    """
    scores = X @ W
    S = scores.T @ scores / len(X)
    values = np.linalg.svd(X, compute_uv=False)[: W.shape[1]] ** 2 / len(X)
    dense = float(values.sum()) ** 2
    return float(adjusted_variances(S).sum() * np.trace(S) / dense * np.mean(W == 0)) if dense else 0.0


WEIGHT = 60.0
"""What a stability of 1 is worth, in the unit of the deviance; 40 to 80 do about as well on planted data."""


def weighed(
    explained: Array, total: float, grid: Sequence[int], n_samples: int, n_features: int, stabilities: Array
) -> Array:
    """Return the criterion at each cardinality; the smallest is the best.

    ``BIC(k) + 2 log C(d, k) - 60 Phi(k)``: the number of ways to choose k of d features in place of its bound in
    `spcabench_methods.selection.criteria.ebic`, which finds too few where the signal is weak, and the stability of
    `spcabench_methods.selection.stability.nogueira` against the noise that the milder term lets in.

    Parameters
    ----------
    explained, total, grid, n_samples, n_features
        As of `spcabench_methods.selection.criteria.ebic`.
    stabilities : ndarray of shape (n_cardinalities,)
        The stability at each cardinality; nan, where it is not defined, counts as the worst, -1.
    """
    d = max(n_features, 2)
    k = np.minimum(np.asarray(grid, dtype=np.float64), d)
    choices = -np.log(d + 1.0) - betaln(d - k + 1.0, k + 1.0)
    known = np.where(np.isnan(stabilities), -1.0, stabilities)
    return np.asarray(bic(explained, total, grid, n_samples, n_features) + 2 * choices - WEIGHT * known)
