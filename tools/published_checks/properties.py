"""What is true of every registered method (section 0.7), and of the projection pursuit on a grid.

The tests of the methods hold what else the sections 0.1, 0.2 and 0.7 ask of every method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Same, add, at_most, check, exactly, near, zero
from published_checks.estimators import Array, fit, fit_covariance, registry
from published_checks.plain import decaying, optimum

K = 4


def names(*, cardinality: bool = False, moments: bool = False, seeded: bool = True) -> Iterator[str]:
    """Name built-in methods: those with a cardinality, of second moments alone, or also those with random starts."""
    for name in registry().methods:
        spec = registry().methods[name]
        wanted = registry().methods.origins[name].startswith("spcabench_methods.")
        wanted &= not cardinality or spec.knob.kind == "cardinality"
        wanted &= not moments or "samples" not in spec.requires
        if wanted and (seeded or "random_state" not in spec.parameters):
            yield name


def loadings(name: str, X: Array, **params: Any) -> Array:
    """Fit two components, of K nonzeros where a method takes a number."""
    spec = registry().methods[name]
    if spec.knob.kind == "cardinality":
        params["n_nonzero"] = K
    if "random_state" in spec.parameters:
        params["random_state"] = 0
    W: Array = fit(name, X, n_components=2, **params).components_
    return W


@cache
def samples() -> Array:
    return decaying(0, 60, 12)


@cache
def plain(name: str) -> Array:
    return loadings(name, samples())


def worst(difference: Callable[[str], float], **which: bool) -> float:
    return max(difference(name) for name in names(**which))


def broken(holds: Callable[[str], bool], **which: bool) -> str:
    """Name the methods of which it is not true."""
    return ", ".join(name for name in names(**which) if not holds(name)) or "none"


WHERE = "random matrix, 60 x 12, 2 components"
EVERY, CARDINALITY, MOMENTS = "every method", "every method with a cardinality", "every method of second moments"


@check("0.7", CARDINALITY, f"{WHERE}, k = 4: methods with more nonzeros", Same("none"))
def cardinalities() -> object:
    return broken(lambda name: bool(np.all(np.count_nonzero(plain(name), axis=1) <= K)), cardinality=True)


@check("0.7", EVERY, f"{WHERE}: how far w'Sw of the first exceeds the optimum for as many nonzeros", zero())
def bounded() -> object:
    S = np.cov(samples().T, bias=True)
    best = {k: optimum(S, k) for k in range(1, 13)}

    def excess(name: str) -> float:
        w = plain(name)[0]
        return float(w @ S @ w) - best[np.count_nonzero(w)] if w.any() else 0.0

    return max(0.0, worst(excess))


@check(
    "12",
    "gpower_l1",
    "random matrix, rho = 0.1, .. 0.9: nonzero loadings of features with ||a_j|| <= gamma",
    exactly(0),
)
def safe_elimination() -> object:
    X = np.random.default_rng(0).standard_normal((80, 30)) * np.geomspace(1, 0.01, 30)
    found = 0
    for rho in np.arange(1, 10) / 10:
        small = X.std(axis=0) <= rho * X.std(axis=0).max()
        found += np.count_nonzero(fit("gpower_l1", X, n_components=1, rho=rho).components_[0, small])
    return found


@check("6", "spca_l1", "random matrix, ridge 0.1: nonzeros just above l1 = 2 max|g|, and just below", near([0, 1], 0.0))
def largest_penalty() -> object:
    S = np.cov(samples().T, bias=True)
    g = S @ fit("pca", samples(), n_components=1).components_[0]
    l1s = 2 * np.abs(g).max() * np.array([1 + 1e-9, 1 - 1e-6])
    return [
        fit_covariance("spca_l1", S, n_components=1, l1=float(l1), ridge=0.1, max_iter=1).n_nonzero_[0] for l1 in l1s
    ]


@check("19", "tpower", "random matrix, k = 1: distance from the feature of largest variance", exactly(0))
def single() -> object:
    w = fit("tpower", samples(), n_components=1, n_nonzero=1).components_[0]
    return abs(int(np.argmax(np.abs(w))) - int(np.argmax(samples().var(axis=0))))


# 4, 2: orthonormal loadings

for section, name, params in (
    ("4", "varimax", {}),
    ("2", "pca_l1", {}),
    ("16", "spcagrid_sd", {"lam": 0.3}),
    ("16", "spcagrid_mad", {"lam": 0.3}),
    ("16", "spcagrid_qn", {"lam": 0.3}),
):
    add(
        section,
        name,
        "random matrix, 60 x 12, 5 components: |W'W - I|",
        zero(),
        lambda name=name, params=params: np.abs(
            (W := fit(name, samples(), n_components=5, **params).components_) @ W.T - np.eye(5)
        ).max(),
    )
add(
    "4",
    "varimax",
    "random matrix, 60 x 12, 3 components: difference of CPEV from PCA's",
    zero(),
    lambda: abs(fit("varimax", samples(), n_components=3).cpev_[-1] - fit("pca", samples(), n_components=3).cpev_[-1]),
)


# 16: projection pursuit

for d in (2, 3, 5):

    def from_pca(d: int = d) -> float:
        X = np.random.default_rng(d).standard_normal((100, d)) @ np.diag(np.arange(d, 0, -1.0))
        W = fit("spcagrid_sd", X, n_components=d, lam=0.0).components_
        V = fit("pca", X, n_components=d).components_
        return float(np.sqrt(np.maximum(0.0, 1 - np.sum(W * V, axis=1) ** 2)).max())

    add(
        "16",
        "spcagrid_sd",
        f"random matrix, 100 x {d}, lam = 0: sine of the angle to PCA",
        at_most(1e-4, 1e-5),
        from_pca,
        reason="the finest angles of the grid are pi/2^10/24 = 1.3e-4 apart" if d == 5 else "",
    )
for scale in ("sd", "mad", "qn"):
    add(
        "16",
        f"spcagrid_{scale}",
        "random matrix, 60 x 12, 4 components, lam = 0: how far scales rise",
        zero(),
        lambda scale=scale: max(
            0.0, np.diff(fit(f"spcagrid_{scale}", samples(), n_components=4, lam=0.0).objective_).max()
        ),
    )
