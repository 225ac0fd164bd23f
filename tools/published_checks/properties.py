"""What is true of every registered method (sections 0.2 and 0.7), and of the projection pursuit on a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import Same, add, at_most, check, exactly, near, zero
from published_checks.estimators import Array, fit, fit_covariance, registry
from published_checks.plain import centred, decaying, optimum

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


def turned() -> Array:
    """Turn the centred samples by an orthogonal matrix that keeps their mean at zero."""
    X = centred(samples())
    n = len(X)
    basis = np.linalg.qr(np.column_stack([np.ones(n), np.random.default_rng(1).standard_normal((n, n - 1))]))[0][:, 1:]
    Q = np.linalg.qr(np.random.default_rng(2).standard_normal((n - 1, n - 1)))[0]
    return np.asarray(basis @ (Q @ (basis.T @ X)))


WHERE = "random matrix, 60 x 12, 2 components"
EVERY, CARDINALITY, MOMENTS = "every method", "every method with a cardinality", "every method of second moments"


@check("0.7", EVERY, f"{WHERE}: how far ||w|| is from 1, or 0", zero())
def lengths() -> object:
    return worst(
        lambda name: float(np.abs(np.linalg.norm(plain(name)[plain(name).any(axis=1)], axis=1) - 1).max(initial=0))
    )


@check("0.7", CARDINALITY, f"{WHERE}, k = 4: methods with more nonzeros", Same("none"))
def cardinalities() -> object:
    return broken(lambda name: bool(np.all(np.count_nonzero(plain(name), axis=1) <= K)), cardinality=True)


@check("0.2", EVERY, f"{WHERE}, a constant column: methods that load on it", Same("none"))
def constant_columns() -> object:
    X = samples().copy()
    X[:, 5] = 0.1
    return broken(lambda name: not loadings(name, X)[:, 5].any())


@check("0.2", EVERY, f"{WHERE}: methods whose largest entry is negative, but for scikit-learn's", Same("none"))
def signs() -> object:
    return broken(
        lambda name: "sklearn" in name or all(w[np.argmax(np.abs(w))] >= 0 for w in plain(name)),
    )


@check("0.7", EVERY, f"{WHERE}: difference under X -> -X", zero(1e-7))
def mirrored() -> object:
    return worst(lambda name: float(np.abs(np.abs(loadings(name, -samples())) - np.abs(plain(name))).max()))


@check("0.7", CARDINALITY, f"{WHERE}, k = 4, no ridge: difference under X -> 1000 X", zero(1e-7))
def scaled() -> object:
    def difference(name: str) -> float:
        no_ridge = {"ridge": 0.0} if "ridge" in registry().methods[name].parameters else {}
        return float(np.abs(loadings(name, 1000 * samples(), **no_ridge) - loadings(name, samples(), **no_ridge)).max())

    return worst(difference, cardinality=True)


@check("0.7", CARDINALITY, f"{WHERE}, k = 4, no random starts: difference under a permutation of columns", zero(1e-7))
def permuted() -> object:
    order = np.random.default_rng(0).permutation(12)
    return worst(
        lambda name: float(np.abs(loadings(name, samples()[:, order]) - plain(name)[:, order]).max()),
        cardinality=True,
        seeded=False,
    )


@check("0.7", MOMENTS, f"{WHERE}: difference under X -> QX", zero(1e-7))
def rotated() -> object:
    return worst(lambda name: float(np.abs(loadings(name, turned()) - plain(name)).max()), moments=True)


@check("0.1", MOMENTS, f"{WHERE}: difference of fit(X) and fit(X'X/n)", zero(1e-9))
def covariances() -> object:
    S = np.cov(samples().T, bias=True)

    def difference(name: str) -> float:
        n_samples = {"n_samples": len(samples())} if name == "itspca" else {}
        return float(np.abs(loadings(name, S, covariance="precomputed", **n_samples) - plain(name)).max())

    return worst(difference, moments=True)


@check("0.7", EVERY, f"{WHERE}: how far w'Sw of the first exceeds the optimum for as many nonzeros", zero())
def bounded() -> object:
    S = np.cov(samples().T, bias=True)
    best = {k: optimum(S, k) for k in range(1, 13)}

    def excess(name: str) -> float:
        w = plain(name)[0]
        return float(w @ S @ w) - best[np.count_nonzero(w)] if w.any() else 0.0

    return max(0.0, worst(excess))


@check("0.2", CARDINALITY, "k = 0: methods that do not refuse it", Same("none"))
def refused() -> object:
    def refuses(name: str) -> bool:
        try:
            fit(name, samples(), n_components=1, n_nonzero=0)
        except ValueError:
            return True
        return False

    return broken(refuses, cardinality=True)


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
