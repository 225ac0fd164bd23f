"""Greedy paths, TPower, PMD and splicing on pitprops, beside the optima."""

from __future__ import annotations

from functools import partial
from typing import Any

from published_checks.claims import Expected, add, exactly, near, zero
from published_checks.estimators import features, of_fit
from published_checks.pitprops import (
    SUPPORTS,
    D,
    enumerated,
    pitprops,
)

# 8, 9: greedy methods


PATHS = ("pathspca", "pathspca_full", "gspca_forward", "gspca_backward", "gspca")


def path(name: str) -> Any:
    return pitprops(name, n_components=1, n_nonzero=1, whole_path=True).path_[0]


def other_supports(name: str) -> int:
    return sum(features(path(name).at_cardinality(k)) != SUPPORTS[k] for k in SUPPORTS)


for name in PATHS:
    section = "8" if "path" in name else "9"
    what = "pitprops, k = 2..13: supports that are not the optimal ones"
    add(section, name, what, exactly(0), partial(other_supports, name))


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
    where = f"pitprops, k = {k}, start at the k largest variances"
    found: dict[str, Expected] = {"variance": near(value, 5.1e-4)}
    program = {"source": "authors' program", "n_components": 1, "n_nonzero": k, "init": "top_variance"}
    of_fit("details", "tpower", "pitprops", where, found, **program)

WHERE = "pitprops, bound = 1.977, which leaves 5 nonzeros"
FIRST: dict[str, Expected] = {"variance of the first": near(2.974, 5e-4)}
of_fit("details", "pmd", "pitprops", WHERE, FIRST, "R package PMA", n_components=1, bound=1.977)


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
