"""Some iterates of a solution path as arrays, as a record keeps them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array

PathArrays = dict[str, NDArray[np.float64] | NDArray[np.int64]]

LEAVING = 4
"""One in so many rows shows where the last features leave; the other rows are evenly spaced."""


def rows_to_keep(cardinalities: NDArray[np.int64], along: Array, n_points: int) -> NDArray[np.int64]:
    """Choose iterates of a path: the first of each of the last cardinalities, and evenly spaced ones.

    Parameters
    ----------
    cardinalities : ndarray of int, shape (n_iterates,)
        Nonincreasing.
    along : ndarray of shape (n_iterates,)
        Nondecreasing; the scale on which the other iterates are evenly spaced.
    n_points : int
        The most iterates to choose, at least 2.

    Examples
    --------
    >>> import numpy as np
    >>> rows_to_keep(np.array([3, 3, 3, 3, 2, 2, 2, 1]), np.arange(8.0), n_points=4)
    array([0, 4, 7])
    """
    leaving = (np.flatnonzero(np.diff(cardinalities)) + 1)[-max(n_points // LEAVING, 1) :]
    places = np.linspace(along[0], along[-1], n_points - len(leaving))
    even = np.searchsorted(along, places).clip(max=len(along) - 1)
    return np.unique(np.concatenate([even, leaving]))


def path_table(step: NDArray[np.int64], iterates: Array, variance: Array, n_features: int) -> PathArrays:
    """Return the table of a path that the host records.

    Parameters
    ----------
    step : ndarray of int, shape (n_points,)
        How far along the path the iterates are.
    iterates : ndarray of shape (n_points, d)
        The iterates, of any length, from dense to sparse.
    variance : ndarray of shape (n_points,)
        Their w'Sw.
    n_features : int
        How many features to keep: those that stay longest.

    Returns
    -------
    dict of str to ndarray
        ``step``, ``cardinality``, ``l1``, ``l2_squared`` and ``variance`` of shape (n_points,), ``features`` of
        shape (n_kept,), ``loadings`` of shape (n_points, n_kept).
    """
    stays = np.count_nonzero(iterates, axis=0)
    features = np.lexsort((-np.abs(iterates[-1]), -stays))[:n_features]
    return {
        "step": step,
        "cardinality": np.count_nonzero(iterates, axis=1),
        "l1": np.abs(iterates).sum(axis=1),
        "l2_squared": np.einsum("ij,ij->i", iterates, iterates),
        "variance": variance,
        "features": features,
        "loadings": iterates[:, features],
    }
