"""A few lines of NumPy that make the same steps as TPower, GPower and SPCArt from the published start."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOL = 1e-6


class Problem(NamedTuple):
    """Samples, the nonzeros of a component, how many components, and a relative penalty."""

    X: Array
    k: int
    r: int
    rho: float

    @property
    def whole(self) -> bool:
        """Whether products are with S, and not with the samples: if that pays for few products."""
        n, d = self.X.shape
        return d <= min(n, 100)


def centred(problem: Problem) -> Array:
    """Return S, or the centred samples."""
    X = problem.X - problem.X.mean(axis=0)
    return X.T @ X / len(X) if problem.whole else X


def deflated(problem: Problem, step: Callable[[Callable[[Array], Array], Array], Array]) -> Array:
    """Find loadings one after another, each after the projection of those before it."""
    A, whole, r = centred(problem), problem.whole, problem.r
    found, n = [], len(A)
    for j in range(r):
        times = (lambda w, A=A: A @ w) if whole else (lambda w, A=A: A.T @ (A @ w) / n)  # type: ignore[misc]
        variances = A.diagonal() if whole else np.einsum("ij,ij->j", A, A) / n
        w = step(times, variances)
        found.append(w)
        if j + 1 < r:
            product = A @ w
            if whole:
                half = product - 0.5 * (w @ product) * w
                A = A - np.outer(half, w) - np.outer(w, half)
            else:
                A = A - np.outer(product, w)
    return np.array(found)


def started(times: Callable[[Array], Array], variances: Array) -> tuple[Array, float]:
    """Return the product with the feature of largest variance, and this."""
    w = np.zeros(len(variances))
    w[variances.argmax()] = 1.0
    return times(w), float(variances.max())


def tpower(problem: Problem) -> Array:
    """Run TPower."""

    def step(times: Callable[[Array], Array], variances: Array) -> Array:
        z, old = started(times, variances)[0], -np.inf
        for _ in range(1000):
            w = np.zeros_like(z)
            keep = np.argpartition(-np.abs(z), problem.k - 1)[: problem.k]
            w[keep] = z[keep] / np.sqrt(z[keep] @ z[keep])
            z = times(w)
            variance = w @ z
            if abs(variance - old) < TOL * variance:
                break
            old = variance
        return w

    return deflated(problem, step)


def gpower(problem: Problem, shrink: float) -> Array:
    """Run GPower, "l0" with ``shrink=0`` and "l1" with 1."""

    def step(times: Callable[[Array], Array], variances: Array) -> Array:
        c, largest = started(times, variances)
        level = problem.rho * np.sqrt(largest) if shrink else np.sqrt(problem.rho * largest)
        c, old = c / np.sqrt(largest), 0.0
        for n_iter in range(1, 1001):
            size = np.abs(c)
            t = np.where(size > level, np.copysign(size - shrink * level, c), 0.0)
            gain = t @ t - (0.0 if shrink else level**2 * np.count_nonzero(t))
            St = times(t)
            c = St / np.sqrt(t @ St)
            if n_iter > 2 and abs(gain - old) < TOL * old:
                break
            old = gain
        return np.asarray(t / np.sqrt(t @ t))

    return deflated(problem, step)


def spcart(problem: Problem) -> Array:
    """Run SPCArt on the leading eigenvectors, with hard thresholds."""
    X, r = problem.X - problem.X.mean(axis=0), problem.r
    n, d = X.shape
    leading = np.linalg.eigh(X.T @ X if d <= n else X @ X.T)[1][:, : -r - 1 : -1]
    V = leading if d <= n else np.linalg.qr(X.T @ leading)[0]
    R, W = np.eye(r), np.zeros(V.shape)
    for _ in range(200):
        Z, old = V @ R.T, W
        W = np.where(np.abs(Z) > d**-0.5, Z, 0.0)
        W = W / np.sqrt((W**2).sum(axis=0))
        if ((W - old) ** 2).sum() <= 1e-4 * r:
            break
        left, _, right = np.linalg.svd(W.T @ V)
        R = left @ right
    return np.asarray(W.T)
