"""The two steps of an SPCArt iteration, compiled: truncate all rows, and find the nearest rotation."""

from __future__ import annotations

import numpy as np
from numba import njit

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.blocks import polar
from spcabench_methods.core.compiled_truncation import energy, renew, soft, top_k
from spcabench_methods.core.signs import TIE

NEARBY = 20.0
"""A row is first cut among about so many entries, or fewer, around where it was cut before."""
FAR = 1.25
"""If that fails, they are looked for elsewhere, within this factor."""
TRIES = 3
"""So many times, and then among all."""
FEW = 200
"""No more entries than that are sorted."""
SHORT = 32
"""Rows of no more entries are sorted."""
BLOCK = 16
"""Entries are looked at so many at a time."""
SMALL = 32
"""A rotation of no higher order is found without a singular value decomposition."""
NEWTON_STEPS = 12
"""Enough where no singular value is below a twentieth of the largest row sum."""
CLOSE = 1e-8
"""After a Newton step from an error of this size the error is one of rounding."""


@njit(cache=True)
def soft_rows(Z: Array, W: Array, levels: Array, cuts: Array) -> float:
    """Turn the rows of W into the soft thresholds of those of Z, scaled to unit length.

    Parameters
    ----------
    Z, W : ndarray of shape (r, n_features)
        Rows of unit length, and what is overwritten.
    levels : ndarray of shape (r,)
        The threshold of each row.
    cuts : ndarray of shape (r,)
        Not needed.

    Returns
    -------
    float
        The squared change of W.
    """
    change = 0.0
    for j in range(len(Z)):
        change += renew(W[j], soft(Z[j], levels[j]))
    return change


@njit(cache=True)
def hard_rows(Z: Array, W: Array, levels: Array, cuts: Array) -> float:
    """Do the same with hard thresholds."""
    change = 0.0
    for j in range(len(Z)):
        change += _renew_from(np.nextafter(levels[j], np.inf), Z[j], W[j])
    return change


@njit(cache=True)
def top_k_rows(Z: Array, W: Array, levels: Array, cuts: Array) -> float:
    """Do the same with given cardinalities.

    `cuts` holds the smallest magnitude that stayed of each row the time before, which tells where to look; 0 if
    not known.  It is brought up to date.
    """
    change, d = 0.0, Z.shape[1]
    near = np.empty(d, np.int64)
    for j in range(len(Z)):
        cuts[j] = _cut_near(cuts[j], Z[j], max(d - levels[j], 0.0), False, near)
        if cuts[j] > 0.0:
            change += _renew_from(cuts[j], Z[j], W[j])
        else:
            v = top_k(Z[j], levels[j])
            cuts[j] = _smallest_nonzero(v)
            change += renew(W[j], v)
    return change


@njit(cache=True)
def energy_rows(Z: Array, W: Array, levels: Array, cuts: Array) -> float:
    """Do the same with given shares of squared length that go."""
    change = 0.0
    near = np.empty(Z.shape[1], np.int64)
    for j in range(len(Z)):
        cuts[j] = _cut_near(cuts[j], Z[j], (1.0 + TIE) * levels[j], True, near)
        if cuts[j] > 0.0:
            change += _renew_from(cuts[j], Z[j], W[j])
        else:
            v = energy(Z[j], levels[j])
            cuts[j] = _smallest_nonzero(v)
            change += renew(W[j], v)
    return change


ROWS = {"l1": soft_rows, "l0": hard_rows, "sp": top_k_rows, "en": energy_rows}
"""Truncations of all rows by the name of the rule."""


def nearest_rotation(M: Array) -> Array:
    """Give the orthogonal factor of the polar decomposition of M, of shape (r, r)."""
    if len(M) <= SMALL:
        R, converged = newton(M)
        if converged:
            return R
    return polar(M)


@njit(cache=True)
def newton(M: Array) -> tuple[Array, bool]:
    """Take all singular values to 1 by ``X = X (3 I - X'X)/2`` (Newton and Schulz); say whether they got there."""
    scale = max(_longest_row_sum(M), _longest_row_sum(M.T))
    if scale == 0.0:
        return M, False
    R, E, old = M / scale, np.empty_like(M), np.empty_like(M)
    for _ in range(NEWTON_STEPS):
        np.dot(R.T, R, E)
        error = 0.0
        for i in range(len(M)):
            for j in range(len(M)):
                error = max(error, abs(E[i, j] - (i == j)))
                E[i, j] = 1.5 * (i == j) - 0.5 * E[i, j]
        old, R = R, old
        np.dot(old, E, R)
        if error < CLOSE:
            return R, bool(np.isfinite(R).all())  # the maximum passes over what is not a number
    return R, False


@njit(cache=True)
def _longest_row_sum(M: Array) -> float:
    longest = 0.0
    for i in range(M.shape[0]):
        total = 0.0
        for j in range(M.shape[1]):
            total += abs(M[i, j])
        longest = max(longest, total)
    return longest


@njit(cache=True, fastmath={"reassoc"})
def _renew_from(cut: float, z: Array, w: Array) -> float:
    """Turn w into the entries of z from the magnitude `cut` on, scaled to unit length; give the squared change."""
    squared, change = 0.0, 0.0
    for i in range(len(z)):
        squared += z[i] * z[i] if abs(z[i]) >= cut else 0.0
    scale = 1.0 / np.sqrt(squared) if squared > 0.0 else 0.0
    for i in range(len(z)):
        new = scale * z[i] if abs(z[i]) >= cut else 0.0
        step = new - w[i]
        change += step * step
        w[i] = new
    return change


@njit(cache=True)
def _cut_near(cut: float, z: Array, limit: float, squared: bool, near: Indices) -> float:
    """Find the smallest magnitude that stays if the smallest entries go, at about `cut`.

    As many go as possible: no more of them than `limit`, or with squares of no larger sum.  How many entries are
    near the magnitude tried tells which to try next.  Gives 0 if that does not find it, or if it ties with one
    that goes.
    """
    if len(z) <= SHORT:
        weight, m = _survey(0.0, np.inf, z, squared, near)
        return _first_kept(z, near, m, limit, squared)
    width = NEARBY / len(z)
    for _ in range(TRIES):
        if cut == 0.0 or cut == np.inf:
            return 0.0
        weight, m = _survey(cut / (1.0 + width), cut * (1.0 + width), z, squared, near)
        left = limit - weight
        if left >= 0.0 and m <= FEW:
            found = _first_kept(z, near, m, left, squared)
            if found > 0.0:
                return found
        entries = left / (cut * cut if squared else 1.0)
        cut *= min(max(1.0 + 2.0 * width * (entries / max(m, 1) - 0.5), 1.0 / FAR), FAR)
    return 0.0


@njit(cache=True)
def _first_kept(z: Array, near: Indices, m: int, limit: float, squared: bool) -> float:
    """Give the smallest magnitude that stays if it is among the first m of `near`; 0 if not, or if it is tied."""
    _sort_by_size(z, near, m)
    last = 0.0
    for i in near[:m]:
        size = abs(z[i])
        limit -= size * size if squared else 1.0
        if limit < 0.0:
            return size if size > last else 0.0
        last = size
    return 0.0


@njit(cache=True)
def _survey(low: float, high: float, z: Array, squared: bool, near: Indices) -> tuple[float, int]:
    """Count the entries below `low`, or add their squares, and collect those from `low` to `high`.

    Most blocks of entries have none of these.
    """
    weight, m = 0.0, 0
    for start in range(0, len(z), BLOCK):
        block = z[start : start + BLOCK]
        light, hits = _squares_below(low, high, block) if squared else _count_below(low, high, block)
        weight += light
        if hits:
            for i in range(len(block)):
                near[m] = start + i
                m += (abs(block[i]) >= low) & (abs(block[i]) <= high)
    return weight, m


@njit(cache=True, fastmath={"reassoc"})
def _squares_below(low: float, high: float, z: Array) -> tuple[float, float]:
    weight, hits = 0.0, 0.0
    for i in range(len(z)):
        weight += z[i] * z[i] if abs(z[i]) < low else 0.0
        hits += 1.0 if (abs(z[i]) >= low) & (abs(z[i]) <= high) else 0.0
    return weight, hits


@njit(cache=True, fastmath={"reassoc"})
def _count_below(low: float, high: float, z: Array) -> tuple[float, float]:
    weight, hits = 0.0, 0.0
    for i in range(len(z)):
        weight += 1.0 if abs(z[i]) < low else 0.0
        hits += 1.0 if (abs(z[i]) >= low) & (abs(z[i]) <= high) else 0.0
    return weight, hits


@njit(cache=True)
def _sort_by_size(z: Array, near: Indices, m: int) -> None:
    """Sort the first m of `near` by magnitude, of tied ones the last entry first."""
    for a in range(1, m):
        i, b = near[a], a
        while b > 0 and abs(z[near[b - 1]]) >= abs(z[i]):
            near[b] = near[b - 1]
            b -= 1
        near[b] = i


@njit(cache=True)
def _smallest_nonzero(v: Array) -> float:
    smallest = np.inf
    for i in range(len(v)):
        if v[i] != 0.0:
            smallest = min(smallest, abs(v[i]))
    return smallest
