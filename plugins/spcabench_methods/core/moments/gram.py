"""Second moments as the matrix S itself."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.centred import is_sparse
from spcabench_methods.core.centred_sparse import CentredSparse
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.jit import njit
from spcabench_methods.core.moments.form import NO_FEATURES, SPARSE, SecondMoments, sparse_support
from spcabench_methods.core.samples import row_blocks
from spcabench_methods.core.single import ROUNDING, in_range, second_moments_of_single, stays_single

GRAM_LIMIT = 16_384
"""With more features than this no matrix of features by features is formed (2 GiB)."""
FEW = 100
"""Up to so many features the whole matrix is multiplied: finding the zeros of a vector would take longer."""


class Gram(SecondMoments):
    """Second moments as the matrix S itself.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric; only copies of it are changed.
    rounding : float, default=0.0
        What computing it in single precision has changed, as a share of variances.
    """

    def __init__(self, S: Array, rounding: float = 0.0) -> None:
        self.rounding = rounding
        self.S = S.T if S.flags.f_contiguous else np.ascontiguousarray(S)
        self._measure(S.diagonal().copy())
        self._forget()

    @classmethod
    def of(cls, X: Any, mean: Array) -> Self:
        """Form the matrix from samples, a block at a time."""
        if is_sparse(X):
            return cls(CentredSparse.of(X, mean).second_moments())
        if stays_single(X):
            S = second_moments_of_single(X, mean)
            if in_range(S.diagonal()):
                return cls(S, ROUNDING)
        blocks = row_blocks(X, mean)
        first = next(blocks)
        S = first.T @ first
        for block in blocks:
            S += block.T @ block
        S /= len(X)
        return cls(S)

    def _forget(self) -> None:
        self._support: Indices = NO_FEATURES
        self._rows: Array = self.S[:0]

    def matvec(self, w: Array) -> Array:
        """Return S w from the rows in the support of w, which stay cached until the support changes."""
        if len(w) <= FEW or w.ndim == 2:
            return np.asarray(self.S @ w)
        (support,) = w.nonzero()
        if len(support) >= SPARSE * len(w):
            return np.asarray(self.S @ w)
        if len(support) != len(self._support) or not (support == self._support).all():
            self._support, self._rows = support, self.S[support]
        return np.asarray(w[support] @ self._rows)

    def columns(self, support: Indices) -> Array:
        """Return the columns `support` of S."""
        return self.S[support].T

    def scores_covariance(self, W: Array) -> Array:
        """Return W'SW."""
        support = sparse_support(W, FEW)
        if support is None:
            return np.asarray(W.T @ (self.S @ W))
        return np.asarray(W[support].T @ self.submatrix(support) @ W[support])

    def restricted(self, support: Indices) -> Gram:
        """Return the submatrix of `support`, or itself if that is all."""
        return self if len(support) == self.n_features else Gram(self.submatrix(support), self.rounding)

    def submatrix(self, support: Indices) -> Array:
        """Return the rows and columns `support` of S."""
        return self.S.take(support, axis=0).take(support, axis=1)

    def _principal(self, r: int) -> tuple[Array, Array]:
        return leading_eigenvectors(self.S, r)

    def copy(self) -> Gram:
        """Copy the matrix."""
        other = Gram(self.S.copy(), self.rounding)
        other._set_variances(self.diagonal)
        other._undeflated_variances, other._floor = self._undeflated_variances, self._floor
        return other

    def _remove(self, w: Array, v: Array, Sw: Array, variance: float) -> None:
        _subtract_products(self.S, v, Sw - 0.5 * variance * v, self._constant)
        self._forget()


@njit(cache=True, nogil=True)
def _subtract_products(S: Array, v: Array, half: Array, constant: Indices) -> None:
    """Subtract v h' + h v' from S in place, h for `half`, and set the rows and columns `constant` to zero."""
    (support,) = v.nonzero()
    for i in range(len(v)):
        if v[i] != 0.0:
            for j in range(len(v)):
                S[i, j] -= v[i] * half[j] + half[i] * v[j]
        else:
            for other in support:
                S[i, other] -= half[i] * v[other]
    for feature in constant:
        S[feature] = 0.0
        S[:, feature] = 0.0
