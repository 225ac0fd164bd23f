"""Upper bounds of w'Sw over unit vectors w with at most k nonzeros, each by a formula, none broken by rounding."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky
from scipy.optimize import minimize_scalar

from spcabench_methods.certified.weighted_rows import SLACK, better_weights, row_sums
from spcabench_methods.core.arrays import EPS, Array, Indices, largest_sums
from spcabench_methods.core.eigenvectors import leading_eigenvectors

MOST_DECOMPOSED, MOST_FACTORED = 600, 5000
"""A matrix of more features than this is not decomposed; of more than that, not even factored."""

STEPS = (1e-10, 1e-6)
"""What is added to the largest eigenvalue that iterations found, as a share of it, until it is proved to be a bound."""

PRINTED = 1e-6
"""An eigenvalue may be this share of the norm below zero where a covariance was printed with few digits."""


def largest_eigenvalue(S: Array) -> float:
    """Return an upper bound of the largest eigenvalue of a symmetric matrix.

    It is tight up to rounding, or by a share of 1e-10 if a factorisation proves what iterations found.  Of a matrix too
    large to factor it is the Frobenius norm.
    """
    n, norm = len(S), float(np.linalg.norm(S))
    if n <= MOST_DECOMPOSED:
        return float(np.linalg.eigvalsh(S)[-1]) + 4 * n * EPS * norm
    if n <= MOST_FACTORED:
        found = float(leading_eigenvectors(S, 1)[0][0])
        for step in STEPS:
            bound = found * (1 + step)
            if semidefinite(bound * np.eye(n) - S):
                return bound + 4 * n * EPS * norm
    return norm


def dip(S: Array) -> float:
    """Return how far the eigenvalues of a covariance may lie below zero; infinite if S is clearly indefinite."""
    norm = float(np.linalg.norm(S))
    if norm == 0:
        return 0.0
    shifts = (norm * share for share in (len(S) * EPS, PRINTED))
    return next((shift for shift in shifts if semidefinite(S + shift * np.eye(len(S)))), np.inf)


def semidefinite(S: Array) -> bool:
    """Return whether S has a Cholesky factor, so that rounding alone can make an eigenvalue negative."""
    try:
        cholesky(S, lower=True, check_finite=False)
    except LinAlgError:
        return False
    return True


def dual_bound(S: Array, support: Indices, k: int | None = None, n_penalties: int = 100) -> float:
    """Bound by duality (d'Aspremont, Bach and El Ghaoui 2008), tight where `support` is provably optimal.

    Every penalty rho > 0 yields a bound.  With S = A'A, a unit vector x determines matrices Y_i that are at least 0 and
    at least a_i a_i' - rho I; the largest eigenvalue of their sum, plus rho k, bounds w'Sw for all w with k nonzeros.

    Parameters
    ----------
    S : ndarray of shape (n_features, n_features)
        Symmetric, positive semidefinite.
    support : ndarray of int
        The support in question; its scores are x.
    k : int, optional
        The cardinality; by default that of `support`.
    n_penalties : int, default=100
        Size of the grid from which the best penalty is refined.

    Returns
    -------
    float
    """
    k = len(support) if k is None else k
    values, vectors = np.linalg.eigh(S)
    positive = values > len(S) * EPS * max(values[-1], 0.0)
    if not positive.any():
        return 0.0
    A = np.sqrt(values[positive])[:, None] * vectors[:, positive].T
    x = np.linalg.svd(A[:, support], full_matrices=False)[0][:, 0]
    shares = np.sort((A.T @ x) ** 2)[::-1]

    def bound(rho: float) -> float:
        return penalised_bound(A, x, rho) + rho * k

    grid = np.linspace(0.0, shares[0], n_penalties + 2)[1:-1]
    if k < len(shares) and shares[k] < shares[k - 1]:
        grid = np.sort(np.append(grid, np.linspace(shares[k], shares[k - 1], 5)[1:-1]))
    bounds = [bound(rho) for rho in grid]
    best = int(np.argmin(bounds))
    around = (grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    refined = minimize_scalar(bound, bounds=around, method="bounded", options={"xatol": 1e-9 * shares[0]})
    return min(bounds[best], float(refined.fun), float(values[-1]))


def penalised_bound(A: Array, x: Array, rho: float) -> float:
    """Bound w'A'A w - rho nnz(w) over unit vectors w: the largest eigenvalue of the sum of all Y_i."""
    products = A.T @ x
    excess = products**2 - rho
    inside, outside = excess > 1e-12 * rho, excess < -1e-12 * rho
    if not np.all(inside | outside):
        return np.inf
    B = (A[:, inside] * products[inside] - rho * x[:, None]) / np.sqrt(excess[inside])
    rest = A[:, outside] - np.outer(x, products[outside])
    norms = np.linalg.norm(rest, axis=0)
    lengths = np.sum(A[:, outside] ** 2, axis=0)
    weights = np.maximum(rho * (lengths - rho) / -excess[outside], 0.0)
    C = rest * (np.sqrt(weights) / np.where(norms > 0.0, norms, 1.0))
    Y = B @ B.T + C @ C.T
    return float(np.linalg.eigvalsh(Y)[-1])


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
        "weighted_row": weighted_row_bound(S, k, np.abs(vectors[:, 0])),
    }
    if len(S) <= MOST_FACTORED:
        found |= {"eigenvalue": largest_eigenvalue(S), "trace": trace_bound(S, k)}
    if len(S) <= MOST_DECOMPOSED:
        found["support_dual"] = dual_bound(S, support, k) + 4 * len(S) * EPS * found["eigenvalue"]
    return {kind: bound * (1 + SLACK + k * EPS) for kind, bound in found.items()}


def _circles(S: Array, k: int) -> Array:
    return row_sums(S, np.arange(len(S)), np.zeros(len(S), dtype=bool), k, np.ones(len(S)))[0]


def rounding(S: Array, r: int) -> float:
    """Return what rounding may take from the sum of r eigenvalues."""
    return 4.0 * r * len(S) * EPS * float(np.linalg.norm(S))


@cache
def supports(d: int, k: int) -> NDArray[np.intp]:
    """Return all sets of k of d features, in rows."""
    return np.array(list(itertools.combinations(range(d), k)), dtype=np.intp)


def largest_eigenvalues(S: Array, found: Indices) -> Array:
    """Return the largest eigenvalue of S on each of some sets of features, in rows."""
    return np.asarray(np.linalg.eigvalsh(S[found[:, :, None], found[:, None, :]])[:, -1])


def eigenvector_on(S: Array, support: Indices) -> Array:
    """Return the leading eigenvector of S on some features, of which it has the entries."""
    return np.asarray(np.linalg.eigh(S[np.ix_(support, support)])[1][:, -1])
