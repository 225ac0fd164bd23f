"""COP-PCA: the coordinate-pairwise algorithm, which follows the solution path from dense to sparse."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.checks import warn
from spcabench_methods.core.constraints import SHARED, whole, words
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.moments import Data, Gram, SecondMoments
from spcabench_methods.core.parameters import Counted, Deflated, Started
from spcabench_methods.greedy.polish import polish_of, polished
from spcabench_methods.path.pair_steps import follow
from spcabench_methods.path.solution_path import SolutionPath

NEGLIGIBLE = 1e-12
"""Smaller entries of the start count as zero, and a shorter path has no steps."""


@dataclass(eq=False, repr=False, kw_only=True)
class COPPCA(Deflated, Started, Counted):
    """Coordinate-pairwise sparse principal components, with the solution path of each.

    With S = X'X/n of centred X and c the l1 norm of a dense unit vector, by default the leading eigenvector, the
    path holds approximate solutions, for s from 1 to c^2, of: maximise w'Sw subject to w'w <= s and
    ||w||_1 <= c.  Scaled to unit length they solve the problem with ||w|| <= 1 and ||w||_1 <= c / sqrt(s)
    instead: from the dense loading to one with a single nonzero.  A step lets one entry grow in magnitude and a
    smaller one shrink by the same amount eta, such that w'w grows by epsilon = (c^2 - 1) / n_steps and ||w||_1
    stays; an entry that would change its sign becomes zero instead.  It takes the pair for which w'Sw grows most.
    The next component is by default found in P S P with P = I - w w'.

    A step costs O(n_candidates^2 + d) once S is formed in O(n d^2), or O(n_candidates^2 n) on the samples
    if there are more than twice as many features as samples; sparse samples are made dense for that.  The whole path
    has at most n_steps + d - 1 steps.

    Parameters
    ----------
    n_components : int, default=2
        From 1 to n_features.
    n_nonzero : int, list of int or None, default=None
        Nonzeros k of a component, at least 1, one number or one per component; n_features or more: no
        truncation. None: the square root of n_features, rounded up.  The component is the first loading on the path
        with k nonzeros.
    n_steps : int, default=1000
        At least 1.  How many steps of full length the path has.  With fewer than 10 n_features most steps drop a
        feature, and `fit` warns that they are coarse.
    n_candidates : int or None, default=10
        At least 1.  How many of the largest entries may grow, and how many of the smallest may shrink; None: all,
        which costs O(k^2) a step for k nonzeros.
    rank : {"full", "amended"}, default="full"
        Compare pairs by the gain of a full step, as published, or by the gain of a step that stops at zero.
    refit : bool, default=True
        Replace each loading by the leading eigenvector of S on its support.
    polish : bool or None, default=False
        True: exchange single features of the support until no exchange explains more.  None: make only exchanges that
        cost little.  False: none.  After exchanges a loading is the leading eigenvector on its support; the
        paths stay as they are.
    init : {"pca", "ones", "max_variance", "random"} or array, default="pca"
        The start of each path: the leading eigenvector, as published; or for the other starts in
        `spcabench_methods.core.starts` where one step of the power method leads from them, S w, so that it is dense.
        They need no eigenvectors, and may lead to other loadings if eigenvalues are close.
    n_init : int, default=1
        At least 1.  Random starts of a component; the loading of largest variance is kept.
    whole_path : bool, default=True
        Follow each path down to one nonzero, or stop at k.
    deflation : {"projection", "schur", "gsd"}, default="projection"
        What to remove before the search for the next component: the direction of w, all that the score X w explains, or
        the direction of the part of w orthogonal to earlier loadings; see `by_deflation`.
    covariance : {None, "precomputed"}, default=None
        With "precomputed" `fit` takes the matrix S instead of samples.
    random_state : int, RandomState, Generator or None, default=None
        For random starts.

    Attributes
    ----------
    components_, mean_, n_iter_, n_iter_per_component_, objective_, converged_, n_nonzero_
        See `SparseComponents`; `objective_` holds w'Sw with the deflated S, iterations are the steps made.
    explained_variance_, explained_variance_ratio_, cpev_
        See `SparseComponents`.
    path_ : list of SolutionPath or None, length n_components
        The path of each component, not refitted; None if nothing was left to explain.

    References
    ----------
    D. Meng, H. Cui, Z. Xu and K. Jing, Following the entire solution path of sparse principal component
    analysis by coordinate-pairwise algorithm, Data and Knowledge Engineering 88, 2013, 25-36: model (4),
    steps (8) and (9), gain (10), algorithm 1, candidates of section 2.4.

    Examples
    --------
    >>> import numpy as np
    >>> from spcabench_methods import COPPCA
    >>> S = np.array([[4.0, 2.0, 0.1], [2.0, 4.0, 0.1], [0.1, 0.1, 1.0]])
    >>> cop = COPPCA(n_components=1, n_nonzero=2, covariance="precomputed").fit(S)
    >>> cop.components_.round(3)
    array([[0.707, 0.707, 0.   ]])
    >>> cop.path_[0].at_cardinality(1)
    array([1., 0., 0.])
    """

    n_steps: int = 1000
    n_candidates: int | None = 10
    rank: str = "full"
    refit: bool = True
    polish: bool | None = False
    whole_path: bool = True

    _parameter_constraints = SHARED | {
        "n_steps": [whole(1)],
        "n_candidates": [None, whole(1)],
        "rank": [words("full", "amended")],
        "whole_path": ["boolean"],
    }
    _gram_ratio = 2.0

    def _components(self, moments: SecondMoments) -> Iterator[Component]:
        d = moments.n_features
        counts = self._counts(d)
        self._warn_of_coarse_steps(d)
        paths: list[SolutionPath | None] = []
        starts, polish = self._starts(d), polish_of(self.polish, by_default=True)

        def follow_from(rest: SecondMoments, w: Array, k: int) -> tuple[SolutionPath, Component]:
            stop = 1 if self.whole_path else k
            dense = w if starts.word == "pca" else unit(rest.matvec(w))
            path = pairwise_path(rest, dense, stop, self.n_steps, self.n_candidates or d, self.rank == "amended")
            component = Component(path.at_cardinality(k), 0.0, max(path.n_steps, 1))
            if self.refit:
                component = refitted(rest, component)
            return path, component._replace(objective=rest.quadratic(component.loading))

        def find(rest: SecondMoments, j: int) -> Component:
            ends = [follow_from(rest, w, counts[j]) for w in starts.vectors(rest, j)]
            path, component = max(ends, key=lambda end: end[1].objective)
            paths.append(path)
            return polished(rest, component, polish)

        yield from self._one_by_one(moments, find)
        self.path_ = paths + [None] * (self.n_components - len(paths))

    def _warn_of_coarse_steps(self, d: int) -> None:
        if self.n_steps < 10 * d:
            message = f"n_steps is {self.n_steps}, coarse for {d} features; {10 * d} or more follow the path closely"
            warn(message)


def pairwise_path(moments: SecondMoments, dense: Array, stop: int, n_steps: int, m: int, amended: bool) -> SolutionPath:
    """Follow the path from a dense unit vector until `stop` nonzeros are left."""
    start = np.where(np.abs(dense) < NEGLIGIBLE, 0.0, dense)
    size = np.abs(start)
    length = float(size.sum()) ** 2 - float(size @ size)
    order = np.lexsort((-np.arange(len(size)), size))[np.count_nonzero(size == 0.0) :]
    limit = n_steps + len(size) if length > NEGLIGIBLE else 0
    pairs, lengths, s, V, nnz = follow(
        rows(moments),
        isinstance(moments, Gram),
        moments.diagonal,
        start,
        order,
        length / n_steps,
        m,
        stop,
        amended,
        limit,
    )
    return SolutionPath(start, pairs, lengths, s, V, nnz)


def rows(moments: SecondMoments) -> Array:
    """Return S, or the transposed samples over sqrt(n): what the compiled steps work on."""
    if isinstance(moments, Data):
        features = moments.transposed()
        features /= math.sqrt(features.shape[1])
        return features
    assert isinstance(moments, Gram)
    return np.ascontiguousarray(moments.S)
