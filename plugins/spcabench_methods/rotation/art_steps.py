"""The alternation of SPCArt, compiled: rotate and truncate a block of columns at a time, find the nearest rotation.

Where NumPy would have a line on whole arrays, compiled code has loops: such a line takes longer to compile than all
else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.vector_loops import edition, jitable
from spcabench_methods.rotation.cuts import Share, cut_of
from spcabench_methods.rotation.nearest import nearest_rotation
from spcabench_methods.truncations import Selection, Threshold, Truncation
from spcabench_methods.truncations.hard import hard

WIDTH = 1024
"""Blocks have no more columns, so that the caches hold a block of V, of Z and of W."""

Shrunk = Callable[[Any, float], Any]
Alternation = Callable[[Array, Array, float, int], tuple[Array, Array, int, bool]]


def in_blocks(rows: Array) -> Array:
    """Cut rows into blocks of columns, of shape (n_blocks, r, width), filled up with zeros."""
    r, d = rows.shape
    if d <= WIDTH:
        return np.ascontiguousarray(rows)[None]
    n_blocks = -(-d // WIDTH)
    width = -(-d // n_blocks)
    filled = np.zeros((r, n_blocks * width))
    filled[:, :d] = rows
    return np.ascontiguousarray(filled.reshape(r, n_blocks, width).swapaxes(0, 1))


def in_rows(blocks: Array, d: int) -> Array:
    """Put blocks of columns together again to rows of d entries."""
    if len(blocks) == 1:
        return np.asarray(blocks[0])
    return np.ascontiguousarray(blocks.swapaxes(0, 1).reshape(blocks.shape[1], -1)[:, :d])


def bounds(rule: Truncation, levels: Array, n_entries: int) -> Array:
    """Return for each row, of unit length, the threshold, or the limit of what its smallest entries take."""
    if isinstance(rule, Selection):
        levels = np.array([rule.limit(level, n_entries, 1.0) for level in levels])
    return levels


def compiled_parts(rule: Truncation) -> tuple[Shrunk, Share | None]:
    """Return what a truncation says of an entry: what is left of it, and its share if the smallest entries go."""
    if isinstance(rule, Selection):
        return jitable(hard.shrunk), jitable(rule.share)
    assert isinstance(rule, Threshold)
    return jitable(rule.shrunk), None


@cache
def alternation(rule: Truncation) -> Alternation:
    """Compile the alternation for a truncation."""
    shrunk, share = compiled_parts(rule)
    made_of = edition(shrunk, share or shrunk, cut_of, nearest_rotation)

    @njit(cache=True, error_model="numpy")
    def alternated(
        V: Array,
        limits: Array,
        change: float,
        max_iter: int,
        Z: Array,
        W: Array,
    ) -> tuple[Array, int, bool]:
        _ = made_of
        n_blocks, r, width = V.shape
        R, scales, cuts = np.zeros((r, r)), np.zeros(r), np.empty(r)
        for j in range(r):
            R[j, j], cuts[j] = 1.0, 1.0 / np.sqrt(n_blocks * width)
        n_iter, converged = 0, False
        while True:
            n_iter += 1
            moved, M = truncate(shrunk, share, R, V, Z, W, scales, limits, cuts)
            converged = moved <= change
            if converged or n_iter == max_iter:
                break
            R = nearest_rotation(M)
        for b in range(n_blocks):
            for j in range(r):
                for i in range(width):
                    W[b, j, i] *= scales[j]
        return R, n_iter, converged

    def allocated(V: Array, limits: Array, change: float, max_iter: int) -> tuple[Array, Array, int, bool]:
        """Alternate between W as the truncation of R V, and the rotation R that takes V closest to W.

        Parameters
        ----------
        V : ndarray of shape (n_blocks, r, width)
            Orthonormal rows in blocks.
        limits : ndarray of shape (r,)
            The `bounds` of the rows.
        change : float
            Stop when the squared change of W is not larger.
        max_iter : int

        Returns
        -------
        W : ndarray of shape (n_blocks, r, width)
        R : ndarray of shape (r, r)
            The rotation that W belongs to.
        n_iter : int
        converged : bool
        """
        Z, W = np.empty_like(V[:1] if share is None else V), np.zeros_like(V)
        R, n_iter, converged = alternated(V, limits, change, max_iter, Z, W)
        return W, R, n_iter, converged

    return allocated


@njit(error_model="numpy")
def truncate(
    shrunk: Shrunk,
    share: Share | None,
    R: Array,
    V: Array,
    Z: Array,
    W: Array,
    scales: Array,
    limits: Array,
    cuts: Array,
) -> tuple[float, Array]:
    """Turn the rows of W into the truncations of those of R V.

    Parameters
    ----------
    shrunk, share
        See `compiled_parts`.
    R : ndarray of shape (r, r)
    V : ndarray of shape (n_blocks, r, width)
    Z : ndarray of shape (n_blocks, r, width), or (1, r, width) if entries have no share
        Becomes R V, or a block of it.
    W : ndarray of shape (n_blocks, r, width)
        Is overwritten.  Its rows times their `scales` have unit length.
    scales : ndarray of shape (r,)
        Is overwritten too.
    limits : ndarray of shape (r,)
        See `bounds`.
    cuts : ndarray of shape (r,)
        If entries have shares: the magnitudes from which on entries of the rows stayed the time before, which say
        where to look; they are brought up to date.

    Returns
    -------
    float
        The squared change of the rows of unit length.
    ndarray of shape (r, r)
        W V', of the rows of unit length.
    """
    r, change = len(R), 0.0
    if share is not None:
        for b in range(len(V)):
            np.dot(R, V[b], Z[b])
        for j in range(r):
            cuts[j] = cut_of(share, cuts[j], Z, j, limits[j])
    M, part, sums = np.zeros((r, r)), np.zeros((r, r)), np.zeros((r, 4))
    for b in range(len(V)):
        z = Z[b % len(Z)]
        if share is None:
            np.dot(R, V[b], z)
        for j in range(r):
            threshold = limits[j] if share is None else np.nextafter(cuts[j], 0.0)
            _renew(shrunk, threshold, z[j], W[b, j], sums[j])
        np.dot(W[b], V[b].T, part)
        _add(part, M)
    for j in range(r):
        old, scales[j] = scales[j], 1.0 / np.sqrt(sums[j, 0]) if sums[j, 0] > 0.0 else 0.0
        change += _squared_change(old, scales[j], sums[j])
        for i in range(r):
            M[j, i] *= scales[j]
    return change, M


@njit(cache=True)
def _add(part: Array, total: Array) -> None:
    for j in range(len(part)):
        for i in range(len(part)):
            total[j, i] += part[j, i]


@njit(fastmath={"reassoc"}, error_model="numpy")
def _renew(shrunk: Shrunk, threshold: float, z: Array, w: Array, sums: Array) -> None:
    """Turn w into the entries of z above a threshold, shrunk.

    Adds ``||w||^2``, ``||w - w_old||^2``, ``w'(w - w_old)`` and ``w_old'(w - w_old)`` to the sums.
    """
    squares, steps, ahead, behind = 0.0, 0.0, 0.0, 0.0
    for i in range(len(z)):
        size = abs(z[i])
        new = np.copysign(shrunk(size, threshold), z[i]) if size > threshold else 0.0
        step = new - w[i]
        squares += new * new
        steps += step * step
        ahead += new * step
        behind += w[i] * step
        w[i] = new
    sums[0] += squares
    sums[1] += steps
    sums[2] += ahead
    sums[3] += behind


@njit(cache=True)
def _squared_change(old: float, new: float, sums: Array) -> float:
    """Return ``||new w - old w_old||^2`` from these sums.

    The smaller scale is taken out, so that no term is much larger than ``(1 - old/new)^2`` or the change itself.
    """
    squares, steps, ahead, behind = sums
    if old <= new:
        return float(old * old * steps + 2.0 * old * (new - old) * ahead + (new - old) ** 2 * squares)
    return float(new * new * steps - 2.0 * new * (old - new) * behind + (1.0 - new / old) ** 2)
