"""Fantope projection and selection: the optima on pitprops, what is known of Z, and two spikes."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from published_checks.claims import Expected, add, at_most, check, exactly, near, zero
from published_checks.estimators import Array, covariance, fit, known, of_fit
from published_checks.pitprops import enumerated

SOLVERS = ("admm", "gradient")
ONE = {0.1: 3.346005, 0.2: 2.648082, 0.3: 2.013737}
SUBSPACES = [
    (2, 0.1, 5.194169, 12, [1.0, 0.962]),
    (2, 0.2, 4.135356, 11, [1.0, 0.889]),
    (2, 0.3, 3.295737, 9, [1.0, 1.0]),
    (3, 0.1, 6.750189, 13, [1.0, 1.0, 1.0]),
    (3, 0.3, 4.364516, 11, [1.0, 1.0, 1.0]),
    (3, 0.5, 2.719342, 8, [1.0, 1.0, 1.0]),
    (6, 0.1, 9.367693, 13, [1.0, 1.0, 1.0, 1.0, 0.961, 0.752]),
    (6, 0.3, 6.506385, 13, [1.0, 1.0, 1.0, 0.995, 0.907, 0.693]),
]


BOUNDED = "optimum and its dual bound"
fps = partial(of_fit, "N1", data="pitprops", tol=1e-8)
for lam, phi in ONE.items():
    for name in ("fps", "grad_fps"):
        both: dict[str, Expected] = {BOUNDED: near([phi, phi], 1e-6)}
        fps(name, where=f"pitprops, lam = {lam}", expected=both, n_components=1, lam=lam)
add(
    "N1",
    "fps",
    "pitprops, lam = 0.1, 0.2, 0.3: iterations",
    near([79, 34, 33], 3.0),
    lambda: [known("fps", "pitprops", n_components=1, lam=lam, tol=1e-8).n_iter_ for lam in ONE],
)
for r, lam, phi, rows, values in SUBSPACES:
    where = f"pitprops, {r} components, lam = {lam}"
    joint = partial(fps, "fps_joint", n_components=r, lam=lam)
    for solver in SOLVERS:
        joint(where=f"{where}, {solver}", expected={BOUNDED: near([phi, phi], 1e-6)}, solver=solver)
    joint(where=where, expected={"features": near(rows, 0.0), "eigenvalues of Z": near(values, 6e-4)}, solver="admm")


def unrefitted() -> Any:
    return known("fps_joint", "pitprops", n_components=2, lam=0.3, tol=1e-8, refit=False)


@check("N1", "fps_joint", "pitprops, 2 components, lam = 0.3, unrefitted: nonzeros", exactly(7, 2))
def splits() -> object:
    return unrefitted().n_nonzero_


@check(
    "N1",
    "fps_joint",
    "pitprops, 2 components, lam = 0.3, unrefitted: eigenvalues of W'SW",
    near([3.9585, 1.7412], 5e-5),
)
def variances() -> object:
    W = unrefitted().components_
    return np.linalg.eigvalsh(W @ covariance("pitprops") @ W.T)[::-1]


@check("N1", "fps", "pitprops, k = 2..13 but 9: largest distance from the optimum", zero(1e-8))
def optima() -> object:
    found = {k: known("fps", "pitprops", n_components=1, n_nonzero=k) for k in range(2, 14)}
    return max(abs(enumerated(k)[0] - found[k].explained_variance_[0]) for k in found if k != 9)


@check("N1", "fps", "pitprops, k = 9: variance", near(4.1159, 5e-5))
def nine() -> object:
    return known("fps", "pitprops", n_components=1, n_nonzero=9).explained_variance_[0]


@cache
def spikes(seed: int) -> tuple[Array, Array]:
    """Draw 200 samples of 60 features with spikes of 9 on eight and of 4 on six of them."""
    V = np.zeros((2, 60))
    V[0, :8], V[1, 8:14] = 8**-0.5, 6**-0.5
    rng = np.random.default_rng(seed)
    return rng.standard_normal((200, 60)) + rng.standard_normal((200, 2)) @ (V * np.sqrt([[9.0], [4.0]])), V


def error(W: Array, V: Array) -> float:
    """Return the squared distance of two projectors."""
    return float(np.sum((W.T @ np.linalg.solve(W @ W.T, W) - V.T @ V) ** 2))


add(
    "N1",
    "fps_joint",
    "spikes on 8 and 6 of 60, 200 samples, lam = sqrt(log d / n), 3 draws: largest squared error of the projector",
    at_most(0.06, 1e-3),
    lambda: max(
        error(fit("fps_joint", X, n_components=2, lam=np.sqrt(np.log(60) / 200), refit=False).components_, V)
        for X, V in map(spikes, range(3))
    ),
)
