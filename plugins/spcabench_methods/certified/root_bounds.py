"""Upper bounds of w'Sw over unit vectors w with at most k nonzeros, each by a formula of its own."""

from __future__ import annotations

import math

import numpy as np

from spcabench_methods.certified.eigenvalue import MOST_DECOMPOSED, MOST_FACTORED, dip, largest_eigenvalue
from spcabench_methods.certified.support_dual import dual_bound
from spcabench_methods.certified.weighted_rows import SLACK, better_weights, row_sums
from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.eigenvectors import leading_eigenvectors
from spcabench_methods.core.largest_sums import largest_sums

PASSES = 60


def trace_bound(S: Array, k: int) -> float:
    """Return the sum of the k largest variances, and k times what the eigenvalues of S may lie below zero."""
    return float(largest_sums(S.diagonal(), k)) + k * dip(S)


def row_bound(S: Array, k: int) -> float:
    """Return Gershgorin's bound, ``max_i [S_ii + top_{k-1}(|S_ij|, j != i)]``."""
    return float(_circles(S, k).max())


def cassini_bound(S: Array, k: int) -> float:
    """Return Brauer's bound by ovals of Cassini.

    ``max (S_ii + S_jj + sqrt((S_ii - S_jj)^2 + 4 R_i R_j)) / 2`` over pairs i, j, with
    ``R_i = top_{k-1}(|S_ij|, j != i)``.
    """
    centres = S.diagonal()
    radii = _circles(S, k) - centres
    best = float(centres.max())
    for i in range(len(S) - 1):
        apart = np.hypot(centres[i] - centres[i + 1 :], 2 * np.sqrt(radii[i] * radii[i + 1 :]))
        best = max(best, float((centres[i] + centres[i + 1 :] + apart).max()) / 2)
    return best


def frobenius_bound(S: Array, k: int) -> float:
    """Return ``sqrt(top_k(h))`` with ``h_i = S_ii^2 + top_{k-1}(S_ij^2, j != i)``: no eigenvalue exceeds the norm."""
    return math.sqrt(float(largest_sums(_circles(S**2, k), k)))


def weighted_row_bound(S: Array, k: int, leading: Array) -> float:
    """Return the least of the weighted row sums that a few passes come to; see `weighted_rows`.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric, with a diagonal of at least 0.
    k : int
    leading : ndarray of shape (n_features,)
        Magnitudes of the leading eigenvector, from which the weights start.
    """
    p = np.maximum(leading / leading.max(), 0.05)
    everything, none = np.arange(len(S)), np.zeros(len(S), dtype=bool)
    best = math.inf
    for _ in range(PASSES):
        r, *_ = row_sums(S, everything, none, k, p)
        best = min(best, float(r.max()))
        p = better_weights(p, r)
    return best


def root_bounds(S: Array, k: int, support: Indices) -> dict[str, float]:
    """Return the bounds by name, each a factor of rounding above what its formula says.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric, positive semidefinite; every feature varies.  If there are many, those bounds that take long are
        left out.
    k : int
        From 1 to n_features.
    support : ndarray of int
        A good support, for the dual bound.
    """
    _, vectors = leading_eigenvectors(S, 1)
    found = {
        "row": row_bound(S, k),
        "cassini": cassini_bound(S, k),
        "frobenius": frobenius_bound(S, k),
        "weighted_row": weighted_row_bound(S, k, np.abs(vectors[:, 0])),
    }
    if len(S) <= MOST_FACTORED:
        found |= {"eigenvalue": largest_eigenvalue(S), "trace": trace_bound(S, k)}
    if len(S) <= MOST_DECOMPOSED:
        found["support_dual"] = dual_bound(S, support, k) + 4 * len(S) * EPS * found["eigenvalue"]
    return {kind: bound * (1 + SLACK + k * EPS) for kind, bound in found.items()}


def _circles(S: Array, k: int) -> Array:
    return row_sums(S, np.arange(len(S)), np.zeros(len(S), dtype=bool), k, np.ones(len(S)))[0]
