"""Optima that branch and bound proves: the correlations of pitprops and of wine at every cardinality."""

from __future__ import annotations

from published_checks.claims import add, check, near, zero
from published_checks.estimators import OPTIMA, proved

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
