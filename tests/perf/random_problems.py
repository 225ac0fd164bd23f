"""Problems drawn at random, and a few lines of NumPy that make the same steps from the published start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TOL = 1e-6
LARGEST = 10_000_000
"""The most numbers of the samples of a problem."""


class Problem(NamedTuple):
    """Samples, the nonzeros of a component, how many components, a relative penalty, and a word for the kind."""

    X: Array
    k: int
    r: int
    rho: float
    kind: str

    @property
    def whole(self) -> bool:
        """Whether products are with S, and not with the samples."""
        n, d = self.X.shape
        return d <= n

    @property
    def name(self) -> str:
        """Its sizes."""
        n, d = self.X.shape
        return f"{self.kind} {n} x {d}, {self.r} of {self.k}"


def spikes(rng: np.random.Generator, n: int, d: int) -> Array:
    """Draw noise with some sparse directions of larger variance."""
    X = rng.standard_normal((n, d))
    for strength in rng.uniform(2.0, 10.0, rng.integers(1, 6)):
        features = rng.choice(d, max(2, int(d ** rng.uniform(0.2, 0.9))), replace=False)
        X[:, features] += strength * rng.standard_normal((n, 1)) / np.sqrt(len(features))
    return X


def decay(rng: np.random.Generator, n: int, d: int) -> Array:
    """Draw dense directions of falling variances."""
    m = min(n, d, 50)
    scores = rng.standard_normal((n, m)) * np.arange(1, m + 1) ** -rng.uniform(0.3, 1.5)
    return scores @ rng.standard_normal((m, d)) + 0.1 * rng.standard_normal((n, d))


def blocks(rng: np.random.Generator, n: int, d: int) -> Array:
    """Draw features in groups that share a score."""
    m = int(rng.integers(2, 20))
    return (
        rng.standard_normal((n, d))
        + (rng.uniform(0.5, 2.0, m) * rng.standard_normal((n, m)))[:, rng.integers(m, size=d)]
    )


def counts(rng: np.random.Generator, n: int, d: int) -> Array:
    """Draw whole numbers whose variances differ much."""
    rates = np.exp(rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) * 0.4 + rng.standard_normal(d) - 1.0)
    return rng.poisson(rates).astype(np.float64)


KINDS = {"spikes": spikes, "decay": decay, "blocks": blocks, "counts": counts}


def problems(seed: int, number: int) -> Iterator[Problem]:
    """Draw problems, their sizes evenly on a logarithmic scale."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        n, d = LARGEST, LARGEST
        while n * d > LARGEST:
            n, d = (int(np.exp(rng.uniform(*np.log(limits)))) for limits in ((20, 5000), (8, 8000)))
        kind = str(rng.choice(list(KINDS)))
        k = min(int(np.exp(rng.uniform(0.0, np.log(d)))), d - 1)
        r = int(rng.integers(1, min(8, n - 1, d // 2) + 1))
        yield Problem(KINDS[kind](rng, n, d), k, r, float(rng.uniform(0.01, 0.3)), kind)


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
    """Run SPCArt on the leading eigenvectors, with given cardinalities."""
    X, r = problem.X - problem.X.mean(axis=0), problem.r
    n, d = X.shape
    leading = np.linalg.eigh(X.T @ X if d <= n else X @ X.T)[1][:, : -r - 1 : -1]
    V = leading if d <= n else np.linalg.qr(X.T @ leading)[0]
    R, W = np.eye(r), np.zeros(V.shape)
    for _ in range(200):
        Z, old = V @ R.T, W
        keep = np.argpartition(-np.abs(Z), problem.k - 1, axis=0)[: problem.k]
        W = np.zeros(Z.shape)
        np.put_along_axis(W, keep, np.take_along_axis(Z, keep, axis=0), axis=0)
        W = W / np.sqrt((W**2).sum(axis=0))
        if ((W - old) ** 2).sum() <= 1e-4 * r:
            break
        left, _, right = np.linalg.svd(W.T @ V)
        R = left @ right
    return np.asarray(W.T)
