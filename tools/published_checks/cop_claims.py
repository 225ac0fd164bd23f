"""What the COP-PCA paper says in words: the exact path, its optimality condition, linear cost."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from published_checks.claims import add, at_least, at_most, near
from published_checks.estimators import Array, dataset, drawn, fit, known, measured
from published_checks.paths import COP, path, spectra
from published_checks.plain import centred, slope
from spcabench import Dataset

COLON = "colon"
"""The section of checks that need the gene expressions, which the package does not have."""

HELD = ((241, 100_000), (846, 10_000))
"""Numbers of genes, and of steps of the path on which they are looked at."""


@cache
def samples() -> Array:
    X = drawn("colon", 0).X
    assert X is not None
    return centred(X) / np.sqrt(len(X))


@cache
def gene_path(n_steps: int) -> Any:
    return fit("cop", samples(), n_components=1, n_nonzero=1, n_steps=n_steps).path_[0]


def point(n_genes: int, n_steps: int) -> Array:
    """Return the last loading of the path with so many genes, of unit length."""
    found = gene_path(n_steps)
    w = found.iterate(int(np.flatnonzero(found.nnz == n_genes)[-1]))
    return np.asarray(w / np.linalg.norm(w))


def bounded(g: Array, length: float) -> Array:
    """Return the w with ||w|| = 1 and ||w||_1 <= length that maximises g'w: a soft threshold, found by bisection."""
    low, high = 0.0, float(np.abs(g).max())
    for _ in range(60):
        middle = (low + high) / 2
        w = np.sign(g) * np.maximum(np.abs(g) - middle, 0.0)
        w /= max(float(np.linalg.norm(w)), 1e-300)
        low, high = (middle, high) if np.abs(w).sum() > length else (low, middle)
    w = np.sign(g) * np.maximum(np.abs(g) - high, 0.0)
    return np.asarray(w / np.linalg.norm(w))


def lacking(n_genes: int, n_steps: int) -> float:
    """Return how much less a point of the path explains than a feasible one of its l1 norm, %.

    The feasible one is a fixed point of power steps under both constraints, from the leading eigenvector.
    """
    X, w = samples(), point(n_genes, n_steps)
    length = float(np.abs(w).sum())
    v = np.linalg.svd(X, full_matrices=False)[2][0]
    for _ in range(300):
        v = bounded(X.T @ (X @ v), length)
    return 100 * (1 - float(np.sum((X @ w) ** 2) / np.sum((X @ v) ** 2)))


def residual(n_genes: int, n_steps: int) -> float:
    """Return how far the gradient on the support is from its best gamma w + lambda sign(w), relative to it, %."""
    X, w = samples(), point(n_genes, n_steps)
    support = w != 0
    g = (X.T @ (X @ w))[support]
    basis = np.column_stack([w[support], np.sign(w[support])])
    rest = g - basis @ np.linalg.lstsq(basis, g, rcond=None)[0]
    return 100 * float(np.linalg.norm(rest) / np.linalg.norm(g))


WHY = "on 2000 genes the pairs that rise most lead elsewhere, and a better loading of the same l1 norm is computed"
for n_genes, n_steps in HELD:
    where = f"colon, {n_steps} steps, {n_genes} genes"
    add(
        COLON,
        "cop",
        f"{where}: gap to a feasible loading of the same l1 norm, %",
        at_most(1.0, 1.0),
        partial(lacking, n_genes, n_steps),
        f"{COP}, section 2.5: the path tracks the exact one",
        WHY,
    )
add(
    COLON,
    "cop",
    "colon, 10000 steps, 846 genes: residual of condition (6), %",
    at_most(1.0, 1.0),
    partial(residual, 846, 10_000),
    f"{COP}, section 2.5: the conditions hold along the path",
    WHY,
)


def most_short_steps() -> int:
    """Return by how many the steps that drop a feature exceed d - 1, at most; 0 or less where none do."""
    return max(int(np.count_nonzero(np.diff(path(name).nnz))) - (len(spectra()[name]) - 1) for name in spectra())


add(
    "22.7",
    "cop",
    "three covariances, 1000 steps: by how many the shortened steps exceed d - 1",
    near(0, 0.0),
    most_short_steps,
    f"{COP}, section 2.3: step 2.4 occurs d - 1 times at most",
)


def seconds(n: int, d: int) -> float:
    X = np.random.default_rng(0).standard_normal((n, d))
    return fit_seconds("cop", X, n_components=1, n_nonzero=1, n_steps=2000, n_candidates=3)


def fit_seconds(name: str, X: Array, **params: Any) -> float:
    """Return the least CPU seconds of three fits."""
    from time import process_time

    found = []
    for _ in range(3):
        before = process_time()
        fit(name, X, **params)
        found.append(process_time() - before)
    return min(found)


add(
    "linear",
    "cop",
    "white noise, 2000 steps, 3 candidates, n = 100, d = 400 .. 3200: exponent of the CPU seconds in d",
    at_most(1.15, 0.5),
    lambda: slope([400, 800, 1600, 3200], [seconds(100, d) for d in (400, 800, 1600, 3200)]),
    f"{COP}, section 2.4: linear in the dimensionality",
)
add(
    "linear",
    "cop",
    "white noise, 2000 steps, 3 candidates, d = 400, n = 500 .. 4000: exponent of the CPU seconds in n",
    at_most(1.15, 0.5),
    lambda: slope([500, 1000, 2000, 4000], [seconds(n, 400) for n in (500, 1000, 2000, 4000)]),
    f"{COP}, section 2.4: linear in the size",
)


def untuned(name: str) -> int:
    """Return how many components of six miss four nonzeros on pitprops at the best of 19 penalties."""
    penalties = np.arange(1, 20) / 20
    fits = (known(name, "pitprops", n_components=6, rho=float(rho)) for rho in penalties)
    return min(int(np.count_nonzero(fitted.n_nonzero_ != 4)) for fitted in fits)


for name in ("gpower_l1m", "gpower_l0m"):
    add(
        "footnote",
        name,
        "pitprops, six components, rho = 0.05, 0.1 .. 0.95: how many miss four nonzeros, the fewest",
        at_least(1, 0.0),
        partial(untuned, name),
        f"{COP}, footnote 2: it cannot be tuned",
    )


def curve(fitted: Any, data: Dataset) -> Array:
    """Return what the first 1, 2 .. components explain under deflation, % of the variance."""
    return 100 * np.cumsum(list(measured("component_variance", fitted.components_, data).values()))


def gene_curves() -> float:
    """Return how far the curves of the four methods of Figure 4d are apart, at most."""
    data, wanted = drawn("colon", 0), {"n_components": 10, "n_nonzero": 1000}
    fits = [fit(name, samples(), **wanted) for name in ("empca", "gpower_l1", "gpower_l0")]
    fits.append(fit("cop", samples(), **wanted, n_steps=20_000))
    return float(np.ptp([curve(one, data) for one in fits], axis=0).max())


add(
    COLON,
    "cop",
    "colon, 1 .. 10 components of 1000 genes: how far the curves of COP-PCA, EMPCA and GPower l1 and l0 are apart, %",
    at_most(0.1, 0.01),
    gene_curves,
    f"{COP}, Figure 4d: the curves cannot be told apart",
)


def behind_the_best() -> float:
    """Return how far the curve of COP-PCA in Figure 4b lies below that of the best other method, at most."""
    data, wanted = dataset("pitprops"), {"n_components": 6, "n_nonzero": 4}
    others = ("spca_card", "dspca", "pathspca", "empca", "gpower_l1", "gpower_l0")
    best = np.max([curve(known(name, "pitprops", **wanted), data) for name in others], axis=0)
    ours = known("cop", "pitprops", **wanted, n_steps=10_000, n_candidates=None)
    return float((best - curve(ours, data)).max())


add(
    "A2",
    "cop",
    "pitprops, 1 .. 6 components of four nonzeros: how far the curve of COP-PCA lies below the best of six others, %",
    at_most(1.0, 0.01),
    behind_the_best,
    f"{COP}, section 3.2 and Figure 4b: comparable or better",
)


def within_a_minute() -> int:
    """Count those of three of the six methods that end within a minute of processor time."""
    from time import process_time

    count = 0
    for name, params in (("pathspca", {"n_nonzero": 1000}), ("gpower_l1m", {"rho": 0.1}), ("gpower_l0m", {"rho": 0.1})):
        before = process_time()
        fit(name, samples(), n_components=10, **params)
        count += process_time() - before < 60
    return count


add(
    COLON,
    "pathspca",
    "colon, ten components: how many of PathSPCA (1000 genes), GPower l1,m and l0,m (rho = 0.1) end within a minute",
    near(0, 0.0),
    within_a_minute,
    f"{COP}, section 3.3: six methods cannot be completed in reasonable time",
    "the three take some seconds together: their steps are products with 62 samples",
)
