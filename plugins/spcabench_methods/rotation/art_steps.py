"""The alternation of SPCArt, compiled: rotate and truncate rows, find the nearest rotation.

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

Shrunk = Callable[[Any, float], Any]
Alternation = Callable[[Array, Array, float, int], tuple[Array, Array, Array, int, bool]]


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
        V : ndarray of shape (r, n_features)
            Orthonormal rows.
        limits : ndarray of shape (r,)
            The `bounds` of the rows.
        change : float
            Stop when the squared change of W is not larger.
        max_iter : int

        Returns
        -------
        W : ndarray of shape (r, n_features)
        R : ndarray of shape (r, r)
            The rotation that W belongs to.
        M : ndarray of shape (r, r)
            W V'.
        n_iter : int
        converged : bool
        """
        r, d = V.shape
        Z, W, cuts, space = np.empty((r, d)), np.zeros((r, d)), np.full(r, d**-0.5), np.empty((5, r, r))
        R, n_iter, unsettled = np.eye(r), 0, True
        while unsettled:
            R, n_iter, converged, unsettled = alternated(V, limits, change, max_iter, n_iter, R, Z, W, cuts, space)
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
        cuts: Array,
        space: Array,
    ) -> tuple[Array, int, bool, bool]:
        """Alternate on from R; return also whether the rotation nearest to ``space[0]`` is to be found."""
        while True:
            n_iter += 1
            np.dot(R, V, Z)
            converged = truncate(shrunk, share, Z, W, limits, cuts) <= change
            np.dot(W, V.T, space[0])
            if converged or n_iter == max_iter:
                return R, n_iter, converged, False
            R, settled = nearest_rotation(space)
            if not settled:
                return R, n_iter, False, True

    return alternated


@njit(nogil=True, error_model="numpy")
def truncate(shrunk: Shrunk, share: Share | None, Z: Array, W: Array, limits: Array, cuts: Array) -> float:
    """Turn the rows of W into the truncations of those of Z, scaled to unit length; return their squared change.

    Parameters
    ----------
    shrunk, share
        See `compiled_parts`.
    Z : ndarray of shape (r, n_features)
        Is overwritten.
    W : ndarray of shape (r, n_features)
    limits : ndarray of shape (r,)
        See `bounds`.
    cuts : ndarray of shape (r,)
        If entries have shares: the magnitudes from which on entries of the rows stayed the time before, which say
        where to look; they are brought up to date.
    """
    change = 0.0
    for j in range(len(W)):
        threshold = limits[j]
        if share is not None:
            cuts[j] = cut_of(share, cuts[j], Z[j], limits[j])
            threshold = np.nextafter(cuts[j], 0.0)
        change += _renew(shrunk, threshold, Z[j], W[j])
    return change


@njit(fastmath={"reassoc"}, error_model="numpy")
def _renew(shrunk: Shrunk, threshold: float, z: Array, w: Array) -> float:
    """Turn z into its entries above a threshold, shrunk, and w into that, scaled; return the squared change of w."""
    squares, change = 0.0, 0.0
    for i in range(len(z)):
        size = abs(z[i])
        z[i] = np.copysign(shrunk(size, threshold), z[i]) if size > threshold else 0.0
        squares += z[i] * z[i]
    scale = 1.0 / np.sqrt(squares) if squares > 0.0 else 0.0
    for i in range(len(z)):
        new = scale * z[i]
        change += (new - w[i]) ** 2
        w[i] = new
    return change
