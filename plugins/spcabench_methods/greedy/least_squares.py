"""LS-SPCA: sparse components that approximate the samples best, by least squares."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space

from spcabench_methods.core.arrays import EPS, TIE, Array, Indices, spread, unit
from spcabench_methods.core.base import Component, MomentComponents
from spcabench_methods.core.centred import slices
from spcabench_methods.core.checks import per_component
from spcabench_methods.core.constraints import SHARED, words
from spcabench_methods.core.deflation import by_deflation
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.explained import orthonormal_basis
from spcabench_methods.core.moments import SecondMoments, factor
from spcabench_methods.core.parameters import Counted
from spcabench_methods.core.samples import BLOCK
from spcabench_methods.greedy.leading_pair import bordered

DEPENDENT = 1e-10
"""A feature counts as a combination of others if they leave less than this share of its variance."""
ROUNDING = 1e-14
"""The relative rounding error that is left when the common part of features is subtracted."""


@dataclass(eq=False, repr=False, kw_only=True)
class LeastSquaresSPCA(MomentComponents, Counted):
    """Least squares sparse principal components.

    For centred X, scores t = X w and the scores before them approximate X best if w maximises the variance that t
    explains in all features, not the variance of t.  Let Q be the residual of X after the scores before t,
    R = Q'Q/n and S = X'X/n.  Each loading on a support of k features

    - "uncorrelated": maximises w'R R w / w'S w, the variance that t explains, subject to X w uncorrelated with the
      scores before it, which takes at least as many features as there are scores;
    - "correlated": maximises the same without that condition; t explains at least as much, as a part of it is
      explained already;
    - "projection": projects the leading principal component of Q on the features: its scores are those that
      regression on them predicts.

    Features are added one by one: the one with which regression predicts the leading principal component of Q
    best ("regression"), or the one with which the "correlated" maximum is largest ("variance"), for all
    candidates from one decomposition.  Of candidates that tie the first is added.  Scores tie if their difference may
    be a rounding error, which is large for a feature that others nearly explain; all candidates tie if one of them
    spans what is left of the others.

    A step of "regression" costs O(m d) with m = min(n, d), one of "variance" O(m d + k^2 d); a component O(m^2 d)
    besides, and the factor of S O(d^3).  With far more features than samples no factor is computed, but sparse
    samples are copied into a dense array, once.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no truncation,
        that is PCA.  Fewer features are used if these span all others.  For "uncorrelated" the j-th number must be at
        least j.  None: the square root of n_features, rounded up, or j if that is larger.
    variant : {"uncorrelated", "correlated", "projection"}, default="uncorrelated"
        How the loading on a support is defined.
    search : {"regression", "variance"}, default="regression"
        How features are chosen.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.

    Attributes
    ----------
    objective_ : ndarray of shape (n_components,)
        w'R R w / w'S w, iterations are the features added.  Others: see `SparseComponents`.

    Notes
    -----
    For "uncorrelated" the sum of `objective_` is the variance of X that the scores explain together, for the
    others a lower bound of it.

    References
    ----------
    G. M. Merola, Least squares sparse principal component analysis: a backward elimination approach to attain large
    loadings, Australian and New Zealand Journal of Statistics 57, 2015, 391-429: uncorrelated and correlated
    components, the methods "u" and "c" of the author's R package LSSPCA; here the features come from a forward search.
    G. M. Merola and G. Chen, Projection sparse principal component analysis: an efficient least squares method,
    Journal of Multivariate Analysis 173, 2019, 366-382: projection, method "p" there, and the search by regression.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import LeastSquaresSPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 3.0]])
    >>> pca = LeastSquaresSPCA(2, [2, 1], variant="correlated", covariance="precomputed").fit(S)
    >>> pca.components_.round(3)
    array([[0.707, 0.707, 0.   ],
           [0.   , 0.   , 1.   ]])
    """

    variant: str = "uncorrelated"
    search: str = "regression"

    _parameter_constraints = SHARED | {
        "variant": [words("uncorrelated", "correlated", "projection")],
        "search": [words("regression", "variance")],
    }

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        counts = self._counts(moments.n_features)
        A = factor(moments)
        scale = float(np.linalg.norm(A)) or 1.0
        A /= scale
        varying = np.flatnonzero(moments.diagonal)
        before: list[Array] = []

        def find(rest: SecondMoments, j: int) -> Component:
            U = orthonormal_basis(A @ np.column_stack([np.zeros((A.shape[1], 0)), *before]))
            K = products_beside(A, U)
            support = SEARCHES[self.search](A, K, counts[j]) if counts[j] < len(varying) else varying
            component = on_support(A, K, U, support, self.variant)
            before.append(component.loading)
            return component._replace(objective=scale**2 * component.objective)

        return by_deflation(moments, find, self.n_components, "schur")

    def _counts(self, d: int) -> list[int]:
        least = [j + 1 if self.variant == "uncorrelated" else 1 for j in range(self.n_components)]
        if self.n_nonzero is None:
            return [max(math.ceil(math.sqrt(d)), number) for number in least]
        counts = per_component(self.n_nonzero, self.n_components, "n_nonzero")
        for count, number in zip(counts, least, strict=True):
            if count < number:
                message = (
                    f"n_nonzero of component {number} is {count}; valid for uncorrelated scores is {number} or more"
                )
                raise ValueError(message)
        return counts


def products_beside(A: Array, U: Array) -> Array:
    """Return K = QQ' of the residual Q = A - UU'A, computed a block of features at a time."""
    K = np.zeros((len(A), len(A)))
    for block in feature_blocks(A):
        Q = A[:, block] - U @ (U.T @ A[:, block])
        K += Q @ Q.T
    return K


def feature_blocks(A: Array) -> Iterator[slice]:
    """Cut the features into blocks."""
    return slices(A.shape[1], max(1, BLOCK // len(A)))


def on_support(A: Array, K: Array, U: Array, support: Indices, variant: str) -> Component:
    """Return the loading on a support, the shortest of those with the same scores."""
    left, sizes, right = np.linalg.svd(A[:, support], full_matrices=False)
    kept = sizes > DEPENDENT * sizes[0]
    B = left[:, kept]
    t = unit(SCORES[variant](B, K, U))
    loading = spread(right[kept].T @ ((B.T @ t) / sizes[kept]), support, A.shape[1])
    return Component(unit(loading), float(t @ K @ t), len(support))


def largest_explained(B: Array, K: Array) -> Array:
    """Return the unit vector of scores in the span of the orthonormal columns of B that explains most of Q."""
    return np.asarray(B @ leading_eigenvectors(B.T @ K @ B, 1)[1][:, 0])


def uncorrelated_scores(B: Array, K: Array, U: Array) -> Array:
    """Return the scores that explain most among those orthogonal to U; zero if there are none."""
    free = null_space(U.T @ B) if U.size else np.eye(B.shape[1])  # scipy 1.12 takes no matrix without rows
    return largest_explained(B @ free, K) if free.size else np.zeros(len(B))


def projected_scores(B: Array, K: Array, U: Array) -> Array:
    """Project the leading principal component of Q."""
    return np.asarray(B @ (B.T @ leading_scores(K)))


SCORES = {
    "uncorrelated": uncorrelated_scores,
    "correlated": lambda B, K, U: largest_explained(B, K),
    "projection": projected_scores,
}


def leading_scores(K: Array) -> Array:
    """Return the scores of the leading principal component of Q, of unit length."""
    return leading_eigenvectors(K, 1)[1][:, 0]


class Span:
    """The span of the features added so far, and what it leaves of the variance of each feature.

    Attributes
    ----------
    features : list of int
        In the order in which they were added.
    B : ndarray of shape (m, number of features)
        An orthonormal basis of their scores.
    BA : ndarray of shape (number of features, n_features)
        ``B'A``.
    left : ndarray of shape (n_features,)
        The variance of each feature that they do not explain; 0 if it is all but explained.
    """

    def __init__(self, A: Array) -> None:
        self.A = A
        self.features: list[int] = []
        self.B, self.BA = np.empty((len(A), 0)), np.empty((0, A.shape[1]))
        self._squares = np.einsum("ij,ij->j", A, A)
        self.left = self._squares.copy()

    def add(self, i: int) -> Array:
        """Add a feature that is not in the span; return the new vector of the basis."""
        b = self.A[:, i] - self.B @ self.BA[:, i]
        b = unit(b - self.B @ (self.B.T @ b))
        self.features.append(i)
        self.B, self.BA = np.column_stack([self.B, b]), np.vstack([self.BA, b @ self.A])
        left = self.left - self.BA[-1] ** 2
        self.left = np.where(left > DEPENDENT * self._squares, left, 0.0)
        self.left[i] = 0.0
        return b

    @property
    def candidates(self) -> Indices:
        """The features that may be added."""
        return np.flatnonzero(self.left)

    @property
    def cancelled(self) -> Array:
        """How many times what is left is in the variance of each of `candidates`."""
        return np.asarray(self._squares[self.candidates] / self.left[self.candidates])

    @property
    def support(self) -> Indices:
        """The features, ascending."""
        return np.array(sorted(self.features))


def by_regression(A: Array, K: Array, k: int) -> Indices:
    """Add features until there are k or no others vary: with each, regression predicts the leading scores of Q best."""
    target = leading_scores(K)
    span = Span(A)
    products = target @ A
    while len(span.features) < k and span.left.any():
        candidates, lost = span.candidates, span.cancelled
        sizes = np.sqrt(shares(products[candidates] ** 2, span.left[candidates]))
        b = span.add(candidates[first_but_for(sizes, ROUNDING * (sizes * lost + np.sqrt(lost)))])
        products = products - (b @ target) * span.BA[-1]
    return span.support


def by_variance(A: Array, K: Array, k: int) -> Indices:
    """Add features until there are k or no others vary: with each, the best scores in their span explain most of Q."""
    span = Span(A)
    corners = np.concatenate([np.einsum("ij,ij->j", A[:, block], K @ A[:, block]) for block in feature_blocks(A)])
    BKA, M = np.empty((0, A.shape[1])), np.empty((0, 0))
    while len(span.features) < k and span.left.any():
        candidates = span.candidates
        G, H, left = span.BA[:, candidates], BKA[:, candidates], span.left[candidates]
        MG = M @ G
        inner = np.maximum(corners[candidates] - np.sum(G * (2.0 * H - MG), axis=0), 0.0) / left
        if span.features:
            values, vectors = np.linalg.eigh(M)
            squares = (vectors[:, ::-1].T @ (H - MG)) ** 2 / left
            inner = bordered(np.maximum(values[::-1], 0.0), squares.T, inner)
        b = span.add(candidates[first_but_for(inner, ROUNDING * inner * span.cancelled)])
        BKA = np.vstack([BKA, (b @ K) @ A])
        M = span.B.T @ K @ span.B
    return span.support


def first_but_for(values: Array, errors: Array) -> int:
    """Return the index of the largest of nonnegative `values`, the first of those within `errors` of it."""
    ceilings, floors = values * (1.0 + TIE) + errors, values - errors
    return int((ceilings >= floors.max()).argmax())


def shares(part: Array, whole: Array) -> Array:
    """Divide; 0 where there is nothing to divide by."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > EPS * whole.max())


SEARCHES = {"regression": by_regression, "variance": by_variance}
