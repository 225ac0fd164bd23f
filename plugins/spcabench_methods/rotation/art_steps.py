"""The alternation of SPCArt, compiled: rotate and truncate a block of columns at a time, find the nearest rotation.

Where NumPy would have a line on whole arrays, compiled code has loops: such a line takes longer to compile than all
else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.jit import njit
from spcabench_methods.core.kernels import jitable
from spcabench_methods.rotation.cuts import Share, cut_of
from spcabench_methods.rotation.nearest import nearest_rotation
from spcabench_methods.truncations import Selection, Threshold, Truncation
from spcabench_methods.truncations.hard import hard

WIDTH = 1024
"""Blocks have no more columns, so that the caches hold a block of V, of Z and of W."""

Shrunk = Callable[[Any, float], Any]
Alternation = Callable[[Array, Array, float, int], tuple[Array, Array, Array, int, bool]]


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
    alternated = compiled_steps(shrunk, share)

    def allocated(V: Array, limits: Array, change: float, max_iter: int) -> tuple[Array, Array, Array, int, bool]:
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
        M : ndarray of shape (r, r)
            W V'.
        n_iter : int
        converged : bool
        """
        n_blocks, r, width = V.shape
        Z, W = np.empty((1 if share is None else n_blocks, r, width)), np.zeros(V.shape)
        scales, cuts, sums, space = np.empty(r), np.empty(r), np.empty((r, 4)), np.empty((5, r, r))
        R, n_iter, unsettled = np.empty((r, r)), 0, True
        while unsettled:
            R, n_iter, converged, unsettled = alternated(
                V, limits, change, max_iter, n_iter, R, Z, W, scales, cuts, sums, space
            )
            R = polar(space[0]) if unsettled else R
        return W, R, space[0], n_iter, converged

    return allocated


def compiled_steps(shrunk: Shrunk, share: Share | None) -> Callable[..., tuple[Array, int, bool, bool]]:
    """Compile the steps in arrays that are there, up to the end or to a rotation that is hard to find."""

    @njit(cache=True, nogil=True, error_model="numpy")
    def alternated(
        V: Array,
        limits: Array,
        change: float,
        max_iter: int,
        n_iter: int,
        R: Array,
        Z: Array,
        W: Array,
        scales: Array,
        cuts: Array,
        sums: Array,
        space: Array,
    ) -> tuple[Array, int, bool, bool]:
        """Alternate on from R, or from I; return also whether the rotation nearest to ``space[0]`` is to be found."""
        n_blocks, r, width = V.shape
        for j in range(r if n_iter == 0 else 0):
            scales[j], cuts[j] = 0.0, 1.0 / np.sqrt(n_blocks * width)
            for i in range(r):
                R[j, i] = 1.0 if i == j else 0.0
        while True:
            n_iter += 1
            moved = truncate(shrunk, share, R, V, Z, W, scales, limits, cuts, sums, space)
            converged = moved <= change
            if converged or n_iter == max_iter:
                for b in range(n_blocks):
                    for j in range(r):
                        for i in range(width):
                            W[b, j, i] *= scales[j]
                return R, n_iter, converged, False
            R, settled = nearest_rotation(space)
            if not settled:
                return R, n_iter, False, True

    return alternated


@njit(nogil=True, error_model="numpy")
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
    sums: Array,
    space: Array,
) -> float:
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
    sums : ndarray of shape (r, 4)
        Is overwritten, see `_renew`.
    space : ndarray of shape (at least 2, r, r)
        The first matrix becomes W V', of the rows of unit length; the second is overwritten.

    Returns
    -------
    float
        The squared change of the rows of unit length.
    """
    r, change = len(R), 0.0
    if share is not None:
        for b in range(len(V)):
            np.dot(R, V[b], Z[b])
        for j in range(r):
            cuts[j] = cut_of(share, cuts[j], Z, j, limits[j])
    M, part = space[0], space[1]
    _clear(sums)
    _clear(M)
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
        change += _squared_change(old, scales[j], sums[j, 0], sums[j, 1], sums[j, 2], sums[j, 3])
        for i in range(r):
            M[j, i] *= scales[j]
    return change


@njit(nogil=True)
def _clear(A: Array) -> None:
    for j in range(A.shape[0]):
        for i in range(A.shape[1]):
            A[j, i] = 0.0


@njit(nogil=True)
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


@njit(nogil=True)
def _squared_change(old: float, new: float, squares: float, steps: float, ahead: float, behind: float) -> float:
    """Return ``||new w - old w_old||^2`` from these sums.

    The smaller scale is taken out, so that no term is much larger than ``(1 - old/new)^2`` or the change itself.
    """
    if old <= new:
        return float(old * old * steps + 2.0 * old * (new - old) * ahead + (new - old) ** 2 * squares)
    return float(new * new * steps - 2.0 * new * (old - new) * behind + (1.0 - new / old) ** 2)
