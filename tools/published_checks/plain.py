"""Random matrices and plain computations that several families of checks share."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np

from published_checks.estimators import Array

SHAPES = ((0, 60, 12), (1, 200, 20), (2, 15, 40), (3, 6, 50))
WHERE = "random matrices, tall and wide"


@cache
def decaying(seed: int, n: int, d: int) -> Array:
    """Draw samples whose covariance has a decaying spectrum and generic eigenvectors."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return rng.standard_normal((n, d)) @ (basis * np.arange(1, d + 1) ** -0.6).T + rng.standard_normal(d)


def matrices() -> list[Array]:
    return [decaying(*shape) for shape in SHAPES]


def centred(X: Array) -> Array:
    return np.asarray(X - X.mean(axis=0))


def optimum(S: Array, k: int) -> float:
    return max(float(np.linalg.eigvalsh(S[np.ix_(c, c)])[-1]) for c in itertools.combinations(range(len(S)), k))


def sparse(v: Array, k: int, p: float) -> Array:
    """Shrink by the closed forms of section 21.2, the threshold being the (k+1)-th magnitude."""
    b = np.abs(v)
    theta = np.sort(b)[-k - 1]
    if p == 0.0:
        return np.where(b > theta, v, 0.0)
    if p == 1.0:
        return np.asarray(np.sign(v) * np.maximum(b - theta, 0.0))
    phi = np.arccos(np.sqrt(2) / 2 * (theta / np.maximum(b, theta)) ** 1.5)
    return np.where(b > theta, 2 / 3 * v * (1 + np.cos(2 * np.pi / 3 - 2 / 3 * phi)), 0.0)


def excess(*differences: Any) -> float:
    """Return how far the largest of the differences exceeds 0."""
    return max(0.0, *(float(np.max(difference)) for difference in differences))


def vectors(count: int, d: int = 9) -> Array:
    return np.random.default_rng(0).standard_normal((count, d))


def slope(sizes: list[int], seconds: list[float]) -> float:
    """Return the exponent of a power law through measured seconds, by least squares of the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
