"""Varimax and quartimax: rotate the leading eigenvectors so that entries are either large or small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, spread, unit
from spcabench_methods.core.arrays import largest as largest_entries
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.blocks import Block, largest, polar
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, number, words
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.parameters import Counted, Started
from spcabench_methods.truncations.hard import hard

GAMMA = {"varimax": 1.0, "quartimax": 0.0}


@dataclass(eq=False, repr=False, kw_only=True)
class Rotation(MomentComponents, Started, Counted):
    """Rotated loadings of principal component analysis.

    With the leading eigenvectors of S = X'X/n as columns of V (d, r), the loadings are the columns of L = V R, where
    the orthogonal matrix R is a local maximum of ``sum_j [mean_i L_ij^4 - gamma (mean_i L_ij^2)^2]``, with gamma = 1
    for "varimax", the variance of the squared entries, and gamma = 0 for "quartimax".  The span, and so the
    variance in it, stays that of the eigenvectors.  R becomes the orthogonal factor of the polar decomposition of
    ``V'(L^3 + (gamma/d) L diag(s - |l_j|^2))``, powers entrywise, s the largest squared length of a column of V.
    The term with s makes a convex function of the criterion and changes it by a constant, so that no step lowers
    it.  Of unit eigenvectors the two criteria differ by a constant, and lead to the same loadings; of ``scaled`` ones
    they do not.  Components are in the order of the variances they explain.  A rotation writes no zeros: with
    `n_nonzero` or `threshold` small entries are set to zero afterwards.

    An iteration costs O(d r^2 + r^3).

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros that stay of a component, at least 1, one number or one per component; n_features or more, or
        None: all.  Of tied entries those with the smallest index stay.
    threshold : float or None, default=None
        At least 0.  Entries of the unit loadings not larger than it in magnitude become zero.  Only one of
        `n_nonzero` and `threshold` can be given.
    criterion : {"varimax", "quartimax"}, default="varimax"
        What the rotation maximises.
    scaled : bool, default=False
        Rotate the eigenvectors scaled by the square roots of their eigenvalues; the scores of scaled components
        are uncorrelated before, and the loadings are orthogonal no more after the rotation.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start: the rotation of V closest to the vectors in `spcabench_methods.core.starts`; with "pca" V itself.
    n_init : int, default=1
        At least 1.  Random starts; the end of largest criterion is kept.
    refit : bool, default=False
        Replace each loading by the leading eigenvector of S on its support, if that was truncated.
    tol : float, default=1e-6
        At least 0.  Stop when the criterion grows by no more than this share.
    max_iter : int, default=500
        At least 1.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds what each column adds to the criterion, before truncation.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.

    References
    ----------
    I. T. Jolliffe, Rotation of principal components: choice of normalization constraints, Journal of Applied
    Statistics 22, 1995, 29-35.
    H. F. Kaiser, The varimax criterion for analytic rotation in factor analysis, Psychometrika 23, 1958, 187-200.
    I. T. Jolliffe, Principal Component Analysis, second edition, Springer, 2002: equation (7.2.2) restates the varimax
    criterion, there d times as large; section 11.1 is about the rotation of components.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import Rotation
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> Rotation(n_components=2, n_nonzero=[2, 1], covariance="precomputed").fit(S).components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    threshold: float | None = None
    criterion: str = "varimax"
    scaled: bool = False
    refit: bool = False
    tol: float = 1e-6
    max_iter: int = 500

    _parameter_constraints = SHARED | {
        "threshold": [None, number()],
        "criterion": [words("varimax", "quartimax")],
        "scaled": ["boolean"],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        self._only_one("n_nonzero", "threshold")
        d, r = moments.n_features, self.n_components
        counts = per_component(d if self.n_nonzero is None else self.n_nonzero, r, "n_nonzero")
        values, vectors = moments.principal(r)
        rank = np.count_nonzero(values)
        V = vectors[:, :rank] * (np.sqrt(values[:rank]) if self.scaled else 1.0)
        gamma = GAMMA[self.criterion]
        best = Block(V, np.zeros(0), 0, True)
        if rank:
            starts = self._starts(d)
            turned = [V]
            if starts.word != "pca":
                turned = [V @ polar(V.T @ W) for W in starts.blocks(moments, vectors[:, :rank])]
            best = largest(rotated(L, gamma, self.tol, self.max_iter) for L in turned)
        L, objectives = best.W, best.objectives
        W = np.column_stack([*map(unit, L.T)]) if rank else L
        variances = np.array([moments.quadratic(w) for w in W.T])
        for j, k in zip(np.argsort(-variances, kind="stable"), counts, strict=False):
            w = largest_kept(W[:, j], k) if self.threshold is None else hard(W[:, j], self.threshold)
            component = Component(unit(w), objectives[j], best.n_iter, best.converged)
            truncated = np.count_nonzero(w) < np.count_nonzero(W[:, j])
            yield refitted(moments, component) if self.refit and truncated else component
        yield from [Component(np.zeros(d), objective=0.0, n_iter=0)] * (r - rank)


def largest_kept(w: Array, k: int) -> Array:
    """Set all entries to zero but the k of largest magnitude, of those that tie the first."""
    places = largest_entries(np.abs(w), k)
    return spread(w[places], places, len(w))


def rotated(V: Array, gamma: float, tol: float, max_iter: int) -> Block:
    """Rotate the columns until the criterion settles; return them and what each adds to the criterion."""
    d = len(V)
    longest = float((V**2).sum(axis=0).max())
    L, criterion = V, float(criteria(V, gamma).sum())
    for n_iter in range(1, max_iter + 1):
        squares = L**2
        R = polar(V.T @ (L * (squares + gamma / d * (longest - squares.sum(axis=0)))))
        L, old = V @ R, criterion
        criterion = float(criteria(L, gamma).sum())
        if criterion - old <= tol * criterion:
            return Block(L, criteria(L, gamma), n_iter, True)
    return Block(L, criteria(L, gamma), max_iter, False)


def criteria(L: Array, gamma: float) -> Array:
    """Return what each column adds to the criterion."""
    squares = L**2
    return np.asarray((squares**2).mean(axis=0) - gamma * squares.mean(axis=0) ** 2)
