"""Bounds for several components of pitprops and wine."""

from __future__ import annotations

import math

import numpy as np
from spcabench_methods.certified.several import eigenvalue_bound, split_bound

from published_checks.claims import add, at_most, near
from published_checks.estimators import correlations, proved

BOUNDS = {
    ("pitprops", 2, 5): (6.8123, 6.5967, 5.8528),
    ("pitprops", 2, 10): (8.3453, 6.5967, 6.5759),
    ("pitprops", 3, 5): (10.2185, 8.4750, 7.9301),
    ("wine", 2, 5): (6.8796, 7.2028, 5.9935),
    ("wine", 2, 10): (9.1886, 7.2028, 7.1620),
    ("wine", 3, 5): (10.3193, 8.6489, 8.1354),
}
"""The sum of singles, the sum of eigenvalues, and the split after about 1500 steps, for r components of k nonzeros."""

N_STEPS = 150

for (name, r, k), (singles, eigenvalues, split) in BOUNDS.items():
    where = f"{name}, {r} components, k = {k}"
    add(
        "exact 4",
        "joint bounds",
        f"{where}: sum of singles and of eigenvalues",
        near([singles, eigenvalues], 1e-4),
        lambda name=name, r=r, k=k: [
            r * proved(name, k).upper_bound_[0],
            eigenvalue_bound(np.asarray(correlations(name)), r),
        ],
    )
    add(
        "exact 4",
        "joint bounds",
        f"{where}: split bound after {4 * N_STEPS} steps, at most 0.2 % above the specified one",
        at_most(1.002 * split, 1e-3),
        lambda name=name, r=r, k=k: split_bound(correlations(name), [k] * r, 0.0, N_STEPS, math.inf),
    )
