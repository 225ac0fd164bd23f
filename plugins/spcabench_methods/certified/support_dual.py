"""The upper bound by duality, which a good support makes tight."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from spcabench_methods.core.arrays import EPS, Array, Indices


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
