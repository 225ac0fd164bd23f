"""Truncated rows of a covariance: what becomes of their values where the signs of the entries are lost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from published_checks.estimators import Array, drawn, fit_covariance

from published_reasons.registry import Variant, reason

PUBLISHED = {
    ("pitprops", 4): 1.5724,
    ("pitprops", 10): 3.9004,
    ("housing", 5): 5.6749,
    ("housing", 10): 5.9360,
    ("pol", 5): 1.9889,
    ("pol", 15): 15.5789,
    ("song", 20): 1.4278,
    ("eisen1", 10): 10.6148,
    ("eisen1", 20): 15.4675,
    ("eisen2", 20): 40.4129,
    ("gas", 20): 0.0002,
}
"""Gaps in %, by covariance and cardinality."""


def matrix(name: str) -> Array:
    """Return the covariance of an instance."""
    found = drawn("pitprops", 0) if name == "pitprops" else drawn("covariance_file", 0, name=name)
    assert found.covariance is not None
    return found.covariance


def without_signs(S: Array, k: int) -> float:
    """Return the best value of truncated rows and of the truncated eigenvector, all entries made positive first."""
    best = float(S.diagonal().max())
    for candidate in (*S, np.linalg.eigh(S)[1][:, -1]):
        w = np.abs(candidate)
        w[np.argsort(-w, kind="stable")[k:]] = 0.0
        w /= np.linalg.norm(w)
        best = max(best, float(w @ S @ w))
    return best


@reason(
    "lost_signs",
    "Li, Xie 2024, tables of gaps",
    "truncation: gap in % to the optimum, by covariance and cardinality",
    ", ".join(f"{name} {k}: {gap:.4f}" for (name, k), gap in PUBLISHED.items()),
)
def lost_signs() -> Iterator[Variant]:
    values = []
    for name, k in PUBLISHED:
        S = matrix(name)
        optimum = fit_covariance("exact", S, n_components=1, n_nonzero=k).objective_[0]
        ours = (
            fit_covariance("row_truncation", S, n_components=1, n_nonzero=k, refit=refit).objective_[0]
            for refit in (False, True)
        )
        values.append([max(0.0, 100 * (1 - value / optimum)) for value in (without_signs(S, k), *ours)])
    names = ("magnitudes truncated, signs lost", "signs kept", "refitted")
    for how, gaps in zip(names, zip(*values, strict=True), strict=True):
        yield Variant(how, ", ".join(f"{name} {k}: {gap:.4f}" for (name, k), gap in zip(PUBLISHED, gaps, strict=True)))
