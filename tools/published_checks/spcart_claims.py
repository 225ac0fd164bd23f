"""What the SPCArt paper says in words: normalisation, simple thresholding, EV beside CPEV, greed, linear cost."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from published_checks.claims import add, at_least, at_most, check, near, zero
from published_checks.cop_claims import fit_seconds
from published_checks.estimators import Array, covariance, dataset, fit, fit_covariance, known, measured
from published_checks.plain import WHERE, centred, matrices, slope, vectors
from published_checks.propositions import SPCART, settled


def shares(W: Array, S: Array) -> tuple[float, float]:
    """Return EV and CPEV of loadings in columns, as shares of the variance."""
    basis = np.linalg.qr(W)[0]
    return float(np.trace(W.T @ S @ W) / np.trace(S)), float(np.trace(basis.T @ S @ basis) / np.trace(S))


def alternated(V: Array, scaled: bool) -> Array:
    """Rotate and truncate by T-l0 with 1/sqrt(d), columns scaled to unit length or left as they are."""
    R = np.eye(V.shape[1])
    for _ in range(200):
        Z = V @ R.T
        W = np.where(np.abs(Z) > len(V) ** -0.5, Z, 0.0)
        if scaled:
            W = W / np.maximum(np.linalg.norm(W, axis=0), 1e-300)
        U, _, Vt = np.linalg.svd(W.T @ V)
        R = U @ Vt
    return np.asarray(W)


def covariances() -> list[tuple[Array, int]]:
    found = [(covariance("pitprops"), 6), (covariance("hastie_exact"), 2)]
    return found + [(np.cov(X.T, bias=True), 3) for X in matrices()]


@check(
    "23.3",
    "spcart_l0",
    f"pitprops, hidden factors, {WHERE}: largest difference in CPEV without scaling",
    at_most(0.005, 0.001),
    f"{SPCART}, section 3.3: no significant difference",
)
def unscaled() -> object:
    worst = 0.0
    for S, r in covariances():
        V = np.linalg.eigh(S)[1][:, ::-1][:, :r]
        one, other = (shares(alternated(V, scaled), S)[1] for scaled in (True, False))
        worst = max(worst, abs(one - other))
    return worst


@check(
    "23.3",
    "spcart_l0",
    f"{WHERE}, threshold 0.2: difference of the first iteration from simple thresholding",
    zero(1e-10),
    f"{SPCART}, section 3.3: it starts as simple thresholding",
)
def first_iteration() -> object:
    worst = 0.0
    for X in matrices():
        one = fit("spcart_l0", X, n_components=3, threshold=0.2, max_iter=1).components_
        other = fit("st", X, n_components=3, threshold=0.2).components_
        worst = max(worst, float(np.abs(np.abs(one) - np.abs(other)).max()))
    return worst


LEVELS: dict[str, dict[str, Any]] = {
    "spcart_l0": {},
    "spcart_l1": {},
    "spcart_sp": {"n_nonzero": 5},
    "spcart_en": {"energy": 0.1},
}


def differences() -> list[tuple[float, float]]:
    """Return NOR and the relative difference of EV from CPEV, of SPCArt on pitprops and random matrices."""
    found = []
    for name, level in LEVELS.items():
        for S, r in covariances():
            W = fit_covariance(name, S, n_components=r, **level).components_
            ev, cpev = shares(W.T, S)
            G = W @ W.T
            found.append((float(np.abs(G - np.eye(r)).sum() / (r * (r - 1))), abs(ev - cpev) / cpev))
    return found


add(
    "23.5",
    "spcart_l0",
    f"pitprops, hidden factors, {WHERE}, all truncations, NOR of 0.05 or less: largest difference of EV from CPEV, %",
    at_most(5.0, 0.1),
    lambda: max(100 * off for nor, off in differences() if nor <= 0.05),
    f"{SPCART}, section 3.4: EV is near CPEV where loadings are nearly orthogonal",
)


def least_share() -> float:
    """Return the least EV of T-en with energy 0.05 at fixed points, as a share of PCA's."""
    found = []
    for X in matrices():
        W, V, converged = settled("spcart_en", X, energy=0.05)
        A = centred(X)
        found += [float(np.linalg.norm(A @ W) ** 2 / np.linalg.norm(A @ V) ** 2)] if converged else []
    return min(found)


add(
    "23.5",
    "spcart_en",
    f"{WHERE}, energy 0.05, fixed points: least EV as a share of PCA's",
    at_least(0.95, 0.001),
    least_share,
    f"{SPCART}, after Theorem 13: 95 % is guaranteed at 0.05",
)


def zeros_at(factor: float) -> int:
    """Count the vectors, the uniform one among them, that T-l0 with factor / sqrt(d) leaves without an entry."""
    Z = np.vstack([vectors(500), np.ones(9)])
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    return int(np.count_nonzero(~(np.abs(Z) >= factor / 3 * (1 - 1e-12)).any(axis=1)))


add(
    "23.5",
    "spcart_l0",
    "500 random vectors and a uniform one: how many 1/sqrt(d) truncates to zero",
    near(0, 0.0),
    lambda: zeros_at(1.0),
    f"{SPCART}, section 6: the largest threshold that leaves no zero vector",
)
add(
    "23.5",
    "spcart_l0",
    "the same with 1.01/sqrt(d)",
    at_least(1, 0.0),
    lambda: zeros_at(1.01),
    f"{SPCART}, section 6: the largest threshold that leaves no zero vector",
)


@check(
    "A2",
    "exact",
    "pitprops, six optima one after the other, k = 4: CPEV that other six of four lie above it",
    at_least(0.001, 0.0001),
    f"{SPCART}, section 1.2: deflation is greedy",
)
def greed() -> object:
    params = {"n_components": 6, "n_nonzero": 4}
    value = [
        float(measured("cpev", known(name, "pitprops", **params).components_, dataset("pitprops")))
        for name in ("gpower_l1", "exact")
    ]
    return value[0] - value[1]


def span_kept() -> float:
    """Return how far rotated eigenvectors explain less than the eigenvectors, over random rotations."""
    rng, worst = np.random.default_rng(0), 0.0
    for S, r in covariances():
        V = np.linalg.eigh(S)[1][:, ::-1][:, :r]
        R = np.linalg.qr(rng.standard_normal((r, r)))[0]
        worst = max(worst, abs(shares(V @ R, S)[1] - shares(V, S)[0]))
    return worst


add(
    "23.5",
    "all methods",
    f"pitprops, hidden factors, {WHERE}: difference of CPEV of rotated eigenvectors from that of PCA",
    zero(1e-10),
    span_kept,
    f"{SPCART}, Theorem 1 and section 3.1: any rotation of the eigenvectors is as good",
)


def truncation_is_best() -> float:
    """Return how far any other unit vector with k entries has a larger inner product than the k largest, at most."""
    from itertools import combinations

    worst = 0.0
    for z in vectors(50):
        kept = np.sort(np.abs(z))[-4:]
        best = max(float(np.linalg.norm(z[list(c)])) for c in combinations(range(len(z)), 4))
        worst = max(worst, best - float(np.linalg.norm(kept)))
    return worst


add(
    "23.5",
    "spcart_sp",
    "50 random vectors, k = 4 of 9: how far another support lies nearer than that of the largest entries",
    zero(1e-10),
    truncation_is_best,
    f"{SPCART}, section 3.3 and Appendix A: T-sp solves the problem with the l0 constraint",
)


def seconds(d: int, r: int = 10, rounds: int = 100) -> float:
    X = np.random.default_rng(0).standard_normal((100, d))
    return fit_seconds("spcart_l0", X, n_components=r, max_iter=rounds, tol=0.0)


add(
    "linear",
    "spcart_l0",
    "white noise, 100 iterations, n = 100, r = 10, d = 2000 .. 16000: exponent of the CPU seconds in d",
    at_most(1.15, 0.5),
    lambda: slope([2000, 4000, 8000, 16000], [seconds(d) for d in (2000, 4000, 8000, 16000)]),
    f"{SPCART}, section 3.2 and Table 1: linear in the dimension",
)
add(
    "linear",
    "spcart_l0",
    "white noise, 20 iterations, n = 100, d = 8000, r = 10 .. 80: exponent of the CPU seconds in r",
    at_most(2.5, 0.5),
    lambda: slope([10, 20, 40, 80], [seconds(8000, r, 20) for r in (10, 20, 40, 80)]),
    f"{SPCART}, Table 1, as the specification restores it: O(r^2 d + r^3) an iteration",
)


def led_by_the_first(power: float) -> float:
    """Return in how many of 500 covariances the longest column has more of the first eigenvector than of any other, %.

    The covariances have random eigenvectors of 20 features and the eigenvalues ``j ** -power``.
    """
    rng, count = np.random.default_rng(0), 0
    values = np.arange(1, 21.0) ** -power
    for _ in range(500):
        parts = values * np.linalg.qr(rng.standard_normal((20, 20)))[0] ** 2
        count += int(np.argmax(parts[np.argmax(parts.sum(axis=1))])) == 0
    return count / 5


for power, why in ((0.5, ""), (1.0, ""), (2.0, "")):
    add(
        "23.5",
        "gpower_l0",
        f"500 random covariances of 20 features, eigenvalues j^-{power:g}: how many have a longest column with more of "
        "the first eigenvector than of any other, %",
        at_least(50.0, 1.0),
        partial(led_by_the_first, power),
        f"{SPCART}, footnote 3: the longest column is likely to align with the first eigenvector",
        why,
    )
