"""The Fantope, and two ways to maximise ``tr SZ - lam sum |Z|`` over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spcabench_methods.core.arrays import Array, Indices
from spcabench_methods.core.eigenvectors import leading_eigenvectors

BALANCE = 10.0
"""ADMM doubles or halves its penalty if one of its two residuals is so many times the other."""


class Fantope:
    """The symmetric matrices Z with ``0 <= Z <= I`` and trace r, the convex hull of the projectors of rank r.

    Parameters
    ----------
    r : int
    """

    def __init__(self, r: int) -> None:
        self.r = r
        self._wanted = r + 2

    def nearest(self, A: Array) -> Array:
        """Project a symmetric matrix: its eigenvalues g become min(max(g - shift, 0), 1).

        Only the eigenvectors above the shift are computed: as many as in the last projection, then twice as many.
        """
        while True:
            values, vectors = leading_eigenvectors(A, min(self._wanted, len(A)))
            weights = np.clip(values - shift(values, self.r), 0.0, 1.0)
            if len(values) == len(A) or weights[-1] == 0.0:
                break
            self._wanted *= 2
        kept = int(np.count_nonzero(weights))
        self._wanted = kept + 2
        V = vectors[:, :kept]
        return np.asarray((V * weights[:kept]) @ V.T)


def shift(values: Array, r: int) -> float:
    """Return the t with ``sum min(max(values - t, 0), 1) = r``, for at least r values.

    The sum falls linearly between the numbers at which a term begins or ends to fall, the values less 1 and the values.
    """
    knots = np.concatenate([values - 1.0, values])
    order = np.argsort(knots, kind="stable")
    knots = knots[order]
    falling = np.where(order < len(values), 1.0, -1.0).cumsum()
    sums = len(values) - np.append(0.0, falling[:-1] * np.diff(knots)).cumsum()
    last = int(np.flatnonzero(sums >= r)[-1])
    return float(knots[last] + (sums[last] - r) / max(falling[last], 1.0))


class Selected(NamedTuple):
    """An approximate maximiser of ``tr SZ - lam sum |Z|`` over the Fantope.

    Parameters
    ----------
    Z : ndarray of shape (m, m)
        With exact zeros.
    P : ndarray of shape (m, m)
        Close to Z, and in the Fantope.
    U : ndarray of shape (m, m)
        A dual solution: ``|U| <= lam``.
    n_iter : int
    converged : bool
    """

    Z: Array
    P: Array
    U: Array
    n_iter: int
    converged: bool


Solver = Callable[[Array, int, float, float, int], Selected]
"""``solver(S, r, lam, tol, max_iter)`` maximises over the Fantope of trace r."""


def by_admm(S: Array, r: int, lam: float, tol: float, max_iter: int) -> Selected:
    """Alternate between the Fantope and soft thresholds, with multipliers for the difference of the two."""
    fantope, rho = Fantope(r), float(np.abs(S).max())
    Z, U = np.zeros_like(S), np.zeros_like(S)
    for n_iter in range(1, max_iter + 1):
        P = fantope.nearest(Z - U + S / rho)
        old, V = Z, P + U
        U = np.clip(V, -lam / rho, lam / rho)
        Z = V - U
        dual = rho * U
        primal_residual, dual_residual = np.linalg.norm(P - Z), rho * np.linalg.norm(Z - old)
        if max(primal_residual, dual_residual) <= tol * np.sqrt(r):
            return Selected(Z, P, dual, n_iter, True)
        if primal_residual > BALANCE * dual_residual:
            rho, U = 2.0 * rho, U / 2.0
        elif dual_residual > BALANCE * primal_residual:
            rho, U = rho / 2.0, 2.0 * U
    return Selected(Z, P, dual, max_iter, False)


def by_gradient(step: float) -> Solver:
    """Return the solver that takes gradient steps on S of this length, and combines the two proximal operators."""

    def solve(S: Array, r: int, lam: float, tol: float, max_iter: int) -> Selected:
        fantope = Fantope(r)
        V = leading_eigenvectors(S, r)[1]
        P = V @ V.T
        first = second = P
        for n_iter in range(1, max_iter + 1):
            old, P = P, fantope.nearest(second + step * S)
            first = 0.5 * (first - second) + P
            dual = np.clip(first, -step * lam, step * lam)
            Z = first - dual
            second = 0.5 * (second - first) + Z
            if max(np.linalg.norm(P - old), np.linalg.norm(P - Z)) <= tol * np.sqrt(r):
                return Selected(Z, P, dual / step, n_iter, True)
        return Selected(Z, P, dual / step, max_iter, False)

    return solve


def screened(S: Array, r: int, lam: float) -> Indices:
    """Return the features that Z needs: those with a covariance above lam, and of the others the r of largest variance.

    Some optimal Z has nothing but its diagonal entries in the rows of the others, as the mean of Z and its copy with
    the signs of such a row flipped is no worse, nor is one that has moved these entries to larger variances.
    """
    kept = strongest_covariances(S) > lam
    kept[np.lexsort((-S.diagonal(), kept))[:r]] = True
    return np.flatnonzero(kept)


def strongest_covariances(S: Array) -> Array:
    """Return the largest magnitude of each column off the diagonal."""
    magnitudes = np.abs(S)
    np.fill_diagonal(magnitudes, 0.0)
    return np.asarray(magnitudes.max(axis=0))


class Bounded(NamedTuple):
    """A solution on the features that are left, its objective and an upper bound of all objectives."""

    kept: Indices
    solution: Selected
    objective: float
    upper_bound: float


def maximise(solve: Solver, S: Array, r: int, lam: float, tol: float, max_iter: int) -> Bounded:
    """Screen the features, solve, and bound: no objective exceeds the sum of the r largest eigenvalues of S - U."""
    kept = screened(S, r, lam)
    inner = S[np.ix_(kept, kept)]
    found = solve(inner, r, lam, tol, max_iter)
    outer = np.delete(S.diagonal(), kept)
    values = np.append(np.linalg.eigvalsh(inner - found.U), np.maximum(outer - lam, 0.0))
    objective = float(np.vdot(inner, found.P)) - lam * float(np.abs(found.P).sum())
    return Bounded(kept, found, objective, float(np.sort(values)[len(values) - r :].sum()))
