"""What the SPCArt paper proves: its bounds, as the largest excess over random inputs."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import check, zero
from published_checks.estimators import Array, fit, fit_covariance
from published_checks.plain import WHERE, centred, excess, matrices

SPCART = "Hu, Pan, Wang, Wu 2014 (SPCArt)"
VECTORS = "200 random unit vectors, d = 8"
LEVELS: dict[str, tuple[str, tuple[float, ...]]] = {
    "spcart_l0": ("threshold", (0.1, 0.3, 0.5)),
    "spcart_l1": ("threshold", (0.1, 0.3, 0.5)),
    "spcart_sp": ("n_nonzero", (7, 5, 2)),
    "spcart_en": ("energy", (0.05, 0.15, 0.4)),
}
D = 8


@cache
def unit_vectors() -> Array:
    Z = np.random.default_rng(0).standard_normal((200, D)) ** 3
    return np.asarray(Z / np.linalg.norm(Z, axis=1, keepdims=True))


@cache
def truncated(name: str, level: float) -> Array:
    """Truncate each vector z: the only loading of the covariance zz' is z, and one component is not rotated."""
    found = []
    for z in unit_vectors():
        fitted = fit_covariance(name, np.outer(z, z), n_components=1, **{LEVELS[name][0]: level})
        w = fitted.components_[0]
        found.append(w if w @ z >= 0 else -w)
    return np.array(found)


def sines(W: Array, Z: Array) -> Array:
    """Return the sines of the angles between lines; 1 for a zero vector."""
    rest = Z - W * (W * Z).sum(axis=1, keepdims=True)
    return np.where(W.any(axis=1), np.linalg.norm(rest, axis=1), 1.0)


def sparsities(W: Array) -> Array:
    return np.asarray(np.mean(W == 0, axis=1))


@check("23.5", "spcart_l0", f"{VECTORS}, Proposition 7: largest excess", zero(1e-8), SPCART)
def proposition_7() -> object:
    worst, Z = 0.0, unit_vectors()
    for level in LEVELS["spcart_l0"][1]:
        W = truncated("spcart_l0", level)
        cut = np.linalg.norm(np.where(np.abs(Z) > level, 0.0, Z), axis=1)
        s, kept = sparsities(W), W.any(axis=1)
        bounds = [np.abs(sines(W, Z) - cut)[kept]]
        if level < D**-0.5:
            bounds += [s - (1 - 1 / D), sines(W, Z) - np.sqrt(D - 1) * level]
        else:
            bounds += [1 - 1 / (D * level**2) - s, sines(W, Z) - 1]
        worst = max(worst, excess(*bounds))
    return worst


@check("23.5", "spcart_l1", f"{VECTORS}, Proposition 8: largest excess", zero(1e-8), SPCART)
def proposition_8() -> object:
    worst, Z = 0.0, unit_vectors()
    for level in LEVELS["spcart_l1"][1]:
        W = truncated("spcart_l1", level)
        kept = W.any(axis=1)
        cut = np.linalg.norm(np.where(np.abs(Z) > level, 0.0, Z), axis=1)
        upper = np.sqrt(cut**2 + level**2 * np.count_nonzero(W, axis=1))
        s, sine = sparsities(W), sines(W, Z)
        limit = s - (1 - 1 / D) if level < D**-0.5 else 1 - 1 / (D * level**2) - s
        worst = max(worst, excess(limit, (cut - sine)[kept], (sine - upper)[kept]))
    return worst


@check(
    "23.5", "spcart_l1", f"{VECTORS}, Corollary 9: largest excess of T-l0's deviation over T-l1's", zero(1e-8), SPCART
)
def corollary_9() -> object:
    Z = unit_vectors()
    return max(
        excess(sines(truncated("spcart_l0", level), Z) - sines(truncated("spcart_l1", level), Z))
        for level in LEVELS["spcart_l1"][1]
    )


@check("23.5", "spcart_sp", f"{VECTORS}, Proposition 10: largest excess", zero(1e-8), SPCART)
def proposition_10() -> object:
    worst, Z = 0.0, unit_vectors()
    for k in LEVELS["spcart_sp"][1]:
        W = truncated("spcart_sp", k)
        zeros = D - k
        worst = max(worst, excess(np.abs(sparsities(W) - zeros / D), sines(W, Z) - np.sqrt(zeros / D)))
    return worst


@check("23.5", "spcart_en", f"{VECTORS}, Proposition 11: largest excess", zero(1e-8), SPCART)
def proposition_11() -> object:
    worst, Z = 0.0, unit_vectors()
    for share in LEVELS["spcart_en"][1]:
        W = truncated("spcart_en", share)
        s = sparsities(W)
        worst = max(worst, excess(np.floor(share * D) / D - s, s - (1 - 1 / D), sines(W, Z) - np.sqrt(share)))
    return worst


RUNS = [("spcart_l0", {}), ("spcart_l1", {}), ("spcart_sp", {"n_nonzero": 5}), ("spcart_en", {"energy": 0.15})]


def rotated(W: Array, V: Array) -> tuple[Array, Array]:
    """Rotate eigenvectors to the loadings: Z, and W'V's singular values."""
    U, values, Vt = np.linalg.svd(W.T @ V)
    return V @ (U @ Vt).T, values


def settled(name: str, X: Array, **level: Any) -> tuple[Array, Array, bool]:
    fitted = fit(name, X, n_components=3, tol=1e-12, max_iter=5000, **level)
    return fitted.components_.T, fit("pca", X, n_components=3).components_.T, bool(fitted.converged_.all())


@check("23.5", "spcart_l0", f"{WHERE}, all truncations, Proposition 6: largest excess", zero(1e-8), SPCART)
def proposition_6() -> object:
    worst = 0.0
    for X in matrices():
        for name, level in RUNS:
            W, V, _ = settled(name, X, **level)
            angles = np.arcsin(np.minimum(sines(W.T, rotated(W, V)[0].T), 1.0))
            for i, j in itertools.combinations(range(3), 2):
                total = angles[i] + angles[j]
                worst = max(worst, abs(W[:, i] @ W[:, j]) - (np.sin(total) if total <= np.pi / 2 else 1.0))
    return worst


@check("23.5", "all methods", f"{WHERE}, 50 random W, Theorem 12: largest excess", zero(1e-8), SPCART)
def theorem_12() -> object:
    worst, rng = 0.0, np.random.default_rng(0)
    for X in matrices():
        A = centred(X)
        values, Vt = np.linalg.svd(A, full_matrices=False)[1:]
        for _ in range(50):
            W = rng.standard_normal((A.shape[1], 3))
            smallest = np.linalg.svd(W.T @ Vt[:3].T)[1].min()
            worst = max(worst, 1 - np.linalg.norm(A @ W) ** 2 / (smallest**2 * (values[:3] ** 2).sum()))
    return worst


@check("23.5", "spcart_l0", f"{WHERE}, all truncations, Theorem 13 at fixed points: largest excess", zero(1e-8), SPCART)
def theorem_13() -> object:
    worst = 0.0
    for X in matrices():
        for name, level in RUNS:
            W, V, converged = settled(name, X, **level)
            if converged:
                A, Z = centred(X), rotated(W, V)[0]
                angle = np.arcsin(np.minimum(sines(W.T, Z.T), 1.0)).max()
                factor = np.cos(angle) ** 2 - np.sqrt(2) * np.sin(2 * angle)
                worst = max(worst, factor - np.linalg.norm(A @ W) ** 2 / np.linalg.norm(A @ V) ** 2)
    return worst


@check("23.5", "spcart_l0", f"{WHERE}, all truncations, fixed points: asymmetry of Z'W", zero(1e-8), SPCART)
def symmetry() -> object:
    worst = 0.0
    for X in matrices():
        for name, level in RUNS:
            W, V, converged = settled(name, X, **level)
            M = rotated(W, V)[0].T @ W
            worst = max(worst, float(np.abs(M - M.T).max()) if converged else 0.0)
    return worst


@check("3", "st", f"{VECTORS}, threshold 0.3: Propositions 7 and 10 with z = v, largest excess", zero(1e-8), SPCART)
def bounds_of_thresholding() -> object:
    worst = 0.0
    for z in unit_vectors():
        hard = fit_covariance("st", np.outer(z, z), n_components=1, threshold=0.3).components_
        kept = fit_covariance("st", np.outer(z, z), n_components=1, n_nonzero=5).components_
        worst = max(worst, excess(sines(hard, z[None]) - np.sqrt(D - 1) * 0.3, sines(kept, z[None]) - np.sqrt(3 / D)))
    return worst
