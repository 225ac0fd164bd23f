"""Print the tables of the page of the selectors: ``python tools/selection_table.py``."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler
from spcabench_methods import SparsePCASelector, TPower
from spcabench_methods.selection.candidates import GRID

DRAWS = 50
RULES = ("ebic", "held_out", "weighed")
SETTINGS = ((50, 5, 2), (50, 5, 3), (50, 10, 3), (50, 10, 4), (50, 10, 5), (500, 5, 5))
"""Features, nonzeros and the variance of the score, on noise of variance 1."""


def planted(d: int, thetas: Sequence[float], k: int = 5, n: int = 100, seed: int = 0) -> NDArray[np.float64]:
    """Draw samples with components of k equal entries, each with features of its own; centred."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    for j, theta in enumerate(thetas):
        X[:, j * k : (j + 1) * k] += np.sqrt(theta / k) * rng.standard_normal((n, 1)) * rng.choice([-1, 1], k)
    return np.asarray(X - X.mean(axis=0))


def right(d: int, k: int, theta: float) -> list[str]:
    """Return the shares of draws in which each rule finds k, and the features are told apart."""
    counts: Counter[str] = Counter()
    for seed in range(DRAWS):
        X = planted(d, [theta], k, seed=seed)
        best = TPower(1, k, init="decreasing").fit(X).components_[0]
        counts["told k"] += set(np.flatnonzero(best)) == set(range(k))
        found = SparsePCASelector(n_components=1, random_state=seed).fit(X)
        counts["vote"] += int(found.n_nonzero_[0] == k)
        counts["near"] += int(abs(found.n_nonzero_[0] - k) <= max(1, 0.2 * k))
        counts.update(rule for rule in RULES if found.answers_[rule][0] == k)
        frequency = found.selection_frequencies_[0]
        counts["apart"] += int(frequency[:k].min() >= 0.5 > frequency[k:].max())
    return [f"{counts[name] / DRAWS:.2f}" for name in ("told k", "vote", "near", *RULES, "apart")]


COUNTED = ((50, ()), (50, (4,)), (50, (4, 3, 2)), (50, (8, 6, 4)), (50, (16, 12, 8)), (500, (8, 6, 4)))
"""Features, and the variances of the scores of components of 5 features each."""


def counted(d: int, thetas: Sequence[float]) -> list[str]:
    """Return the shares of draws in which components are counted right, and bi-cross-validation counts them right."""
    counts: Counter[str] = Counter()
    for seed in range(DRAWS):
        X = planted(d, thetas, seed=seed)
        found = SparsePCASelector(n_nonzero=[5], criterion="ebic", random_state=seed).fit(X).counts_
        counts.update(rule for rule, n in found.items() if n == len(thetas))
    return [f"{counts[name] / DRAWS:.2f}" for name in ("parallel" if d <= len(X) else "sparse", "bi_cv")]


def searched(X: np.ndarray, n_components: int, grid: list[int]) -> int:
    """Return the cardinality that a grid search on the score takes."""
    search = GridSearchCV(TPower(n_components, init="decreasing"), {"n_nonzero": grid}, cv=10)
    return int(search.fit(X).best_params_["n_nonzero"])


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    for name, load in (("wine", load_wine), ("breast cancer", load_breast_cancer)):
        X = StandardScaler().fit_transform(load().data)
        row = [searched(X, r, list(range(1, X.shape[1] + 1))) for r in (1, 2, 3)]
        print(f"| {name} | {X.shape[1]} | {' | '.join(map(str, row))} |", flush=True)
    for r in (1, 3):
        found = Counter(searched(planted(50, [3], seed=seed), r, list(GRID)) for seed in range(20))
        print(f"planted, 5 of 50 features, theta = 3, r = {r}: {sorted(found.items())}", flush=True)
    for d, k, theta in SETTINGS:
        print(f"| {d} | {k} | {theta} | {' | '.join(right(d, k, theta))} |", flush=True)
    for d, thetas in COUNTED:
        shown = ", ".join(map(str, thetas)) or "none"
        print(f"| {d} | {len(thetas)} | {shown} | {' | '.join(counted(d, thetas))} |", flush=True)


if __name__ == "__main__":
    main()
