"""Robust subspace learning: dense loadings of a span in which single entries may be far out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, SparseComponents
from spcabench_methods.core.checks import check_scale
from spcabench_methods.core.constraints import SHARED, number
from spcabench_methods.core.moments import data_of
from spcabench_methods.core.samples import Samples
from spcabench_methods.robust.scales import MAD_FACTOR

START, FALL = 3.0, 0.92
"""The scales begin at so many times their final values, and fall by this factor in each iteration."""

INFLECTION = math.sqrt(3.0)
"""A residual that is larger than its scale over this counts less the larger it is."""

STEADY = 1e-10
"""The share of the mean diagonal that is added to normal equations, which keeps steps in flat directions short."""

EXACT = 1e-12
"""Residuals are rounding errors if their length is at most this share of that of the samples."""


@dataclass(eq=False, repr=False, kw_only=True)
class RobustSubspace(SparseComponents):
    """Robust subspace learning: each entry of the residuals counts by a bounded function.

    A local solution of: minimise the sum over samples i and features j of ``rho(e_ij, sigma_j)`` for
    ``e_ij = x_ij - m_j - c_i' b_j``, over the centre m, the scores c and the loadings b, where
    ``rho(e, sigma) = e^2 / (e^2 + sigma^2)`` is the function of Geman and McClure.  From the medians as centre and the
    loadings of PCA, regressions weighted by ``sigma^2 / (e^2 + sigma^2)^2`` find in turn the loadings with the centre
    and the scores; none lets the sum grow.  The scales begin at three times their final values and fall by 8 % in each
    iteration, so that few entries are far out at first.

    The final scale of a feature is `cutoff` times ``sqrt(3) MAD``, where MAD is 1.4826 times the median absolute
    deviation of the magnitudes of its residuals from the span of PCA; at least it is ``sqrt(3) MAD`` of all residuals.

    An iteration costs O(n d r^2 + (n + d) r^3), and the normal equations take O((n + d) r^2) numbers.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    cutoff : float, default=2.3
        More than 0.  A large one is PCA of the features over their scales.
    tol : float, default=1e-4
        At least 0.  Stop when the scales are final and the span turns by no more: the Frobenius norm of the part of the
        new span's basis outside the old span.
    max_iter : int, default=300
        At least 1.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `components_` are the principal axes of the fitted samples, `mean_` is the mean of
        these, `objective_` has their variances, `n_iter_per_component_` the iterations for every component that is not
        zero.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`; they are variances about the column means, and not robust.
    scales_ : ndarray of shape (n_features,)
        The final scales.
    weights_ : ndarray of shape (n_samples, n_features)
        What each entry counts, ``sigma^4 / (e^2 + sigma^2)^2``: 1 where nothing is left of it, near 0 where it is far
        out.
    criterion_ : float
        The sum that is minimised.

    Notes
    -----
    The paper is about images.  Where it and this class differ:

    - A scale has the residuals of a pixel and of those around it; here it has those of one feature, as a table has no
      neighbours.
    - The paper descends along scaled gradients of m, B and C; the weighted regressions here minimise the same sum, and
      need no step length.
    - Schedule, factors, tolerance and limit are those of the program that the authors gave away.
    - New samples are projected by `transform`, as in every method here, without weights.

    References
    ----------
    F. De la Torre and M. J. Black, A framework for robust subspace learning, International Journal of Computer Vision
    54, 2003, 117-142.

    Examples
    --------
    One wrong entry in each of four samples leads PCA away from equal loadings:

    >>> import numpy as np
    >>> from spcabench_methods import PCA, RobustSubspace
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((40, 1)) @ np.ones((1, 6)) + 0.1 * rng.standard_normal((40, 6))
    >>> X[:4, 0] += 6.0
    >>> PCA(n_components=1).fit(X).components_.round(1)
    array([[0.8, 0.3, 0.3, 0.3, 0.3, 0.3]])
    >>> RobustSubspace(n_components=1).fit(X).components_.round(1)
    array([[0.4, 0.4, 0.4, 0.4, 0.4, 0.4]])
    """

    cutoff: float = 2.3
    tol: float = 1e-4
    max_iter: int = 300

    _parameter_constraints = SHARED | {
        "cutoff": [number(closed="neither")],
    }

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples]:
        measure = Samples(X, mean)
        check_scale(measure.trace)
        unit = math.sqrt(measure.trace) or 1.0
        fitted, n_iter, converged = self._fit(np.subtract(X, mean, dtype=np.float64, order="C") / unit)
        self.scales_ *= unit
        centre = fitted.mean(axis=0)
        found = data_of(fitted, centre).principal(self.n_components)
        components = [
            Component(w, variance * unit**2, n_iter, converged) if variance > 0.0 else Component(w, 0.0, 0)
            for variance, w in zip(found[0], found[1].T, strict=True)
        ]
        return mean + unit * centre, components, measure

    def _components(self, X: Any) -> Iterable[Component]:
        found: Iterable[Component] = X
        return found

    def _fit(self, X: Array) -> tuple[Array, int, bool]:
        """Return the fitted samples, the iterations, and whether they ended."""
        found, basis = data_of(X, np.zeros(X.shape[1])).principal(self.n_components)
        basis = basis[:, found > 0.0]
        self.scales_ = final_scales(X, X - (X @ basis) @ basis.T, self.cutoff)
        median = np.median(X, axis=0)
        C = np.column_stack([(X - median) @ basis, np.ones(len(X))])
        B = np.column_stack([basis, median])
        factor, moved, n_iter = START, math.inf, 0
        while basis.size and (factor > 1.0 or moved > self.tol) and n_iter < self.max_iter:
            factor, n_iter = max(FALL * factor, 1.0), n_iter + 1
            B += steps((X - C @ B.T).T, factor * self.scales_[:, None], C)
            C[:, :-1] += steps(X - C @ B.T, factor * self.scales_, B[:, :-1])
            turned = np.linalg.qr(B[:, :-1])[0]
            moved = float(np.linalg.norm(turned - basis @ (basis.T @ turned)))
            basis = turned
        fitted = C @ B.T
        relative = ((X - fitted) / self.scales_) ** 2
        self.weights_ = 1.0 / (1.0 + relative) ** 2
        self.criterion_ = float((relative / (1.0 + relative)).sum())
        return fitted, n_iter, factor == 1.0 and moved <= self.tol


def final_scales(X: Array, residuals: Array, cutoff: float) -> Array:
    """Return the scale of each feature from its residuals, and at least that of all residuals."""
    length, whole = np.linalg.norm(X), np.linalg.norm(residuals)
    if whole <= EXACT * length:
        return np.full(X.shape[1], float(length) or 1.0)
    common = mad(residuals[:, X.any(axis=0)].ravel()) or float(whole) / math.sqrt(residuals.size)
    return np.asarray(INFLECTION * np.maximum(cutoff * mad(residuals), common))


def mad(residuals: Array) -> Any:
    """Return 1.4826 times the median absolute deviation of the magnitudes, along the first axis."""
    magnitudes = np.abs(residuals)
    return MAD_FACTOR * np.median(np.abs(magnitudes - np.median(magnitudes, axis=0)), axis=0)


def steps(residuals: Array, scales: Array, factors: Array) -> Array:
    """Return, for each row of residuals, what its coefficients of the columns `factors` change in a regression."""
    weights = (scales / (residuals**2 + scales**2)) ** 2
    r = factors.shape[1]
    products = (factors[:, :, None] * factors[:, None, :]).reshape(len(factors), r * r)
    equations = (weights @ products).reshape(len(residuals), r, r)
    ridge = STEADY / r * np.trace(equations, axis1=1, axis2=2)
    equations += ridge[:, None, None] * np.eye(r)
    right = (weights * residuals) @ factors
    return np.asarray(np.linalg.solve(equations, right[:, :, None])[:, :, 0])
