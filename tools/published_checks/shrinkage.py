"""How RSPCA shrinks: fixed points, cardinalities, and minimisation on a grid."""

from __future__ import annotations

import numpy as np

from published_checks.claims import add, at_most, check, exactly, zero
from published_checks.estimators import Array, fit
from published_checks.plain import WHERE, centred, matrices, sparse, vectors


@check("21.7", "rspca", f"{WHERE}, k = 5, p = 0, 0.5, 1: how far a step moves its loading", zero(1e-8))
def rspca_fixed_point() -> object:
    worst = 0.0
    for X in matrices():
        for p in (0.0, 0.5, 1.0):
            w = fit("rspca", X, n_components=1, n_nonzero=5, p=p, random_state=0).components_[0]
            w = fit("rspca", X, n_components=1, n_nonzero=5, p=p, init=w, random_state=0).components_[0]
            v = centred(X).T @ np.sign(centred(X) @ w)
            u = sparse(v, 5, p)
            worst = max(worst, float(np.abs(u / np.linalg.norm(u) - w).max()))
    return worst


def alone(z: Array, k: int, p: float) -> Array:
    """Let the method shrink z: two samples, z and -z, have it as their signed sum."""
    w: Array = fit("rspca", np.array([z, -z]), n_components=1, n_nonzero=k, p=p, init=z, random_state=0).components_[0]
    return w if w @ z >= 0 else -w


@check("21.2", "rspca", "100 vectors, p = 0, 0.3, 0.5, 0.7, 1: cardinalities that are not k = 4", exactly(0))
def rspca_cardinality() -> object:
    return sum(np.count_nonzero(alone(z, 4, p)) != 4 for z in vectors(100) for p in (0.0, 0.3, 0.5, 0.7, 1.0))


def minimiser(v: float, lam: float, p: float) -> float:
    """Minimise (u - v)^2/2 + lam u^p over a grid of u, refined twice."""
    low, high = 0.0, v
    for _ in range(4):
        u = np.linspace(low, high, 2001)
        values = (u - v) ** 2 / 2 + lam * np.where(u > 0, u, 0.0) ** p * (u > 0)
        best = int(np.argmin(values))
        low, high = u[max(best - 1, 0)], u[min(best + 1, 2000)]
    return float(u[best])


for p in (0.3, 0.5, 0.7):

    def by_grid(p: float = p) -> float:
        worst = 0.0
        for z in vectors(20):
            theta = np.sort(np.abs(z))[-5]
            lam = (2 * (1 - p)) ** (1 - p) / (2 - p) ** (2 - p) * theta ** (2 - p)
            u = np.array([minimiser(b, lam, p) if b > theta else 0.0 for b in np.abs(z)])
            worst = max(worst, float(np.abs(u / np.linalg.norm(u) - np.abs(alone(z, 4, p))).max()))
        return worst

    add(
        "21.2",
        "rspca",
        f"20 vectors, k = 4, p = {p}, lambda* as printed: difference from minimisation on a grid",
        zero(1e-6),
        by_grid,
    )

for p, limit in ((0.001, 0.0), (0.999, 1.0)):

    def from_limit(p: float = p, limit: float = limit) -> float:
        return max(float(np.abs(alone(z, 4, p) - alone(z, 4, limit)).max()) for z in vectors(100))

    add("21.2", "rspca", f"100 vectors, k = 4, p = {p}: difference from p = {limit:g}", at_most(1e-2, 1e-5), from_limit)


@check("21.7", "rspca", f"{WHERE}, k = 1, p = 0: fixed points with more than one feature", exactly(0))
def rspca_single() -> object:
    return sum(fit("rspca", X, n_components=1, n_nonzero=1, random_state=0).n_nonzero_[0] != 1 for X in matrices())
