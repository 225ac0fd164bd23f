"""Matrices with one column per component, for the methods that find all components together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import EPS, Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.deflation import refitted
from spcabench_methods.core.moments import SecondMoments


class Block(NamedTuple):
    """The result of a method for a block of components.

    Parameters
    ----------
    W : ndarray of shape (n_features, r)
        The loadings.
    objectives : ndarray of shape (r,)
        What each adds to the method's own objective.
    n_iter : int
    converged : bool
        False if the iterations ran out.
    """

    W: Array
    objectives: Array
    n_iter: int
    converged: bool


def with_variances(moments: SecondMoments, W: Array, n_iter: int, converged: bool) -> Block:
    """Return a block whose objectives are the variances w'Sw."""
    return Block(W, np.array([moments.quadratic(w) for w in W.T]), n_iter, converged)


def largest(ends: Iterable[Block], sign: float = 1.0) -> Block:
    """Return the block whose objectives have the largest sum, the first on ties.

    It counts as converged only if all blocks converged: one whose iterations ran out might have become the best.
    """
    ends = list(ends)
    best = max(ends, key=lambda end: sign * float(end.objectives.sum()))
    return best._replace(converged=all(end.converged for end in ends))


def smallest(ends: Iterable[Block]) -> Block:
    """Return the block whose objectives have the smallest sum likewise."""
    return largest(ends, -1.0)


def components(moments: SecondMoments, n_components: int, found: Block, refit: bool = False) -> Iterator[Component]:
    """Yield the loadings of a block, scaled, and zeros past them; with `refit` the best ones on their supports."""
    for w, objective in zip(unit_columns(found.W).T, found.objectives, strict=True):
        component = Component(w, objective, found.n_iter, found.converged)
        yield refitted(moments, component) if refit else component
    nothing = Component(np.zeros(moments.n_features), objective=0.0, n_iter=0)
    yield from [nothing] * (n_components - found.W.shape[1])


def polar(M: Array) -> Array:
    """Return the orthogonal matrix nearest to M, ``U V'`` of its singular value decomposition."""
    U, _, Vt = np.linalg.svd(M, full_matrices=False)
    return np.asarray(U @ Vt)


def through_scores(moments: SecondMoments, W: Array) -> Array:
    """Return X'Y/n for the scores Y nearest to X W among those with Y'Y = n I: ``S W (W'SW)^(-1/2)``.

    If X W does not have full rank, nor does Y.
    """
    SW = moments.matvec(W)
    values, vectors = np.linalg.eigh(W.T @ SW)
    full = values > len(values) * EPS * values[-1]
    root = (vectors[:, full] / np.sqrt(values[full])) @ vectors[:, full].T
    return np.asarray(SW @ root)


def unit_columns(W: Array) -> Array:
    """Scale columns to unit length; zero stays zero."""
    lengths = np.linalg.norm(W, axis=0)
    return np.asarray(W / np.where(lengths > 0.0, lengths, 1.0))
