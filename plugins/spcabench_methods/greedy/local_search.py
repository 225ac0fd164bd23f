"""Exchanges of single features in the loadings of any method."""

from __future__ import annotations

from typing import Any

import numpy as np

from spcabench_methods.certified.certify import moments_of
from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.deflation import SCHEMES, by_deflation
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.signs import positive_peak
from spcabench_methods.greedy.polish import polished, swapped


def polish(S: Any, components: Any, *, deflation: str = "projection") -> Array:
    """Exchange single features of the loadings of any method, until no exchange explains more.

    From the support of a loading, a feature of it is exchanged for one outside as long as that raises the largest
    eigenvalue on the support.  The loading becomes the eigenvector, so that it explains no less than before and has as
    many nonzeros.  The next loading is searched in what the deflation leaves.

    A round costs O(k^4 + k^3 d) for k nonzeros.

    Parameters
    ----------
    S : array_like of shape (n_features, n_features) or (n_samples, n_features)
        A covariance, symmetric and positive semidefinite; or samples, which are centred, and of which X'X/n is taken.
        A square matrix is a covariance.
    components : array_like of shape (n_components, n_features)
        The loadings, such as the `components_` of an estimator; rows of zeros stay.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the next loading: see `by_deflation`.

    Returns
    -------
    ndarray of shape (n_components, n_features)
        Unit vectors; the entry of largest magnitude of each is positive.

    Raises
    ------
    ValueError
        If S is neither, the shapes do not fit, a number is not finite, or `deflation` is no such word.

    References
    ----------
    Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis, INFORMS Journal on
    Computing 37, 2025: local search.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import polish
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> polish(S, [[1.0, 0.0, 1.0]]).round(3)
    array([[0.707, 0.707, 0.   ]])
    """
    moments = moments_of(S)
    W = np.asarray(components, dtype=float)
    if W.ndim != 2 or W.shape[1] != moments.n_features or not np.isfinite(W).all():
        raise ValueError(
            f"components have shape {W.shape}; valid is a finite matrix of {moments.n_features} columns, a row for each"
        )
    if deflation not in SCHEMES:
        raise ValueError(f"deflation is {deflation!r}; valid is one of {', '.join(SCHEMES)}")

    def find(rest: SecondMoments, j: int) -> Component:
        varying = np.where(rest.diagonal > 0.0, W[j], 0.0)
        return polished(rest, Component(unit(varying), 0.0), swapped)

    found = by_deflation(moments, find, len(W), deflation)
    return np.array([positive_peak(component.loading) for component in found])
