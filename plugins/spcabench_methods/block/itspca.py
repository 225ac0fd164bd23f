"""ITSPCA: orthogonal iteration with thresholds, for the sparse subspace of a spiked model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spcabench_methods.core.arrays import Array, Indices, spread
from spcabench_methods.core.arrays import largest as largest_entries
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, components, largest, polar, unit_columns, with_variances
from spcabench_methods.core.constraints import SHARED, number, starts, whole, words
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.moments import Gram, SecondMoments
from spcabench_methods.core.parameters import Started
from spcabench_methods.core.samples import Samples
from spcabench_methods.core.streamed import Stream
from spcabench_methods.truncations import thresholds
from spcabench_methods.truncations.contract import Rule


@dataclass(eq=False, repr=False, kw_only=True)
class ITSPCA(MomentComponents, Started):
    """Sparse principal component analysis by iterative thresholding.

    In the model, samples are noise of one variance for all features plus a signal in few directions that only
    few features take part in.  The span of these directions is estimated: T = S Q, with S = X'X/n in units of the
    noise variance, entries of column j not larger than g_j set to zero (or shrunk), and Q an orthonormal basis of
    the columns of T, in their order.  Noise variance is the median variance of the features that vary.  The start
    are the leading eigenvectors, with eigenvalues l_j, on the features of variance at least
    ``1 + alpha sqrt(log(max(d, n))/n)``, or on the r features of largest variance if these are fewer, or on all if
    these have not r eigenvectors; and
    ``g_j = gamma sqrt(max(l_j, 1) log(max(d, n))/n)``.  As Q mixes the columns of T, it is rows of Q that are zero:
    all components share about one support.  A column without entries above its threshold becomes zero for good.

    An iteration costs O(d^2 r) for r components once S is formed in O(n d^2), or O(n d r) where there are far more
    features than samples, and O(d r^2).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    gamma : float, default=1.5
        At least 0; 0 is orthogonal iteration, which ends in the span of the leading eigenvectors.  It has no unit, nor
        has `alpha`: S is in units of the noise variance.
    alpha : float, default=3.0
        At least 0.
    init : {"published", "ones", "pca", "max_variance", "random"} or array, default="published"
        The start, orthonormalised: "published" as above; for the others see `spcabench_methods.core.starts`.
    n_init : int, default=1
        At least 1.  Random starts; the end of largest variance is kept.
    truncation : str, default="hard"
        What the thresholds do: "hard", "soft", "scad", or another of `spcabench_methods.truncations`, by its name.
    n_samples : int or None, default=None
        How many samples S comes from, at least 2.  None: as many as are given; needed with a covariance.
    tol : float or None, default=None
        At least 0.  Stop when the sine of the largest angle between the span and the one before is not larger.
        None: 1/n.
    max_iter : int, default=1000
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples, and `n_samples` must be given.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        The variances q'Sq.  Others: see `SparseComponents`.
    n_samples_ : int
        How many samples S comes from.

    References
    ----------
    Z. Ma, Sparse principal component analysis and iterative thresholding, Annals of Statistics 41, 2013, 772-801:
    algorithms 1 and 2.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import ITSPCA
    >>> S = np.diag([1.0, 1.0, 1.0, 1.0, 1.0])
    >>> S[:2, :2] += 4.0
    >>> ITSPCA(n_components=1, n_samples=100, covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   , 0.   , 0.   ]])
    """

    gamma: float = 1.5
    alpha: float = 3.0
    init: str | ArrayLike = "published"
    truncation: str = "hard"
    n_samples: int | None = None
    tol: float | None = None
    max_iter: int = 1000

    _parameter_constraints = SHARED | {
        "gamma": [number()],
        "alpha": [number()],
        "init": starts("published"),
        "truncation": [words(*(t.name for t in thresholds().values()))],
        "n_samples": [None, whole(2)],
        "tol": [None, number()],
    }

    def _read(self, X: NDArray[np.floating], mean: Array) -> tuple[Array, Any, Samples | SecondMoments]:
        if self.covariance == "precomputed" and self.n_samples is None:
            raise ValueError("n_samples is None; valid with covariance='precomputed' is a whole number from 2")
        self.n_samples_ = self.n_samples or X.shape[0]
        return super()._read(X, mean)

    def _streamed(self, stream: Stream) -> Gram:
        self.n_samples_ = self.n_samples or stream.n
        return super()._streamed(stream)

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        d, r, n = moments.n_features, self.n_components, self.n_samples_
        varying = moments.diagonal > 0.0
        noise = float(np.median(moments.diagonal[varying])) if varying.any() else 1.0
        error = np.sqrt(np.log(max(d, n)) / n)
        features = promising(moments.diagonal, noise * (1.0 + self.alpha * error), r)
        values, vectors = moments.restricted(features).principal(r)
        if np.count_nonzero(values) < r:
            features = np.arange(d)
            values, vectors = moments.principal(r)
        rank = np.count_nonzero(values)
        V = spread(vectors[:, :rank], features, d)
        levels = self.gamma * error * np.sqrt(noise * np.maximum(values[:rank], noise))
        tol = 1.0 / n if self.tol is None else self.tol
        best = Block(V, np.zeros(0), 0, True)
        if rank:
            rule = next(t for t in thresholds().values() if t.name == self.truncation)
            starts = self._first_blocks(moments, V)
            best = largest(iterated(moments, Q, rule, levels, tol, self.max_iter) for Q in starts)
        return components(moments, r, best)

    def _first_blocks(self, moments: SecondMoments, published: Array) -> list[Array]:
        """Return matrices of orthonormal columns to start from."""
        if isinstance(self.init, str) and self.init == "published":
            return [published]
        vectors = moments.principal(published.shape[1])[1]
        return [polar(W) for W in self._starts(moments.n_features).blocks(moments, vectors)]


def promising(variances: Array, least: float, r: int) -> Indices:
    """Return the features of variance at least `least`, or the r of largest variance if these are fewer."""
    enough = np.flatnonzero(variances >= least)
    return enough if len(enough) >= r else largest_entries(variances, r)


def iterated(moments: SecondMoments, Q: Array, rule: Rule, levels: Array, tol: float, max_iter: int) -> Block:
    """Repeat ``T = rule(S Q)``, ``Q = basis(T)`` until the span settles; return Q and the variances."""
    for n_iter in range(1, max_iter + 1):
        old, SQ = Q, moments.matvec(Q)
        T = np.column_stack([rule(t, g) for t, g in zip(SQ.T, levels, strict=True)])
        Q = orthonormal_basis(unit_columns(T))
        turned = old - Q @ (Q.T @ old)
        if np.linalg.eigvalsh(turned.T @ turned)[-1] <= tol * tol:
            return with_variances(moments, Q, n_iter, True)
    return with_variances(moments, Q, max_iter, False)
