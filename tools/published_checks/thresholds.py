"""Thresholds on the covariance: the optima on pitprops, and how well a spike is recovered."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from published_checks.claims import add, at_least, at_most, check, near, zero
from published_checks.estimators import Array, fit, known
from published_checks.pitprops import enumerated

N, D, DRAWS = 400, 500, 10


def variance(name: str, k: int, **params: Any) -> float:
    return float(known(name, "pitprops", n_components=1, n_nonzero=k, **params).objective_[0])


@check("N2.2", "cov_threshold", "pitprops, k = 1..13: largest distance from the optimum", zero(1e-8))
def optima() -> object:
    return max(abs(enumerated(k)[0] - variance("cov_threshold", k)) for k in range(1, 14))


@check("N2.2", "cov_threshold", "pitprops, k = 3, 4: the thresholds chosen", near([0.488, 0.341], 5e-4))
def thresholds() -> object:
    return [known("cov_threshold", "pitprops", n_components=1, n_nonzero=k).tau_[0] for k in (3, 4)]


@check(
    "N2.2",
    "cov_threshold",
    "pitprops, k = 2..6, without refit: variances",
    near([1.9540, 2.3977, 2.9302, 3.4024, 3.7576], 5e-5),
)
def unrefitted() -> object:
    return [variance("cov_threshold", k, refit=False) for k in range(2, 7)]


for rank, values in ((1, [2.3294, 2.8827, 3.4062, 3.7710]), (2, [2.1450, 2.4424, 2.9306, 3.1011])):
    add(
        "N2.3",
        "lowrank_threshold",
        f"pitprops, k = 3..6, rank {rank}: variances",
        near(values, 5e-5),
        lambda rank=rank: [variance("lowrank_threshold", k, rank=rank) for k in range(3, 7)],
    )


@cache
def spiked(seed: int, k: int, b: float) -> Array:
    """Draw noise of variance 1 with a spike on the first k features."""
    rng = np.random.default_rng(seed)
    spike = np.where(np.arange(D) < k, k**-0.5, 0.0)
    return rng.standard_normal((N, D)) + np.sqrt(b) * np.outer(rng.standard_normal(N), spike)


def recovered(name: str, k: int, b: float, **params: Any) -> float:
    """Return the mean squared cosine of the loading and the spike."""
    found = [fit(name, spiked(seed, k, b), n_components=1, **params).components_[0] for seed in range(DRAWS)]
    return float(np.mean([w[:k].sum() ** 2 / k for w in found]))


MODELS = {
    (20, 1.5): (0.266, 0.109, 0.559, 0.740, 0.603, 0.773),
    (20, 2.5): (0.551, 0.402, 0.963, 0.963, 0.936, 0.968),
    (35, 2.5): (0.550, 0.205, 0.875, 0.886, 0.745, 0.890),
}
WAYS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("pca", "", {}),
    ("diag_threshold", "", {}),
    ("st", ", refit", {"refit": True}),
    ("cov_threshold", ", nu = 1", {"tau": "noise", "nu": 1.0}),
    ("cov_threshold", ", nu = 2", {"tau": "noise", "nu": 2.0}),
    ("cov_threshold", ", grid", {"tau": "grid"}),
)
for (k, b), cosines in MODELS.items():
    for (name, words, params), cosine in zip(WAYS, cosines, strict=True):
        count = {} if name == "pca" else {"n_nonzero": k}
        section = "N2.1" if name in ("pca", "diag_threshold") else "N2.2"
        add(
            section,
            name,
            f"spike of {b} on {k} of {D}, {N} samples, {DRAWS} draws{words}: mean squared cosine",
            near(cosine, 0.05),
            lambda k=k, b=b, name=name, params=params, count=count: recovered(name, k, b, **count, **params),
        )


@check(
    "N2.1",
    "diag_threshold",
    f"spike of 2.5 on 20 of {D}, {N} samples, alpha = 3: mean squared cosine",
    at_most(0.06, 0.01),
)
def by_rule() -> object:
    return recovered("diag_threshold", 20, 2.5, alpha=3.0)


@check(
    "N2.2",
    "cov_threshold",
    f"spikes on {D}, {N} samples: by how much the grid is better than nu = 4",
    at_least(0.1, 0.01),
)
def grid_is_better() -> object:
    return min(
        recovered("cov_threshold", k, b, n_nonzero=k)
        - recovered("cov_threshold", k, b, n_nonzero=k, tau="noise", nu=4.0)
        for k, b in MODELS
    )
