"""Two ways to one result: the largest difference, over random matrices tall and wide."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from published_checks.claims import add, at_most, check, exactly, zero
from published_checks.estimators import fit, fit_covariance
from published_checks.plain import WHERE, centred, matrices, vectors

EXACT = {"tol": 0.0, "max_iter": 500}


def apart(first: tuple[str, dict[str, Any]], second: tuple[str, dict[str, Any]]) -> float:
    """Return the largest difference of the loadings of two methods."""
    found = [[fit(name, X, **params).components_ for name, params in (first, second)] for X in matrices()]
    return max(float(np.abs(one - other).max()) for one, other in found)


def from_pca(name: str, params: dict[str, Any]) -> float:
    """Return the largest difference from the leading eigenvectors."""
    return apart((name, params), ("pca", {"n_components": params["n_components"]}))


def from_span(name: str, params: dict[str, Any]) -> float:
    """Return the sine of the largest angle to the span of the leading eigenvectors."""
    worst = 0.0
    for X in matrices():
        W = fit(name, X, **params).components_.T
        V = fit("pca", X, n_components=W.shape[1]).components_.T
        Q = np.linalg.qr(W)[0]
        worst = max(worst, float(np.linalg.norm(Q - V @ (V.T @ Q), ord=2)))
    return worst


# Methods that are one another

ONE, TWO, THREE, FOUR = ({"n_components": r} for r in (1, 2, 3, 4))
DIFFERENT = THREE | {"n_nonzero": [4, 3, 6]} | EXACT
PLAIN = ONE | {"rho": 0.15, "refit": False} | EXACT
STARTED = {"init": "max_variance", "tol": 0.0}
LEVELS = {"l1": {"threshold": 0.15}, "l0": {"threshold": 0.2}, "sp": {"n_nonzero": 5}, "en": {"energy": 0.2}}

SAME: list[tuple[str, str, dict[str, Any], str, dict[str, Any], str, float]] = [
    ("23.3", "spcart_l0", ONE, "st", ONE, "one component", 1e-10),
    ("23.3", "spcart_sp", ONE | {"n_nonzero": 4}, "st", ONE | {"n_nonzero": 4}, "one component", 1e-10),
    *[
        (
            section,
            "rsvdgp_sp",
            DIFFERENT | {"init": init},
            "tpower",
            DIFFERENT | {"init": init},
            f"start at {init}",
            1e-10,
        )
        for section, init in (("24", "max_variance"), ("19", "pca"))
    ],
    (
        *("15", "rsvd_l0", THREE | {"n_nonzero": 4} | EXACT),
        *("tpower", THREE | {"n_nonzero": 4, "init": "pca"} | EXACT, "start at pca", 1e-10),
    ),
    ("17", "pmd", THREE | {"bound": 1.7} | EXACT, "scotlass", THREE | {"bound": 1.7} | EXACT, "c = 1.7", 1e-10),
    *[
        (
            *("25", f"rsvdgpb_{t}", ONE | level | EXACT),
            *(f"rsvdgp_{t}", ONE | level | {"init": "pca"} | EXACT, "one component", 1e-10),
        )
        for t, level in LEVELS.items()
    ],
    *[
        (
            *("13", f"gpower_{p}m", PLAIN | {"init": "random", "random_state": 0}),
            *(f"gpower_{p}", PLAIN, "one component", 1e-10),
        )
        for p in ("l1", "l0")
    ],
    *[
        (
            *("21.7", "rspca", FOUR | {"n_nonzero": 99, "p": p, "init": "pca"}),
            *("pca_l1", FOUR | {"init": "pca"}, f"k = d, p = {p:g}, start at pca", 1e-10),
        )
        for p in (0.0, 0.5, 1.0)
    ],
    (
        *("2", "rspca", FOUR | {"n_nonzero": 99, "init": "ones"}),
        *("pca_l1", FOUR | {"init": "ones"}, "k = d, start at ones", 1e-10),
    ),
    *[
        (
            *("27", "am_l2_l0c", TWO | {"n_nonzero": 4, "max_iter": m} | STARTED),
            *("tpower", TWO | {"n_nonzero": 4, "tol": 0.0, "max_iter": m}, f"{m} iterations", 1e-7),
        )
        for m in (1, 4, 8)
    ],
    *[
        (
            *("27", f"am_l2_{p}p", ONE | {"rho": 0.15, "max_iter": m + 1} | STARTED),
            *(f"gpower_{p}", PLAIN | {"max_iter": m}, f"{m} iterations", 1e-7),
        )
        for p in ("l1", "l0")
        for m in (1, 4, 8)
    ],
    (
        *("27", "am_l1_l0c", THREE | {"n_nonzero": 4, "init": "ones", "tol": 0.0}),
        *("rspca", THREE | {"n_nonzero": 4, "init": "published", "random_state": 0}, "start at ones", 1e-10),
    ),
]
for section, name, params, other, others, how, tolerance in SAME:
    what = f"{WHERE}, {how}: difference from {other}"
    add(section, name, what, zero(tolerance), partial(apart, (name, params), (other, others)))


@check("27", "am_l2_l1c", f"{WHERE}, c = 1.6: how far the best of its starts falls short of pmd", zero(1e-6))
def alternating_is_pmd() -> object:
    worst = 0.0
    for X in matrices():
        S = np.cov(X.T, bias=True)
        one = fit("am_l2_l1c", X, n_components=1, bound=1.6, random_state=0, tol=1e-10, max_iter=2000).components_[0]
        other = fit("pmd", X, n_components=1, bound=1.6).components_[0]
        worst = max(worst, float(other @ S @ other - one @ S @ one))
    return worst


@check("27", "am_l2_l1c", f"{WHERE}, c = 1.6: how far a step of SPC moves its loading", zero(1e-6))
def alternating_is_a_fixed_point_of_pmd() -> object:
    worst = 0.0
    for X in matrices():
        S = np.cov(X.T, bias=True)
        w = fit("am_l2_l1c", X, n_components=1, bound=1.6, random_state=0, tol=0.0, max_iter=5000).components_[0]
        v = fit_covariance("scotlass", np.outer(S @ w, S @ w), n_components=1, bound=1.6).components_[0]
        worst = max(worst, float(np.minimum(np.abs(v - w).max(), np.abs(v + w).max())))
    return worst


# Without truncation

MU = [1.0, 0.7, 0.5]
DENSE: list[tuple[str, str, dict[str, Any], str, float]] = [
    ("5", "scotlass", TWO | {"bound": 9.0} | EXACT, "t > sqrt(d)", 1e-8),
    ("5", "scotlass", TWO | {"bound": 9.0, "orth": "exact", "tol": 1e-12}, "t > sqrt(d), orth = exact", 1e-8),
    *[
        ("6", "spca_l1", THREE | {"l1": 0.0, "ridge": ridge}, f"l1 = 0, ridge = {ridge}", 1e-8)
        for ridge in (1e-6, 0.1, 10.0, "inf")
    ],
    ("10", "dcpca", TWO | {"rho": 0.0, "refit": False, "tol": 0.0}, "rho = 0", 1e-8),
    ("11", "empca", TWO | {"n_nonzero": 99} | EXACT, "k = d", 1e-8),
    *[("12", f"gpower_{p}", TWO | {"rho": 0.0} | EXACT, "rho = 0", 1e-10) for p in ("l0", "l1")],
    *[
        ("13", f"gpower_{p}m", THREE | {"rho": 0.0, "mu": MU} | EXACT, "rho = 0, distinct mu", 1e-10)
        for p in ("l0", "l1")
    ],
    *[
        ("14", "alspca", TWO | {"rho": 0.0, "max_correlation": delta}, f"rho = 0, Delta = {delta}", 1e-8)
        for delta in (None, 0.0, 0.05)
    ],
    *[("15", f"rsvd_{p}", TWO | {"lam": 0.0} | EXACT, "lambda = 0", 1e-10) for p in ("l0", "l1", "scad")],
    ("17", "pmd", TWO | {"bound": 9.0} | EXACT, "c > sqrt(d)", 1e-8),
    ("17", "pmd_orth", TWO | {"bound": 9.0} | EXACT, "c > sqrt(d)", 1e-8),
    ("19", "tpower", TWO | {"n_nonzero": 99} | EXACT, "k = d", 1e-10),
    *[("24", f"rsvdgp_{t}", TWO | {"threshold": 0.0} | EXACT, "threshold = 0", 1e-10) for t in ("l1", "l0")],
    ("24", "rsvdgp_en", TWO | {"energy": 0.0} | EXACT, "energy = 0", 1e-10),
    ("24", "rsvdgp_sp", TWO | {"n_nonzero": 99} | EXACT, "k = d", 1e-10),
    *[("25", f"rsvdgpb_{t}", THREE | {"threshold": 0.0}, "threshold = 0", 1e-10) for t in ("l1", "l0")],
    ("28", "varpro", THREE | {"alpha": 0.0, "beta": 0.0}, "alpha = beta = 0", 1e-8),
    ("22", "cop", TWO | {"n_nonzero": 99}, "k = d", 1e-10),
    ("0.2", "gspca", TWO | {"n_nonzero": 99}, "k >= d", 1e-9),
]
for section, name, params, how, tolerance in DENSE:
    add(section, name, f"{WHERE}, {how}: difference from PCA", zero(tolerance), partial(from_pca, name, params))

NOTHING = {"l1": {"threshold": 0.0}, "l0": {"threshold": 0.0}, "sp": {"n_nonzero": 99}, "en": {"energy": 0.0}}
SPANS: list[tuple[str, str, dict[str, Any], str, float]] = [
    ("4", "varimax", THREE, "no truncation", 1e-10),
    *[("23", f"spcart_{t}", THREE | level, "no truncation", 1e-10) for t, level in NOTHING.items()],
    ("20", "itspca", THREE | {"gamma": 0.0, "tol": 0.0, "max_iter": 1000}, "thresholds 0", 1e-6),
]
for section, name, params, how, tolerance in SPANS:
    what = f"{WHERE}, {how}: sine of the angle to the span of PCA"
    add(section, name, what, zero(tolerance), partial(from_span, name, params))


@check("12", "gpower_l1", f"{WHERE}, rho = 0: difference of each of 8 steps from the power method", zero())
def gpower_is_the_power_method() -> object:
    worst = 0.0
    for X in matrices():
        A = centred(X)
        w = np.eye(A.shape[1])[np.argmax(np.linalg.norm(A, axis=0))]
        w = A.T @ (A @ w)
        for m in range(1, 9):
            w = A.T @ (A @ w)
            w /= np.linalg.norm(w)
            for name in ("gpower_l1", "gpower_l0"):
                found = fit(name, X, n_components=1, rho=0.0, refit=False, tol=0.0, max_iter=m).components_[0]
                worst = max(worst, float(np.abs(np.abs(found) - np.abs(w)).max()))
    return worst


@check("12", "gpower_l1", f"{WHERE}, rho = 0.2: how far a step of sPCA-rSVD-l1 moves its loading", zero())
def gpower_is_a_fixed_point_of_rsvd() -> object:
    worst = 0.0
    for X in matrices():
        A = centred(X)
        w = fit("gpower_l1", X, n_components=1, rho=0.2, refit=False, **EXACT).components_[0]
        u = A @ w / np.linalg.norm(A @ w)
        y = A.T @ u
        v = np.sign(y) * np.maximum(np.abs(y) - 0.2 * np.linalg.norm(A, axis=0).max(), 0.0)
        worst = max(worst, float(np.abs(v / np.linalg.norm(v) - w).max()))
    return worst


@check("15", "rsvd_l1", f"{WHERE}, lambda that of rho = 0.2: difference from gpower_l1", zero(1e-8))
def rsvd_is_gpower() -> object:
    worst = 0.0
    for X in matrices():
        lam = 0.2 * X.std(axis=0).max()
        found = fit("rsvd_l1", X, n_components=1, lam=lam, **EXACT).components_
        other = fit("gpower_l1", X, n_components=1, rho=0.2, refit=False, **EXACT).components_
        worst = max(worst, float(np.abs(found - other).max()))
    return worst


# 18: the projection, of single vectors by the covariance zz'


@check("18", "scotlass", "500 vectors, t = 1.5: how far the l1 norm of the projection is from t", zero(1e-11))
def projection() -> object:
    found = [fit_covariance("scotlass", np.outer(z, z), n_components=1, bound=1.5).components_[0] for z in vectors(500)]
    return max(abs(np.abs(w).sum() - 1.5) for w in found)


# 26: scikit-learn


@check("26", "sklearn_spca", "random matrix, alpha = 1e-4: how far its CPEV is from PCA's", at_most(1e-3, 1e-6))
def sklearn_dense() -> object:
    X = matrices()[0]
    W = fit("sklearn_spca", X, n_components=3, alpha=1e-4, random_state=0).components_.T
    Q, A = np.linalg.qr(W)[0], centred(X)
    return fit("pca", X, n_components=3).cpev_[-1] - np.linalg.norm(A @ Q) ** 2 / np.linalg.norm(A) ** 2


@check("26", "sklearn_spca", "random matrix, alpha above the largest column norm: nonzeros", exactly(0))
def sklearn_empty() -> object:
    X = matrices()[0]
    alpha = 1.01 * np.linalg.norm(centred(X), axis=0).max() * np.sqrt(len(X))
    return np.count_nonzero(fit("sklearn_spca", X, n_components=3, alpha=alpha, random_state=0).components_)
