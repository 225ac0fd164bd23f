"""The ascent of alternating maximisation, from many starts at once, with one matrix product per step."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, unit
from spcabench_methods.core.base import Component
from spcabench_methods.core.l1_ball import bounded_unit
from spcabench_methods.core.signs import first_largest
from spcabench_methods.truncations.hard import hard
from spcabench_methods.truncations.soft import soft
from spcabench_methods.truncations.top_k import top_k


class Formulation(NamedTuple):
    """A way to make loadings sparse; the meaning of its `level` depends on the formulation.

    Parameters
    ----------
    truncate : callable
        ``truncate(v, level)`` returns the best loading, of any length, where ``v'w`` is the variance of w.
    objective : callable
        ``objective(f, W, level)`` of the variances f of the unit columns of W, not squared.
    """

    truncate: Callable[[Array, float], Array]
    objective: Callable[[Array, Array, float], Array]


def _variance(f: Array, W: Array, level: float) -> Array:
    return f


def _less_cardinality(f: Array, W: Array, level: float) -> Array:
    return np.asarray(f**2 - level**2 * np.count_nonzero(W, axis=0))


def _less_magnitudes(f: Array, W: Array, level: float) -> Array:
    return np.asarray(f - level * np.abs(W).sum(axis=0))


FORMULATIONS = {
    ("l0", "constrained"): Formulation(lambda v, k: top_k(v, int(k)), _variance),
    ("l1", "constrained"): Formulation(bounded_unit, _variance),
    ("l0", "penalised"): Formulation(hard, _less_cardinality),
    ("l1", "penalised"): Formulation(soft, _less_magnitudes),
}


def climb(
    gradient: Callable[[Array], Array], formulation: Formulation, level: float, V: Array, tol: float, max_iter: int
) -> Component:
    """Repeat ``W = truncated V``, ``V = gradient(W)`` from each column of V until its objective settles.

    Parameters
    ----------
    gradient : callable
        Returns for the columns of W the columns v with ``v'w`` their variance.
    formulation : Formulation
        What is maximised.
    level : float
        The level of the formulation.
    V : ndarray of shape (n_features, n_starts)
        The gradients at the starts.
    tol : float
        A column is done when its objective grows by no more than this share.
    max_iter : int
        The most iterations.

    Returns
    -------
    Component
        The best result, the first on ties; it counts as converged only if all starts converged, see `best_of`.
    """
    loadings = np.zeros_like(V)
    objectives = np.full(V.shape[1], -np.inf)
    n_iters = np.full(V.shape[1], max_iter)
    running = np.arange(V.shape[1])
    for n_iter in range(1, max_iter + 1):
        W = np.column_stack([unit(formulation.truncate(v, level)) for v in V.T])
        V = gradient(W)
        reached = formulation.objective(np.einsum("ij,ij->j", W, V), W, level)
        settled = reached - objectives[running] <= tol * np.abs(reached)
        loadings[:, running], objectives[running] = W, reached
        n_iters[running[settled]] = n_iter
        running, V = running[~settled], V[:, ~settled]
        if not running.size:
            break
    best = first_largest(objectives - min(objectives.min(), 0.0))
    return Component(loadings[:, best], float(objectives[best]), int(n_iters[best]), not running.size)
