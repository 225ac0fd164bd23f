"""EESPCA: eigenvectors with entries from the eigenvalues of submatrices, thresholded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import TIE, Array, Indices, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.blocks import unit_columns
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated
from spcabench_methods.truncations.contract import default_threshold
from spcabench_methods.truncations.top_k import top_k

STEPS = 5
"""Steps of the power method for the largest eigenvalue without a feature."""

AT_ONCE = 256
"""Features that are left out at a time."""


@dataclass(eq=False, repr=False, kw_only=True)
class EESPCA(Deflated, Counted):
    """Sparse principal components from eigenvalues of submatrices.

    The squared entry of the leading eigenvector v of S = X'X/n of centred X for feature i is nearly 1 - m_i / l, with
    the largest eigenvalue l of S and m_i of S without feature i.  That is found by five steps of the power method from
    v without its entry.  The loading has the entries sign(v_i) sqrt(1 - m_i / l), scaled to unit length, without those
    that are small, and scaled again.  The next component is by default sought in P S P with P = I - w w'.

    A component costs O(d^3) once S is formed, or O(n d^2) where there are far more features than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        truncation. Among tied entries those with the smallest index stay.
    threshold : float or None, default=None
        At least 0.  Entries of the unit vectors below it become zero.  None: 1/sqrt(n_features).  Set only one of
        `n_nonzero` and `threshold`.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw with the deflated S.  Others: see `SparseComponents`.

    References
    ----------
    H. R. Frost, Eigenvectors from eigenvalues sparse principal component analysis, Journal of Computational and
    Graphical Statistics 31, 2022, 486-501.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import EESPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> EESPCA(1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    threshold: float | None = None
    refit: bool = False

    _parameter_constraints = SHARED | {"threshold": [None, number()]}

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        self._only_one("n_nonzero", "threshold")
        least = default_threshold(moments.n_features) if self.threshold is None else self.threshold
        counts = None
        if self.n_nonzero is not None:
            counts = per_component(self.n_nonzero, self.n_components, "n_nonzero")

        def find(rest: SecondMoments, j: int) -> Component:
            a = entries(rest)
            w = unit(np.where(np.abs(a) < (1.0 - TIE) * least, 0.0, a) if counts is None else top_k(a, counts[j]))
            component = Component(w, rest.quadratic(w))
            if self.refit:
                component = refitted(rest, component)
            return component._replace(objective=rest.quadratic(component.loading))

        yield from self._one_by_one(moments, find)


def entries(moments: SecondMoments) -> Array:
    """Return the unit vector of ``sign(v_i) sqrt(1 - m_i / l)``."""
    values, vectors = moments.principal(1)
    v, features = vectors[:, 0], np.flatnonzero(vectors[:, 0])
    shares = np.zeros(len(v))
    for part in np.array_split(features, len(features) // AT_ONCE + 1):
        shares[part] = 1.0 - without_each(moments, v, part) / values[0]
    return unit(np.sign(v) * np.sqrt(np.maximum(shares, 0.0)))


def without_each(moments: SecondMoments, v: Array, features: Indices) -> Array:
    """Return nearly the largest eigenvalue of S without each of some features."""
    W = np.tile(v[:, None], len(features))
    columns = np.arange(len(features))
    W[features, columns] = 0.0
    for _ in range(STEPS):
        W = moments.matvec(unit_columns(W))
        W[features, columns] = 0.0
    W = unit_columns(W)
    return np.asarray(np.einsum("ij,ij->j", W, moments.matvec(W)))
