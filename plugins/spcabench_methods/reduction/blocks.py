"""Blocks of features that no large covariance connects."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse.csgraph import connected_components

from spcabench_methods.core.arrays import Array, Indices


def blocks_above(S: Array, eps: float) -> list[Indices]:
    """Return the connected features of the graph with an edge where ``|S_ij| > eps``, each ascending."""
    n_blocks, labels = connected_components(np.abs(S) > eps, directed=False)
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.searchsorted(labels[order], np.arange(1, n_blocks)))


def smallest_eps(S: Array, max_block: int) -> float:
    """Return the smallest eps with no block of more than `max_block` features.

    Blocks merge as eps falls: it is the magnitude of the covariance that would make the first block too large, 0 if
    there is none.
    """
    if len(S) <= max_block:
        return 0.0
    merges = linkage(-np.abs(S[np.triu_indices(len(S), 1)]), method="single")
    too_large = merges[:, 3] > max_block
    return -float(merges[too_large.argmax(), 2])
