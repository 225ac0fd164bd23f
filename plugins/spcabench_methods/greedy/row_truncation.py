"""Truncated rows: the best of the rows of S and the leading eigenvector, each with its largest entries alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.base import Component
from spcabench_methods.core.blocks import unit_columns
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Whole
from spcabench_methods.core.samples import BLOCK
from spcabench_methods.core.signs import first_largest


@dataclass(eq=False, repr=False, kw_only=True)
class RowTruncation(Whole, Deflated, Counted):
    """Truncated rows of the covariance.

    Candidates for the best unit vector w with k nonzeros are each row of S = X'X/n of centred X, and the leading
    eigenvector: each without all but its k largest entries in magnitude, scaled, with its signs.  The feature of
    largest variance alone is one too.  That of largest w'Sw is the loading; with `refit` the largest eigenvalues on the
    supports of the candidates decide, and the eigenvector is the loading.  The next component is by default found in
    P S P with P = I - w w'.

    A component costs O(d^2 log d + d k^2) once S is formed in O(n d^2), with `refit` O(d k^3) more.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    refit : bool, default=False
        Compare supports by their largest eigenvalues, instead of the truncated rows by their variances.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw with the deflated S.  Others: see `SparseComponents`.
    exact_cardinality_ : ndarray of bool, shape (n_components,)
        Whether exactly the requested nonzeros were found, or n_features or more were requested.

    Notes
    -----
    The program that goes with the paper takes the magnitudes of the entries, so that signs are lost; the gaps of
    truncation in the paper's tables come from that.

    References
    ----------
    Y. Li and W. Xie, Exact and approximation algorithms for sparse principal component analysis, INFORMS Journal on
    Computing, 2024: the truncation algorithm.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import RowTruncation
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> RowTruncation(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S).components_.round(2)
    array([[0.71, 0.71, 0.  ],
           [0.  , 0.  , 1.  ]])
    """

    refit: bool = False

    _may_miss = True

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)

        def find(rest: SecondMoments, j: int) -> Component:
            whole = self._matrix(rest)
            w = best_candidate(whole, min(counts[j], whole.n_features), self.refit)
            return Component(w, whole.quadratic(w))

        yield from self._one_by_one(moments, find)


def best_candidate(moments: Gram, k: int, refit: bool) -> Array:
    """Return the best of the truncated rows, of the truncated leading eigenvector and of single features."""
    varying = np.flatnonzero(moments.diagonal)
    rows = np.vstack([moments.principal(1)[1].T, moments.S[varying]])
    supports = np.argsort(-np.abs(rows), axis=1, kind="stable")[:, :k]
    truncated = unit_columns(np.take_along_axis(rows, supports, axis=1).T).T
    parts = np.array_split(np.arange(len(rows)), len(rows) * k * k // BLOCK + 1)
    values = np.concatenate([variances(moments, supports[part], truncated[part], refit) for part in parts])
    best = first_largest(np.maximum(values, 0.0))
    w = np.zeros(moments.n_features)
    peak = first_largest(moments.diagonal)
    if moments.diagonal[peak] > values[best]:
        w[peak] = 1.0
    elif refit:
        w = moments.leading(np.sort(supports[best]))
    else:
        w[supports[best]] = truncated[best]
    return w


def variances(moments: Gram, supports: Indices, truncated: Array, refit: bool) -> Array:
    """Return w'Sw of truncated vectors, or the largest eigenvalues on their supports."""
    blocks = moments.S[supports[:, :, None], supports[:, None, :]]
    if refit:
        return np.asarray(np.linalg.eigvalsh(blocks)[:, -1])
    return np.asarray(np.einsum("ij,ijl,il->i", truncated, blocks, truncated))
