"""The theorem of COP-PCA: bounding the l2 norm at a fixed l1 norm has the solutions of the model with both swapped.

L1(t) maximises w'Sw with ||w|| <= 1 and ||w||_1 <= t; L2(s) does with ||w||^2 <= s and ||w||_1 <= c.  Theorem 1 says
that w_1(t) = (t / c) w_2(c^2 / t^2) and w_2(s) = sqrt(s) w_1(c / sqrt(s)).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import minimize

from published_checks.claims import add, at_most, zero
from published_checks.estimators import Array, fit_covariance
from published_checks.paths import COP, path, spectra
from published_checks.plain import decaying

SIZE = 6
STARTS = 12
SHARES = (0.15, 0.4, 0.65, 0.9)
"""Where along the path: 0 at its start, where s = 1 and t = c; 1 at its end, where s = c^2 and t = 1."""


@cache
def small(seed: int) -> tuple[Array, float]:
    """Return a covariance and the l1 norm of its leading eigenvector."""
    S = np.cov(decaying(seed, 200, SIZE).T, bias=True)
    return S, float(np.abs(np.linalg.eigh(S)[1][:, -1]).sum())


def largest(S: Array, square: float, length: float) -> Array:
    """Maximise w'Sw with w'w <= square and ||w||_1 <= length, by sequential quadratic programming from many starts.

    With w = u - v and u, v >= 0 the bound on the l1 norm is linear.
    """
    d = len(S)
    signs = np.concatenate([np.eye(d), -np.eye(d)])
    bounds = [
        {"type": "ineq", "fun": lambda x: square - x @ signs @ signs.T @ x, "jac": lambda x: -2 * signs @ signs.T @ x},
        {"type": "ineq", "fun": lambda x: length - x.sum(), "jac": lambda x: -np.ones_like(x)},
    ]
    rng, best, value = np.random.default_rng(0), np.zeros(d), 0.0
    for _ in range(STARTS):
        start = rng.standard_normal(d)
        start *= min(np.sqrt(square) / np.linalg.norm(start), length / np.abs(start).sum())
        found = minimize(
            lambda x: -x @ signs @ S @ signs.T @ x,
            np.concatenate([np.maximum(start, 0.0), np.maximum(-start, 0.0)]),
            jac=lambda x: -2 * signs @ S @ signs.T @ x,
            bounds=[(0.0, None)] * (2 * d),
            constraints=bounds,
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        w = found.x @ signs
        if found.success and w @ S @ w > value:
            best, value = w, float(w @ S @ w)
    return best * np.sign(best[np.abs(best).argmax()])


def discrepancy(forward: bool) -> float:
    """Return how far the two sides of the theorem are apart, each found on its own, relative to its length."""
    worst = 0.0
    for seed in range(3):
        S, c = small(seed)
        for share in SHARES:
            s = 1 + share * (c**2 - 1)
            t = c / np.sqrt(s)
            w_1, w_2 = largest(S, 1.0, t), largest(S, s, c)
            left, right = (w_1, t / c * w_2) if forward else (w_2, np.sqrt(s) * w_1)
            worst = max(worst, float(np.linalg.norm(left - right) / np.linalg.norm(left)))
    return worst


WHERE = f"3 random matrices of {SIZE} variables, {len(SHARES)} bounds each, both models solved on their own"
add(
    "22.1",
    "cop",
    f"{WHERE}: difference of w_1(t) from (t/c) w_2(c^2/t^2), relative",
    zero(1e-5),
    lambda: discrepancy(forward=True),
    f"{COP}, Theorem 1",
)
add(
    "22.1",
    "cop",
    f"{WHERE}: difference of w_2(s) from sqrt(s) w_1(c/sqrt(s)), relative",
    zero(1e-5),
    lambda: discrepancy(forward=False),
    f"{COP}, Theorem 1",
)


def shortfall(name: str) -> float:
    """Return how much less the path explains than a local solution of L1(t) with its own t, %, at the worst.

    SCoTLASS exceeds the bound where too many features tie; such points say nothing.
    """
    S, found = spectra()[name], path(name)
    worst = 0.0
    for step in np.linspace(0, found.n_steps, 21).astype(int)[1:-1]:
        w = found.iterate(step)
        w = w / np.linalg.norm(w)
        model = fit_covariance("scotlass", S, n_components=1, bound=float(np.abs(w).sum()), init="multi")
        if model.bound_met_[0]:
            worst = max(worst, 100 * (1 - w @ S @ w / model.objective_[0]))
    return worst


for name in spectra():
    add(
        "22.7",
        "cop",
        f"{name}, 1000 steps, 19 points of the path: largest gap to SCoTLASS of the same l1 norm, %",
        at_most(0.1, 0.01),
        lambda name=name: shortfall(name),
        f"{COP}, section 2.5: the path tracks the exact one",
    )
