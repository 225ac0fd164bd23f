"""SCA: the basis of a subspace that is sparse after a rotation, shrunk by one threshold for all loadings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, components, polar, through_scores, unit_columns, with_variances
from spcabench_methods.core.constraints import SHARED, number, words
from spcabench_methods.core.l1_ball import excess
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.rotation.varimax import rotated
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k

ROTATION_TOL, ROTATION_STEPS = 1e-10, 1000
"""A rotation ends when its criterion grows by no more than this share, or after so many steps."""


@dataclass(eq=False, repr=False, kw_only=True)
class SCA(MomentComponents):
    """Sparse component analysis.

    Centred X of n samples is approximated by Z B Y', where Z (n, r) has orthogonal columns, B is any matrix, and Y
    (d, r) is orthogonal up to shrinkage and sparse in a rotated basis: its magnitudes sum to gamma at most, in all.
    From the leading eigenvectors as Y, each iteration takes the orthogonal scores nearest to X Y as Z, the orthogonal
    matrix nearest to X'Z, its varimax rotation, and shrinks all entries of that by one soft threshold, so that their
    magnitudes sum to gamma.  With "l0" the gamma largest entries stay as they are instead.  Z is not sparse, and its
    rotation does not matter: X'Z is S Y (Y'SY)^(-1/2), up to a rotation and a factor, with S = X'X/n.  Components are
    in the order of the variances of X Y.

    An iteration costs O(d^2 r) once S is formed in O(n d^2), or O(n d r) where there are far more features than
    samples, and O(d r^2 + r^3) for each step of the rotation.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    gamma : float or None, default=None
        At least 1.  What the magnitudes of all entries may sum to, from r to r sqrt(n_features); with "l0" how many
        entries stay.  None, if `shrinkage` is None too: sqrt(r n_features), or with "l0" r sqrt(n_features).
    shrinkage : float or None, default=None
        From 0 to 1, instead of `gamma`: how far that lies from r sqrt(n_features), where nothing is shrunk, to r; with
        "l0" from r n_features to r.
    truncation : {"l1", "l0"}, default="l1"
        A soft threshold, or the largest entries.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support.
    tol : float, default=1e-5
        At least 0.  Stop when the largest changes of an entry of each unit loading sum to no more.
    max_iter : int, default=1000
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds the variances w'Sw of the unit loadings before they are refitted.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    F. Chen and K. Rohe, A new basis for sparse principal component analysis, Journal of Computational and Graphical
    Statistics 33, 2023, 421-434, and the vignette of the authors' R package epca.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import SCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> SCA(n_components=2, gamma=2.2, covariance="precomputed").fit(S).components_.round(2)
    array([[0.71, 0.71, 0.  ],
           [0.  , 0.  , 1.  ]])
    """

    gamma: float | None = None
    shrinkage: float | None = None
    truncation: str = "l1"
    refit: bool = False
    tol: float = 1e-5
    max_iter: int = 1000

    _parameter_constraints = SHARED | {
        "gamma": [None, number(1)],
        "shrinkage": [None, number(0, 1, closed="both")],
        "truncation": [words("l1", "l0")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        d, r = moments.n_features, self.n_components
        level = self._level(d)
        values, vectors = moments.principal(r)
        found = Block(vectors[:, :0], np.zeros(0), 0, True)
        if rank := np.count_nonzero(values):
            found = self._iterated(moments, vectors[:, :rank], level)
        return components(moments, r, found, self.refit)

    def _level(self, d: int) -> float:
        """Return gamma."""
        self._only_one("gamma", "shrinkage")
        r, whole = self.n_components, math.sqrt(d) if self.truncation == "l1" else float(d)
        if self.shrinkage is not None:
            return r * (whole - self.shrinkage * (whole - 1.0))
        if self.gamma is not None:
            return self.gamma
        return math.sqrt(r * d) if self.truncation == "l1" else r * math.sqrt(d)

    def _iterated(self, moments: SecondMoments, Y: Array, level: float) -> Block:
        """Rotate and shrink until the loadings settle; a loading of which nothing is left drops out."""
        W = Y
        for n_iter in range(1, self.max_iter + 1):
            nearest = polar(through_scores(moments, Y))
            nearest[moments.diagonal == 0.0] = 0.0  # not the rounding errors of the decomposition
            turned = rotated(nearest, 1.0, ROTATION_TOL, ROTATION_STEPS).W
            Y = soft(turned, excess(turned, level)) if self.truncation == "l1" else largest_entries(turned, level)
            Y = Y[:, Y.any(axis=0)]
            W, old = unit_columns(Y), W
            if W.shape == old.shape and np.abs(W - old).max(axis=0).sum() <= self.tol:
                return ordered(moments, Y, n_iter, True)
        return ordered(moments, Y, self.max_iter, False)


def ordered(moments: SecondMoments, Y: Array, n_iter: int, converged: bool) -> Block:
    """Return unit loadings in the order of the variances that they explain before they have unit length."""
    variances = np.array([moments.quadratic(y) for y in Y.T])
    return with_variances(moments, unit_columns(Y[:, np.argsort(-variances, kind="stable")]), n_iter, converged)


def largest_entries(Y: Array, count: float) -> Array:
    """Keep so many entries, rounded to a whole number; of tied ones those of the first features."""
    return np.asarray(top_k(Y.ravel(), round(count)).reshape(Y.shape))
