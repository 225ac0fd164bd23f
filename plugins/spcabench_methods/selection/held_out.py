"""Held-out variance, and the smallest cardinality that is as good as the best within one standard error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.randomness import RandomSource
from spcabench_methods.selection.candidates import Path, variances


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
