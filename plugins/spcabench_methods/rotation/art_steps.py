"""The alternation of SPCArt, compiled: rotate and truncate a block of columns at a time, find the nearest rotation."""

from __future__ import annotations

import numpy as np
from numba import njit, objmode

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.compiled_truncation import squared_length, without_smallest
from spcabench_methods.core.signs import TIE

WIDTH = 1024
"""Blocks have no more columns, so that the caches hold a block of V, of Z and of W."""
TRIES = 32
"""So many magnitudes are tried where to cut a row before its entries are sorted."""
SMALL = 32
"""A rotation of no higher order is found without a singular value decomposition."""
NEWTON_STEPS = 16
"""Enough where no singular value is below a fiftieth of the largest."""
LARGEST = 2.5
"""No square of a singular value may be larger before a Newton step; from 3 on its sign would change."""
CLOSE = 1e-8
"""After a Newton step from an error of this size the error is one of rounding."""

SOFT, HARD, TOP_K, ENERGY = range(4)
RULES = {"l1": SOFT, "l0": HARD, "sp": TOP_K, "en": ENERGY}
"""The rules of truncation, by their names."""


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


@njit(cache=True)
def alternated(V: Array, rule: int, levels: Array, change: float, max_iter: int) -> tuple[Array, Array, int, bool]:
    """Alternate between W as the truncation of R V, and the rotation R that takes V closest to W.

    Parameters
    ----------
    V : ndarray of shape (n_blocks, r, width)
        Orthonormal rows in blocks.
    rule : int
        A value of `RULES`.
    levels : ndarray of shape (r,)
        The level of each row: a threshold, a cardinality, or the share of squared length that goes.
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
    r = V.shape[1]
    R, W, Z, scales = np.eye(r), np.zeros_like(V), np.empty_like(V if needs_cuts(rule) else V[:1]), np.zeros(r)
    cuts = np.full(r, V[:, 0].size ** -0.5) if needs_cuts(rule) else np.nextafter(levels, np.inf)
    n_iter, converged = 0, False
    while True:
        n_iter += 1
        moved, M = truncate(rule, R, V, Z, W, scales, levels, cuts)
        converged = moved <= change
        if converged or n_iter == max_iter:
            break
        R = nearest_rotation(M)
    for b in range(len(W)):
        for j in range(r):
            W[b, j] *= scales[j]
    return W, R, n_iter, converged


@njit(cache=True)
def needs_cuts(rule: int) -> bool:
    """Say whether the magnitude from which on entries stay depends on the whole row."""
    return rule in (TOP_K, ENERGY)


@njit(cache=True)
def truncate(
    rule: int, R: Array, V: Array, Z: Array, W: Array, scales: Array, levels: Array, cuts: Array
) -> tuple[float, Array]:
    """Turn the rows of W into the truncations of those of R V.

    Parameters
    ----------
    rule, levels
        See `alternated`.
    R : ndarray of shape (r, r)
    V : ndarray of shape (n_blocks, r, width)
    Z : ndarray of shape (n_blocks, r, width), or (1, r, width) if the rule needs no cuts
        Becomes R V, or a block of it.
    W : ndarray of shape (n_blocks, r, width)
        Is overwritten.  Its rows times their `scales` have unit length.
    scales : ndarray of shape (r,)
        Is overwritten too.
    cuts : ndarray of shape (r,)
        The magnitudes from which on entries of the rows stay.  If the rule needs cuts, those of the time before,
        which tell where to look, and are brought up to date.

    Returns
    -------
    float
        The squared change of the rows of unit length.
    ndarray of shape (r, r)
        W V', of the rows of unit length.
    """
    r, change = len(R), 0.0
    if needs_cuts(rule):
        for b in range(len(V)):
            np.dot(R, V[b], Z[b])
        for j in range(r):
            cuts[j] = _cut(rule, cuts[j], Z, j, levels[j])
    M, part, sums = np.zeros_like(R), np.empty_like(R), np.zeros((r, 4))
    for b in range(len(V)):
        z = Z[b % len(Z)]
        if not needs_cuts(rule):
            np.dot(R, V[b], z)
        for j in range(r):
            _renew(cuts[j], levels[j] if rule == SOFT else 0.0, z[j], W[b, j], sums[j])
        np.dot(W[b], V[b].T, part)
        M += part
    for j in range(r):
        old, scales[j] = scales[j], 1.0 / np.sqrt(sums[j, 0]) if sums[j, 0] > 0.0 else 0.0
        change += _squared_change(old, scales[j], sums[j])
        M[j] *= scales[j]
    return change, M


@njit(cache=True)
def nearest_rotation(M: Array) -> Array:
    """Return the orthogonal factor of the polar decomposition of M, of shape (r, r)."""
    R, converged = newton(M) if len(M) <= SMALL else (M, False)
    if not converged:
        with objmode(R="float64[:, ::1]"):
            R = polar(M)
    return R


@njit(cache=True)
def newton(M: Array) -> tuple[Array, bool]:
    """Take all singular values to 1 by ``X = X (3 I - X'X)/2`` (Newton and Schulz); say whether they got there.

    Before each step X is scaled so that the squares of its singular values have mean 1, or less where one might
    exceed `LARGEST` otherwise: by no more than their deviation is the largest larger than the mean.
    """
    r = len(M)
    X, old, E = M.copy(), np.empty_like(M), np.empty_like(M)
    for _ in range(NEWTON_STEPS):
        np.dot(X.T, X, E)
        mean = np.trace(E) / r
        for i in range(r):
            E[i, i] -= mean
        deviation = np.sqrt(squared_length(E.reshape(-1)))
        scale = max(mean, (mean + deviation) / LARGEST)
        if not scale > 0.0:
            break
        E *= -0.5 * scale**-1.5
        for i in range(r):
            E[i, i] += (1.5 - 0.5 * mean / scale) / np.sqrt(scale)
        old, X = X, old
        np.dot(old, E, X)
        if deviation < CLOSE * mean:
            return X, True
    return X, False


@njit(cache=True, fastmath={"reassoc"})
def _renew(cut: float, shrinkage: float, z: Array, w: Array, sums: Array) -> None:
    """Turn w into the entries of z from the magnitude `cut` on, shrunk.

    Adds ``||w||^2``, ``||w - w_old||^2``, ``w'(w - w_old)`` and ``w_old'(w - w_old)`` to the sums.
    """
    squares, steps, ahead, behind = 0.0, 0.0, 0.0, 0.0
    for i in range(len(z)):
        size = abs(z[i])
        new = np.copysign(size - shrinkage, z[i]) if size >= cut else 0.0
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


@njit(cache=True)
def _cut(rule: int, start: float, Z: Array, j: int, level: float) -> float:
    """Find a magnitude so that the smaller entries of row j are those that go.

    If there is none, as of tied entries some stay and some go, those that go become zero.
    """
    squared = rule == ENERGY
    limit = (1.0 + TIE) * level if squared else max(len(Z) * Z.shape[2] - level, 0.0)
    cut = _searched(start, Z, j, limit, squared)
    if cut == 0.0:
        with objmode(cut="float64"):
            row = Z[:, j]
            row[:] = without_smallest(row.ravel(), limit, squared).reshape(row.shape)
            cut = float(np.abs(row[row != 0.0]).min(initial=np.inf))
    return cut


@njit(cache=True)
def _searched(start: float, Z: Array, j: int, limit: float, squared: bool) -> float:
    """Search for this magnitude, trying `start` first, which often serves again.

    As many entries go as possible: no more than `limit`, or with squares of no larger sum.  How many more could go
    tells which magnitude to try next: farther and farther until too many go, and then in between by the rule of
    false position, where the end that stays counts half as much each time.  Gives 0 if that finds none.
    """
    cut, low, high, too_few, too_many, reach = start, 0.0, np.inf, 0.0, 0.0, 1.0
    for _ in range(TRIES):
        weight = 0.0
        for b in range(len(Z)):
            weight += _weight_below(cut, Z[b, j], squared)
        more = (limit - weight) / (cut * cut if squared else 1.0)
        if 0.0 <= more < 1.0:
            return cut
        if more > 0.0:
            low, too_few, too_many = cut, more - 0.5, 0.5 * too_many
        else:
            high, too_few, too_many = cut, 0.5 * too_few, 0.5 - more
        if low > 0.0 and high < np.inf:
            cut = low + (high - low) * too_few / (too_few + too_many)
        else:
            cut *= min(max(1.0 + reach * (more - 0.5) / (len(Z) * Z.shape[2] - limit), 0.25), 4.0)
            reach *= 4.0
    return 0.0


@njit(cache=True, fastmath={"reassoc"})
def _weight_below(cut: float, z: Array, squared: bool) -> float:
    """Count the entries below `cut`, or add their squares."""
    weight = 0.0
    for i in range(len(z)):
        size = abs(z[i])
        weight += (size * size if squared else 1.0) if size < cut else 0.0
    return weight
