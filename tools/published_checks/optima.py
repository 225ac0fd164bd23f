"""Optima that branch and bound proves: the correlations of pitprops and of wine at every cardinality."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_wine

from published_checks.claims import add, check, near, zero
from published_checks.estimators import Array, covariance, fit_covariance

OPTIMA = {"pitprops": {5: 3.40615495, 10: 4.17263766}, "wine": {5: 3.43977842, 10: 4.59429324}}


@cache
def correlations(name: str) -> Array:
    return covariance("pitprops") if name == "pitprops" else np.corrcoef(load_wine().data.T)


@cache
def proved(name: str, k: int) -> Any:
    return fit_covariance("exact", correlations(name), n_components=1, n_nonzero=k)


for name, values in OPTIMA.items():
    for k, value in values.items():
        add(
            "exact 3",
            "exact",
            f"{name}, k = {k}: variance and its upper bound",
            near([value, value], 1e-8),
            lambda name=name, k=k: [proved(name, k).objective_[0], proved(name, k).upper_bound_[0]],
        )


@check("exact 3", "exact", "pitprops and wine, k = 1..13: the largest gap", zero(1e-9))
def gaps() -> object:
    return max(proved(name, k).gap_[0] for name in OPTIMA for k in range(1, 14))
