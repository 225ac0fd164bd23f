"""The sweeps of SPCAGrid: turns towards or away from one coordinate after another, compiled."""

from __future__ import annotations

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.jit import njit
from spcabench_methods.robust.scales import MAD, SD, mad_near, scale_of


@njit(cache=True, nogil=True)
def search(
    Y: Array,
    place: Indices,
    weights: Array,
    normals: Array,
    order: Indices,
    first: Array,
    penalty: float,
    kind: int,
    n_angles: int,
    n_halvings: int,
) -> tuple[Array, float, float]:
    """Return the best direction in coordinates, its scale and objective, from `first`; a row of Y is a coordinate.

    Of the loading w only the entries that reflections moved are kept; `place` holds the position of each coordinate's
    feature among them, or -1.  For any other feature the entry of w is the coordinate itself.
    """
    a = first.copy()
    y, w = _along(a, Y, place, weights, normals)
    others_sum = _outside(a, place, -1)
    best_a, best_scale = a.copy(), scale_of(y, kind)
    best = best_scale**2 - penalty * (np.abs(w).sum() + others_sum)
    for sweep in range(n_halvings + 1):
        width = np.pi * 0.5**sweep
        for j in order:
            if abs(a[j]) >= 1.0 - 1e-15:
                continue
            v = _row(j, place, weights, normals)
            present = np.arcsin(a[j])
            if a[j] != 0.0:
                others = np.cos(present)
                y, w = (y - a[j] * Y[j]) / others, (w - a[j] * v) / others
                a /= others
                others_sum = _outside(a, place, j)
            thetas = present + width * (np.arange(n_angles) / (n_angles - 1) - 0.5)
            if sweep == 0:
                thetas = thetas[:-1]
            if 0.0 < abs(a[j]) < 1e-6 or (sweep == 0 and a[j] != 0.0):
                thetas = np.append(thetas, 0.0)
            a[j] = 0.0
            own = 1.0 if place[j] < 0 else 0.0
            theta = _best_angle(y, Y[j], w, v, others_sum, own, thetas, penalty, kind)
            if theta != 0.0:
                c, s = np.cos(theta), np.sin(theta)
                y, w = c * y + s * Y[j], c * w + s * v
                a *= c
                a[j] = s
                others_sum = _outside(a, place, -1)
        scale = scale_of(y, kind)
        objective = scale**2 - penalty * (np.abs(w).sum() + others_sum)
        if objective > best:
            best, best_scale, best_a = objective, scale, a.copy()
    return best_a, best_scale, best


@njit(cache=True, nogil=True)
def _along(a: Array, Y: Array, place: Indices, weights: Array, normals: Array) -> tuple[Array, Array]:
    """Return the scores of a direction, and its loading on the features that reflections moved."""
    y, w = np.zeros(Y.shape[1]), np.zeros(normals.shape[1])
    for j in range(len(a)):
        if a[j] != 0.0:
            y += a[j] * Y[j]
            w += a[j] * _row(j, place, weights, normals)
    return y, w


@njit(cache=True, nogil=True)
def _row(j: int, place: Indices, weights: Array, normals: Array) -> Array:
    """Return row j of the basis, on the features that reflections moved."""
    v = np.zeros(normals.shape[1])
    for m in range(len(normals)):
        v -= weights[j, m] * normals[m]
    if place[j] >= 0:
        v[place[j]] += 1.0
    return v


@njit(cache=True, nogil=True)
def _outside(a: Array, place: Indices, j: int) -> float:
    """Sum the magnitudes of the entries of w that no reflection moved, but for that of coordinate j."""
    total = 0.0
    for i in range(len(a)):
        if place[i] < 0 and i != j:
            total += abs(a[i])
    return total


@njit(cache=True, nogil=True)
def _best_angle(
    y: Array,
    z: Array,
    w: Array,
    v: Array,
    others_sum: float,
    own: float,
    thetas: Array,
    penalty: float,
    kind: int,
) -> float:
    """Return the angle whose ``cos y + sin z`` has the largest squared scale less the penalty.

    The l1 norm of ``cos w + sin v`` has further terms: `others_sum` for w and `own` for v.
    """
    best, chosen = -np.inf, 0.0
    if kind == SD:
        centred, other = y - y.mean(), z - z.mean()
        yy, yz, zz = (centred**2).mean(), (centred * other).mean(), (other**2).mean()
    turned, gaps, room, last = np.empty(len(y)), np.empty(len(y)), np.empty(len(y)), np.array([0.0, np.inf])
    for theta in thetas:
        c, s = np.cos(theta), np.sin(theta)
        if kind == SD:
            square = c * c * yy + 2.0 * c * s * yz + s * s * zz
        else:
            for i in range(len(y)):
                turned[i] = c * y[i] + s * z[i]
            square = (mad_near(turned, last, gaps, room) if kind == MAD else scale_of(turned, kind)) ** 2
        if penalty > 0.0:
            norm = abs(c) * others_sum + abs(s) * own
            for i in range(len(w)):
                norm += abs(c * w[i] + s * v[i])
            square -= penalty * norm
        if square > best:
            best, chosen = square, theta
    return chosen
