"""RTPM: the truncated power method from every coordinate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.alternating.climb import FORMULATIONS, climb
from spcabench_methods.core.base import Component, best_of
from spcabench_methods.core.constraints import SHARED
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated

AT_ONCE = 256
"""Starts in one product of matrices."""


@dataclass(eq=False, repr=False, kw_only=True)
class RTPM(Deflated, Counted):
    """Restarted truncated power method: the steps of `TPower` from every coordinate.

    Each loading is a local solution of: maximise w'Sw subject to ||w|| = 1 and at most k nonzeros, where
    S = X'X/n of centred X.  From the unit vector of each feature that varies, w becomes the k largest entries of S w,
    scaled to unit length, as long as w'Sw grows; of all ends the one of largest w'Sw is kept.  Methods that look at
    variances, at large covariances or at one start may be led astray by features outside the support, whatever the
    number of samples; the paper proves that with enough samples the best of these ends is not.  The next component is
    by default sought in P S P with P = I - w w'.

    A step of all d starts costs O(k d^2) once S is formed in O(n d^2), or O(n d^2) where there are far more features
    than samples.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.
    tol : float, default=1e-6
        At least 0.  A start is done when w'Sw grows by no more than this share.
    max_iter : int, default=200
        At least 1.  The most steps from a start.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What is removed before the next component is sought; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'Sw with the deflated S; iterations are those from the start that led to the best end.  Others: see
        `SparseComponents`.

    Notes
    -----
    The paper takes fresh samples in each step, for its proof, and more nonzeros than the component sought has.  Here
    each step takes all samples, and k is what the user asks for.  The steps are those that a public account of
    algorithm 1 states.

    References
    ----------
    S. Kumar, P. Sarkar, K. Tian and P. Zhang, Combinatorial sparse PCA beyond the spiked identity model, International
    Conference on Machine Learning, 2026, arXiv:2603.02607, algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import RTPM
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 4.5]])
    >>> RTPM(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    tol: float = 1e-6
    max_iter: int = 200

    _parameter_constraints = SHARED

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)

        def find(rest: SecondMoments, j: int) -> Component:
            (varying,) = np.nonzero(rest.diagonal)
            parts = np.array_split(varying, -(-len(varying) // AT_ONCE))
            formulation = FORMULATIONS["l0", "constrained"]
            return best_of(
                climb(rest.matvec, formulation, counts[j], rest.columns(part), self.tol, self.max_iter)
                for part in parts
            )

        yield from self._one_by_one(moments, find)
