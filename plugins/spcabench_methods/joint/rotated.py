"""Eigenvectors that are rotated towards their own truncations, from many rotations at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spcabench_methods.core.arrays import Array, largest


def turned(V: Array, turns: Array, counts: Sequence[int], tol: float, max_iter: int) -> Array:
    """Return what `SPCArt` with truncation "sp" finds from rotated eigenvectors.

    Parameters
    ----------
    V : ndarray of shape (r, n_features)
        Eigenvectors.
    turns : ndarray of shape (m, r, r)
        Rotations.
    counts : sequence of int
        The nonzeros of each loading.
    tol : float
        Stop when loadings move by less, in the mean square.
    max_iter : int

    Returns
    -------
    ndarray of shape (m, r, n_features)
    """
    starts = turns @ V
    W, R, moving = np.zeros(starts.shape), np.tile(np.eye(len(V)), (len(turns), 1, 1)), np.arange(len(turns))
    for _ in range(max_iter):
        Z = truncated(R @ starts[moving], counts)
        change = np.sum((Z - W[moving]) ** 2, axis=(1, 2))
        W[moving] = Z
        on = change > tol**2 * len(V)
        moving = moving[on]
        if not len(moving):
            break
        left, _, right = np.linalg.svd(Z[on] @ starts[moving].transpose(0, 2, 1))
        R = left @ right
    return W


def truncated(Z: Array, counts: Sequence[int]) -> Array:
    """Keep the largest entries of each row, of those that tie the first, and scale it to unit length."""
    size = np.abs(Z)
    for j, k in enumerate(counts):
        if k >= Z.shape[2]:
            continue
        rows = size[:, j]
        kept = rows >= np.partition(rows, -k, axis=1)[:, [-k]]
        for tied in np.flatnonzero(kept.sum(axis=1) > k):
            kept[tied] = False
            kept[tied, largest(rows[tied], k)] = True
        Z[:, j][~kept] = 0.0
    lengths = np.sqrt(np.sum(Z**2, axis=2, keepdims=True))
    return np.asarray(Z / np.where(lengths > 0.0, lengths, 1.0))
