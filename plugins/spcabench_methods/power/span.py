"""The best point in the span of the last three iterates of GPower, which ends slow ascents in fewer steps.

Near its end the ascent is linear: on the entries that stay, the objective is a quadratic function of the scores x.  Its
maximum among scores of the same length in the span of three iterates is that of a problem of three variables.  As with
conjugate gradients, it takes about the square root of the number of steps that the ascent alone would.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dsyevd, dtrtri

from spcabench_methods.core.arrays import Array

NEWTON_STEPS = 6
"""So many find the multiplier of the three variables."""
SHORT = 1e-6
"""Steps that are shorter, relative to the scores, have too few digits to say where to go."""
DEPENDENT = 1e-6
"""Iterates are dependent if the part of one that is orthogonal to the others is shorter, relative to itself."""
ALONE = 1e-14
"""A linear term along the leading eigenvector that is smaller, relative to its eigenvalue, does not matter."""


class Iterate(NamedTuple):
    """Scores x = X y of length sqrt(n), by what makes them and what they make.

    Parameters
    ----------
    y : ndarray of shape (n_features,)
        With y'Sy = 1.
    c : ndarray of shape (n_features,)
        S y, which is X'x/n.
    """

    y: Array
    c: Array


def best_in_span(last: Iterate, before: Iterate, earlier: Iterate, t: Array) -> Iterate | None:
    """Return where the quadratic objective is largest; None if the iterates hardly span three dimensions.

    The objective is the sum of ``(c_j - a_j)^2`` over the support of t.  There ``a = c - t``, of the last iterate, is
    what the truncation took.

    Parameters
    ----------
    last, before, earlier : Iterate
    t : ndarray of shape (n_features,)
        The truncation of ``last.c``.
    """
    Y = np.array([last.y, last.y - before.y, before.y - earlier.y])
    C = np.array([last.c, last.c - before.c, before.c - earlier.c])
    products = Y @ C.T
    lengths = np.sqrt(np.maximum(products.diagonal(), 0.0))
    if lengths.min() < SHORT:
        return None
    factor, dependent = dpotrf(products / (lengths[:, None] * lengths), lower=1)
    if dependent or factor.diagonal().min() < DEPENDENT:
        return None
    to_basis = dtrtri(factor, lower=1)[0] / lengths
    kept = C * (t != 0.0)
    v = maximum(to_basis @ (kept @ C.T) @ to_basis.T, to_basis @ (kept @ (last.c - t)))
    if v is None:
        return None
    mix = v @ to_basis
    y, c = mix @ Y, mix @ C
    length = np.sqrt(y @ c)
    return Iterate(y / length, c / length)


def maximum(G: Array, b: Array) -> Array | None:
    """Return a local maximum of ``v'Gv - 2 b'v`` among unit vectors v, with v_0 > 0; None if there is none.

    It is ``v_i = b_i / (g_i - m)`` along the eigenvectors of G, with the largest multiplier m below the largest
    eigenvalue that makes it a unit vector.
    """
    values, vectors, unsettled = dsyevd(G)
    if unsettled:
        return None
    along, (*others, largest) = (b @ vectors).tolist(), values.tolist()
    if abs(along[-1]) <= ALONE * largest:
        return np.asarray(vectors[:, -1] * math.copysign(1.0, vectors[0, -1]))
    m = largest - abs(along[-1])
    for _ in range(NEWTON_STEPS):
        gaps = [value - m for value in (*others, largest)]
        squares = [(part / gap) ** 2 for part, gap in zip(along, gaps, strict=True)]
        slope = 2.0 * sum(square / gap for square, gap in zip(squares, gaps, strict=True))
        if slope <= 0.0:
            return None
        m -= (sum(squares) - 1.0) / slope
        if m <= others[-1]:
            return None
    return np.asarray(vectors @ ((b @ vectors) / (values - m)))
