"""Truncated rows, local search, and EESPCA on pitprops."""

from __future__ import annotations

from typing import Any

import numpy as np

from published_checks.claims import Expected, Same, add, check, exactly, near, zero
from published_checks.estimators import known, of_fit

LI_XIE = "Li, Xie 2024, Table of gaps"
OPTIMA = {4: 2.9375, 5: 3.4062, 6: 3.7710, 7: 3.9962, 8: 4.0686, 9: 4.1386, 10: 4.1726}


def variance(name: str, k: int, **params: Any) -> float:
    return float(known(name, "pitprops", n_components=1, n_nonzero=k, **params).objective_[0])


def gap(k: int, **params: Any) -> float:
    return 100.0 * (1.0 - variance("row_truncation", k, **params) / variance("local_search", k))


for k, optimum in OPTIMA.items():
    best: dict[str, Expected] = {"largest variance": near(optimum, 5.1e-5)}
    of_fit("N3", "local_search", "pitprops", f"pitprops, k = {k}", best, n_components=1, n_nonzero=k)
    what = f"pitprops, k = {k}, refit: gap in % to local search"
    add("N3", "row_truncation", what, zero(1e-9), lambda k=k: max(gap(k, refit=True), 0.0))
add("N3", "row_truncation", "pitprops, k = 4: gap in % to local search", near(1.5724, 5.1e-5), lambda: gap(4), LI_XIE)
SIGNS_KEPT = "pitprops, k = 10, signs kept: gap in % to local search"
add("N3", "row_truncation", SIGNS_KEPT, near(0.0876, 5.1e-5), lambda: gap(10))


def loading(**params: Any) -> Any:
    return known("eespca", "pitprops", n_components=1, **params)


LOADING: dict[str, Expected] = {
    "support": Same("1 2 7 8 9 10"),
    "loading on its support": near([0.4408, 0.4444, 0.4362, 0.3112, 0.3914, 0.4098], 5.1e-5),
    "variance": near(3.7562, 5.1e-5),
}
of_fit("N11", "eespca", "pitprops", "pitprops", LOADING, n_components=1)
WIDE: dict[str, Expected] = {"support": Same("5 6 7 8 9 10")}
of_fit("N11", "eespca", "hastie_exact", "exact hidden factors", WIDE, n_components=1)


@check("N11", "eespca", "pitprops, k = 1..13: supports that differ from those of thresholding", exactly(0))
def other_supports() -> object:
    return sum(
        not np.array_equal(
            loading(n_nonzero=k).components_ != 0,
            known("st", "pitprops", n_components=1, n_nonzero=k).components_ != 0,
        )
        for k in range(1, 14)
    )
