"""Upper bounds of w'Sw over unit vectors w with at most k nonzeros, which certify a solution."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from spcabench_methods.core.arrays import EPS, Array, Indices
from spcabench_methods.core.eigenvectors import leading_eigenvectors


def trace_bound(S: Array, fixed: Indices, free: Indices, m: int) -> float:
    """Bound by the trace: all of `fixed` and any m of `free` are in the support."""
    variances = np.diagonal(S)
    return float(variances[fixed].sum() + largest_sums(variances[free], m))


def row_bound(S: Array, fixed: Indices, free: Indices, m: int, rows: Indices | None = None) -> float:
    """Bound by Gershgorin's theorem: no eigenvalue exceeds the largest row sum of magnitudes.

    The maximum is over all rows that can be in the support, including fixed ones; over fewer `rows` it is no bound.
    """
    sizes = np.abs(S[np.concatenate([fixed, free]) if rows is None else rows])
    return float(np.max(sizes[:, fixed].sum(axis=1) + largest_sums(sizes[:, free], m)))


def root_bound(S: Array, k: int) -> float:
    """Return the least of the trace bound, the row bound and the largest eigenvalue."""
    nothing, everything = np.empty(0, dtype=np.intp), np.arange(len(S))
    cheap = min(bound(S, nothing, everything, min(k, len(S))) for bound in (trace_bound, row_bound))
    return min(cheap, float(leading_eigenvectors(S, 1)[0][0]))


def largest_sums(values: Array, m: int) -> Array:
    """Sum the m largest along the last axis."""
    n = values.shape[-1]
    if m >= n:
        return np.asarray(values.sum(axis=-1))
    return np.asarray(np.partition(values, min(n - m, n - 1), axis=-1)[..., n - m :].sum(axis=-1))


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
    return float(leading_eigenvectors(Y, 1)[0][0])
