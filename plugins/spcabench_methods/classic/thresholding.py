"""Simple thresholding: the small entries of the loadings of principal component analysis set to zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted
from spcabench_methods.truncations.contract import default_threshold
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.top_k import top_k


@dataclass(eq=False, repr=False, kw_only=True)
class SimpleThresholding(MomentComponents, Counted):
    """Simple thresholding of the loadings of principal component analysis.

    All loadings come from one principal component analysis, without deflation.  In each of them the entries not
    larger than `threshold` in magnitude, or all but the `n_nonzero` largest, are set to zero, and the loading is
    scaled to unit length.  There is no objective; it is the baseline that a sparse method has to beat.

    The cost is O(n d min(n, d)) of principal component analysis, and O(d r) of the truncation of r loadings.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no
        truncation. Among tied entries those with the smallest index stay.
    threshold : float or None, default=None
        At least 0, for the entries of unit vectors.  None: 1/sqrt(n_features), the largest threshold below which every
        unit vector (except a uniform one) keeps an entry.  Set only one of `n_nonzero` and `threshold`.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S = X'X/n of centred X instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        The variances w'Sw.  Others: see `SparseComponents`.

    References
    ----------
    J. Cadima and I. T. Jolliffe, Loadings and correlations in the interpretation of principal components,
    Journal of Applied Statistics 22, 1995, 203-214.
    Z. Hu, G. Pan, Y. Wang and Z. Wu, Sparse principal component analysis via rotation and truncation, IEEE Transactions
    on Neural Networks and Learning Systems 27, 2016, 875-890: restated in section 2, and in section 3.3 as the first
    iteration of algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SimpleThresholding
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> SimpleThresholding(1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    threshold: float | None = None
    refit: bool = False

    _parameter_constraints = SHARED | {"threshold": [None, number()]}

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        self._only_one("n_nonzero", "threshold")
        vectors = moments.principal(self.n_components)[1].T
        for w in self._truncated(vectors):
            loading = moments.leading(np.flatnonzero(w)) if self.refit and w.any() else unit(w)
            yield Component(loading, objective=moments.quadratic(loading), n_iter=int(w.any()))

    def _truncated(self, vectors: Array) -> Iterator[Array]:
        if self.n_nonzero is not None:
            counts = per_component(self.n_nonzero, self.n_components, "n_nonzero")
            return (top_k(v, k) for v, k in zip(vectors, counts, strict=True))
        threshold = default_threshold(vectors.shape[1]) if self.threshold is None else self.threshold
        return (hard(v, threshold) for v in vectors)
