"""What the RSPCA paper says in words: its starts, its local optimum, its linear cost, and one toy draw."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import add, at_most, near
from published_checks.cop_claims import fit_seconds
from published_checks.estimators import Array, drawn, fit, supports
from published_checks.plain import WHERE, centred, matrices, slope

RSPCA = "Zhao, Meng, Xu 2014 (RSPCA)"
TRUE = "5 6 7 8; 1 2 3 4"
SETS: dict[str, dict[str, Any]] = {
    "noise of variance 4000": {"noise_variance": 4000.0},
    "outliers of variance 6000": {"outlier_variance": 6000.0},
}
DRAWS = 10


@cache
def factors(kind: str, seed: int) -> Array:
    X = drawn("hastie", seed, n=10_000, **SETS[kind]).X
    assert X is not None
    return X


def exact(kind: str, p: float, init: str) -> int:
    """Count the draws in which both true supports are found."""
    found = [
        supports(fit("rspca", factors(kind, s), n_components=2, n_nonzero=4, p=p, init=init, random_state=s))
        for s in range(DRAWS)
    ]
    return sum(one == TRUE for one in found)


STARTS = "the best of equal entries, PCA and a random start has a larger ||Xw||_1 and other features"
for kind in SETS:
    for init, reason in (("ones", ""), ("multi", STARTS)):
        what = f"hidden factors with {kind}, k = 4, p = 0, init = {init}: draws of {DRAWS} without the true supports"
        add(
            "start",
            "rspca",
            what,
            at_most(1, 0.0),
            lambda kind=kind, init=init: DRAWS - exact(kind, 0.0, init),
            f"{RSPCA}, section 2.5: the best of several starts",
            reason,
        )


def alike(kind: str) -> int:
    """Count the draws in which l1/2 by equation (13) has the loadings of l0, to four digits."""
    same = 0
    for s in range(DRAWS):
        one, other = (
            fit("rspca", factors(kind, s), n_components=2, n_nonzero=4, p=p, init="ones", random_state=0).components_
            for p in (0.0, 0.5)
        )
        same += bool(np.array_equal(np.round(one, 4), np.round(other, 4)))
    return same


for kind in SETS:
    add(
        "start",
        "rspca",
        f"hidden factors with {kind}, k = 4: draws of {DRAWS} in which l1/2 has the loadings of l0 to four digits",
        near(DRAWS, 0.0),
        lambda kind=kind: alike(kind),
        f"{RSPCA}, Tables 2 and 3",
        "by equation (13) l1/2 shrinks what it keeps; equal columns need another threshold",
    )


def better_nearby(p: float) -> int:
    """Count the fixed points that a small move within their support betters, of 10 starts on each matrix."""
    rng, count = np.random.default_rng(0), 0
    for X in map(centred, matrices()):
        for start in rng.standard_normal((10, X.shape[1])):
            fitted = fit("rspca", X, n_components=1, n_nonzero=4, p=p, init=start[None], random_state=0)
            w = fitted.components_[0]
            moves = rng.standard_normal((200, len(w))) * (w != 0) * 1e-4
            near_by = w + moves
            near_by /= np.linalg.norm(near_by, axis=1, keepdims=True)
            count += bool((np.abs(near_by @ X.T).sum(axis=1) > np.abs(X @ w).sum() * (1 + 1e-12)).any())
    return count


for p, reason in (
    (0.0, ""),
    (
        1.0,
        "the proof compares w with all vectors of the support, but a soft threshold is no maximum there",
    ),
):
    add(
        "start",
        "rspca",
        f"{WHERE}, k = 4, p = {p:g}, 40 fixed points: how many a move of 1e-4 within the support betters",
        near(0, 0.0),
        lambda p=p: better_nearby(p),
        f"{RSPCA}, Theorem 4 (iii)",
        reason,
    )


def seconds(n: int, d: int) -> float:
    X = np.random.default_rng(0).standard_normal((n, d))
    return fit_seconds("rspca", X, n_components=2, n_nonzero=20, p=0.0, init="ones", max_iter=20, tol=0.0)


add(
    "linear",
    "rspca",
    "white noise, 20 iterations, d = 200, n = 1000 .. 8000: exponent of the CPU seconds in n",
    at_most(1.15, 0.5),
    lambda: slope([1000, 2000, 4000, 8000], [seconds(n, 200) for n in (1000, 2000, 4000, 8000)]),
    f"{RSPCA}, section 2.7: linear in the size",
)
add(
    "linear",
    "rspca",
    "white noise, 20 iterations, n = 1000, d = 200 .. 1600: exponent of the CPU seconds in d",
    at_most(1.15, 0.5),
    lambda: slope([200, 400, 800, 1600], [seconds(1000, d) for d in (200, 400, 800, 1600)]),
    f"{RSPCA}, section 2.7: linear in the dimensionality",
)

ARES = {"pca": 1.0155, "pca_l1": 0.6286, "gpower_l0m": 1.0188, "(1, 0)": 0.5720, "(0, 1)": 1.25}


def toy_errors(height: float, variance: float) -> Array:
    """Return how many standard deviations the published ARE of PCA, PCA-L1 and (1, 0) are off, over 200 draws."""
    errors = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x = np.arange(-24, 26) / 10
        y = rng.standard_normal(50) * np.sqrt(variance)
        y[[37, 39]] = height
        points = np.column_stack([x, y])
        directions = [fit(name, points, n_components=1).components_[0] for name in ("pca", "pca_l1")]
        errors.append([np.linalg.norm(points - np.outer(points @ w, w), axis=1).mean() for w in (*directions, [1, 0])])
    table = np.array(errors)
    published = np.array([ARES["pca"], ARES["pca_l1"], ARES["(1, 0)"]])
    return np.asarray(np.abs(table.mean(axis=0) - published) / table.std(axis=0, ddof=1))


for height, variance, reason in (
    (7.0, 0.25, "the numbers fit outliers at 7.25 and a noise variance of 0.135 (checks.py start)"),
    (7.25, 0.135, ""),
):
    add(
        "start",
        "the toy",
        f"outliers at {height:g}, noise variance {variance:g}, 200 draws: standard deviations of the published ARE of "
        "PCA, PCA-L1 and (1, 0) from their means, the largest",
        at_most(1.0, 0.1),
        lambda height=height, variance=variance: toy_errors(height, variance).max(),
        f"{RSPCA}, Table 1",
        reason,
    )
add("start", "the toy", "x^2 over |x| at x = 5", near(5.0, 0.01), lambda: 5.0**2 / abs(5.0), f"{RSPCA}, Figure 1")
