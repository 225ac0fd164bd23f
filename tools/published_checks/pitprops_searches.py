"""Greedy paths, TPower, PMD and splicing on pitprops, beside the optima."""

from __future__ import annotations

from functools import partial
from typing import Any

from published_checks.claims import add, exactly, near, zero
from published_checks.estimators import features
from published_checks.pitprops import (
    SUPPORTS,
    D,
    enumerated,
    pitprops,
    variance,
)

# 8, 9: greedy methods


PATHS = {
    "pathspca": {},
    "pathspca_full": {},
    "gspca_forward": {},
    "gspca_backward": {},
    "gspca": {},
}


def path(name: str) -> Any:
    return pitprops(name, n_components=1, n_nonzero=1, whole_path=True).path_[0]


def worst_of_path(name: str) -> float:
    return max(enumerated(k)[0] - variance for k, variance in zip(range(1, D + 1), path(name).variance, strict=True))


for name in PATHS:
    add(
        "8" if "path" in name else "9",
        name,
        "pitprops, k = 1..13: how far from the optimum",
        zero(),
        partial(worst_of_path, name),
    )
    add(
        "8" if "path" in name else "9",
        name,
        "pitprops, k = 2..13: supports that are not the optimal ones",
        exactly(0),
        lambda name=name: sum(features(path(name).at_cardinality(k)) != SUPPORTS[k] for k in SUPPORTS),
    )


add(
    "details",
    "tpower",
    "pitprops, k = 1..13, start at the largest variance: how far from the optimum",
    zero(1e-6),
    lambda: max(
        enumerated(k)[0] - pitprops("tpower", n_components=1, n_nonzero=k, tol=1e-12).objective_[0]
        for k in range(1, D + 1)
    ),
    "authors' program",
)


for k, value in ((4, 2.563), (5, 2.750), (6, 3.105)):
    add(
        "details",
        "tpower",
        f"pitprops, k = {k}, start at the k largest variances: variance",
        near(value, 5.1e-4),
        lambda k=k: pitprops("tpower", n_components=1, n_nonzero=k, init="top_variance").objective_[0],
        "authors' program",
    )


add(
    "details",
    "pmd",
    "pitprops, bound = 1.977, which leaves 5 nonzeros: variance of the first",
    near(2.974, 5e-4),
    lambda: variance(pitprops("pmd", n_components=1, bound=1.977)),
    "R package PMA",
)


add(
    "32",
    "splicing",
    "pitprops, k = 1..13: how far from the optimum",
    zero(),
    lambda: max(
        enumerated(k)[0] - pitprops("splicing", n_components=1, n_nonzero=k).objective_[0] for k in range(1, D + 1)
    ),
    "abess library",
)


add(
    "details",
    "splicing",
    "pitprops, k = 1..13: supports that are not the optimal ones",
    exactly(0),
    lambda: sum(
        features(pitprops("splicing", n_components=1, n_nonzero=k).components_[0]) != SUPPORTS[k] for k in SUPPORTS
    ),
    "abess library",
)
