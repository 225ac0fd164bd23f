"""R1-PCA: dense loadings of the span that is nearest to the samples, by distances and not by their squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.base import Component, SparseComponents
from spcabench_methods.core.constraints import SHARED, number, words
from spcabench_methods.core.moments import data_of


@dataclass(eq=False, repr=False, kw_only=True)
class R1PCA(SparseComponents):
    """Rotational invariant l1-norm principal component analysis: a sum of distances from a span is minimised.

    With U of r orthonormal columns and centred samples, the distance of a sample from the span of U is
    ``s_i = ||x_i - U U' x_i||``.  PCA minimises the sum of ``s_i^2``, R1-PCA that of ``s_i``; to have no division by
    zero, a Huber function takes the place of ``s_i``: ``s^2 / 2`` up to c and ``c s - c^2 / 2`` beyond, where c is the
    median distance from the span of the leading principal components.  The loadings are eigenvectors of the robust
    covariance ``C = sum_i weight_i x_i x_i' / n`` with ``weight_i = 1`` if ``s_i <= c`` else ``c / s_i``.  From those
    of PCA, the subspace iteration turns U into an orthonormal basis of ``C U``, with C of the last U, until the span
    stays.  The sum never grows.  A rotation of the samples rotates the loadings.

    The distances decide the span, so that all components are found at once: the first of three is not the one that is
    found alone.  An iteration costs O(n d r).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    weight : {"huber", "cauchy"}, default="huber"
        "cauchy" has ``c^2 log(1 + s^2 / c^2) / 2`` and the weights ``1 / (1 + s^2 / c^2)``.
    cutoff : float, default=1.0
        More than 0.  c in median distances; where no distance is larger than c, "huber" is PCA.
    tol : float, default=1e-6
        At least 0.  Stop when the span turns by no more: the Frobenius norm of the part of the new U outside the old.
    max_iter : int, default=1000
        At least 1.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds the variances u'Cu, `n_iter_per_component_` the iterations for every
        component that is not zero.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    distances_ : ndarray of shape (n_samples,)
        Of the samples from the span of the components.
    weights_ : ndarray of shape (n_samples,)
        What each sample counts in the robust covariance.
    criterion_ : float
        The sum that is minimised.

    Notes
    -----
    The iteration begins at PCA and is local: a sample so far out that it has a principal component of its own keeps
    its full weight.  The samples are centred by their means, and outliers move these too.

    References
    ----------
    C. Ding, D. Zhou, X. He and H. Zha, R1-PCA: rotational invariant L1-norm principal component analysis for robust
    subspace factorization, International Conference on Machine Learning, 2006, 281-288.

    Examples
    --------
    The last sample draws PCA away from the line on which the others are:

    >>> import numpy as np
    >>> from spcabench_methods import PCA, R1PCA
    >>> X = np.column_stack([np.linspace(-5.0, 5.0, 21), np.zeros(21)])
    >>> X[20, 1] = 12.0
    >>> PCA(n_components=1).fit(X).components_.round(3)
    array([[0.842, 0.539]])
    >>> R1PCA(n_components=1).fit(X).components_.round(3)
    array([[0.998, 0.068]])
    """

    weight: str = "huber"
    cutoff: float = 1.0
    tol: float = 1e-6
    max_iter: int = 1000

    _parameter_constraints = SHARED | {
        "weight": [words("huber", "cauchy")],
        "cutoff": [number(closed="neither")],
    }

    def _components(self, X: Array) -> Iterator[Component]:
        found, U = data_of(X, np.zeros(X.shape[1])).principal(self.n_components)
        U, moved, n_iter = U[:, found > 0.0], np.inf, 0
        s = distances(X, U)
        rounding = X.shape[1] * EPS * np.linalg.norm(X, axis=1).max()
        c = max(self.cutoff * float(np.median(s)), rounding) or 1.0
        while moved > self.tol and n_iter < self.max_iter and U.size:
            basis = np.linalg.qr(robust_product(X, self._weights(s, c), U))[0]
            moved = float(np.linalg.norm(basis - U @ (U.T @ basis)))
            U, n_iter = basis, n_iter + 1
            s = distances(X, U)
        U[~X.any(axis=0)] = 0.0  # of a constant feature rounding may leave some
        self.distances_, self.weights_ = s, self._weights(s, c)
        self.criterion_ = self._sum(s, c)
        variances, turned = np.linalg.eigh(U.T @ robust_product(X, self.weights_, U))
        for variance, w in zip(variances[::-1], (U @ turned).T[::-1], strict=True):
            yield Component(w, float(variance), n_iter, moved <= self.tol)
        for _ in range(self.n_components - U.shape[1]):
            yield Component(np.zeros(X.shape[1]), 0.0, 0)

    def _weights(self, s: Array, c: float) -> Array:
        """Return the weights of samples at the distances s."""
        return c**2 / (c**2 + s**2) if self.weight == "cauchy" else c / np.maximum(s, c)

    def _sum(self, s: Array, c: float) -> float:
        """Return the sum of the Huber or Cauchy function of the distances."""
        if self.weight == "cauchy":
            return float((c**2 * np.log1p((s / c) ** 2) / 2).sum())
        return float(np.where(s <= c, s**2 / 2, c * s - c**2 / 2).sum())


def distances(X: Array, U: Array) -> Array:
    """Return the distance of each row from the span of orthonormal columns."""
    return np.asarray(np.linalg.norm(X - (X @ U) @ U.T, axis=1))


def robust_product(X: Array, weights: Array, U: Array) -> Array:
    """Return the robust covariance times U."""
    return np.asarray(X.T @ (weights[:, None] * (X @ U)) / len(X))
