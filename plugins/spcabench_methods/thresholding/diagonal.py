"""Diagonal thresholding: the leading eigenvector of the features of the largest variances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.checks import warn
from spcabench_methods.core.constraints import SHARED, number, whole, words
from spcabench_methods.core.default_starts import foremost
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.parameters import Counted
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.signs import first_largest
from spcabench_methods.core.streamed import Stream

DIGITS = 12
"""Scores tie if they agree to so many digits, relative to the largest."""


@dataclass(eq=False, repr=False, kw_only=True)
class DiagonalThresholding(MomentComponents, Counted):
    """Sparse principal components on the features of the largest variances.

    In a spiked model, unit noise and a few directions with more variance, the features of those directions have larger
    variances than the others.  So a support has the features of the `n_nonzero` largest variances S_jj, where S = X'X/n
    of centred X; or with `alpha` those with

        S_jj >= s (1 + alpha sqrt(log(max(n, d))/n)),

    where s is the median variance and d the number of features that vary.  The loading is the leading eigenvector of S
    on the support.  The variances of standardised data tie: of these features those with the largest entries of the
    leading eigenvector of S are chosen, with a warning.  The cost is O(n d), and O(k^3) for the eigenvectors on k
    features.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros of a component, at least 1, one number or one per component; n_features or more: no truncation.
        None, if `alpha` is None too: the square root of
        n_features, rounded up.
    alpha : float or None, default=None
        At least 0, instead of `n_nonzero`.  Where it chooses nothing, the feature of largest variance remains, with a
        warning.  The theory of the paper needs more than the square root of 12.
    noise : float or None, default=None
        At least 0.  The variance s; None: the median.
    n_samples : int or None, default=None
        At least 2.  The n of `alpha`; None: as many samples as `fit` takes.  It must be given with a covariance.
    deflation : {"projection", "schur", "gsd", None}, default="projection"
        What to remove before the search for the next component, see `by_deflation`.  None: the loadings are the leading
        eigenvectors on one support, that of the first.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    Notes
    -----
    The paper ends with a threshold on the entries of the eigenvectors, whose rule it leaves to the data; this estimator
    has none.

    References
    ----------
    I. M. Johnstone and A. Y. Lu, On consistency and sparsity for principal components analysis in high dimensions,
    Journal of the American Statistical Association 104, 2009, 682-693.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import DiagonalThresholding
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> DiagonalThresholding(n_components=1, n_nonzero=2, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    """

    alpha: float | None = None
    noise: float | None = None
    n_samples: int | None = None
    deflation: str | None = "projection"

    _parameter_constraints = SHARED | {
        "alpha": [None, number()],
        "noise": [None, number()],
        "n_samples": [None, whole(2)],
        "deflation": [None, words("projection", "schur", "gsd")],
    }

    def _read(self, X: Any, mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        self._count(X.shape[0])
        return super()._read(X, mean)

    def _streamed(self, stream: Stream) -> Gram:
        self._count(stream.n)
        return super()._streamed(stream)

    def _count(self, n_samples: int) -> None:
        self._only_one("n_nonzero", "alpha")
        if self.alpha is not None and self.covariance is not None and self.n_samples is None:
            raise ValueError(
                "n_samples is None; valid with alpha and covariance='precomputed' is a whole number from 2"
            )
        self._n = self.n_samples or n_samples

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)

        def find(rest: SecondMoments, j: int) -> Component:
            loading = rest.leading(self._support(rest, counts[j]))
            return Component(loading, rest.quadratic(loading))

        if self.deflation is not None:
            return by_deflation(moments, find, self.n_components, self.deflation)
        if len(set(counts)) > 1:
            raise ValueError("n_nonzero has different numbers; valid with deflation=None is one for all components")
        return self._jointly(moments, counts[0])

    def _jointly(self, moments: SecondMoments, k: int) -> Iterator[Component]:
        """Find all components on one support."""
        W = np.zeros((moments.n_features, self.n_components))
        if not moments.exhausted:
            support = self._support(moments, k)
            r = min(self.n_components, len(support))
            W[support, :r] = moments.restricted(support).principal(r)[1]
        for w in W.T:
            yield Component(w, moments.quadratic(w), n_iter=int(w.any()))

    def _support(self, moments: SecondMoments, k: int) -> Indices:
        variances = moments.diagonal
        if self.alpha is None:
            if undecided(variances, k):
                message = f"the {k} largest variances tie with others, so that the leading eigenvector decides"
                warn(message)
            return foremost(moments, k)
        varying = variances[variances > 0.0]
        noise = float(np.median(varying)) if self.noise is None else self.noise
        error = np.sqrt(np.log(max(self._n, len(varying))) / self._n)
        support = np.flatnonzero(variances >= noise * (1.0 + self.alpha * error))
        if len(support):
            return support
        warn("no variance is that far above the noise; the largest is taken")
        return np.array([first_largest(variances)])


def comparable(scores: Array) -> Array:
    """Return nonnegative scores relative to the largest, rounded."""
    return np.asarray(np.round(scores / (scores.max() or 1.0), DIGITS))


def largest(scores: Array, k: int) -> Indices:
    """Return where the k largest of nonnegative scores are, ascending; of those that tie the first."""
    return np.sort(np.argsort(-comparable(scores), kind="stable")[:k])


def undecided(scores: Array, k: int) -> bool:
    """Return whether the order of the features decides which of them are the k largest."""
    ordered = np.sort(comparable(scores))[::-1]
    return k < len(scores) and ordered[k - 1] == ordered[k] > 0.0
