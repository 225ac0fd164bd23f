"""Block-diagonal reduction: its blocks on pitprops, and its certificate on small matrices."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from spcabench_methods.reduction.block_diagonal import blocks_above, smallest_eps

from published_checks.claims import Same, add, at_most, check, near, zero
from published_checks.estimators import Array, covariance, fit_covariance, known, of_fit
from published_checks.plain import optimum

TABLE = {
    2: (0.679, "2 2 2", [1.9540, 1.9540, 1.9540]),
    3: (0.569, "3 3 2", [2.4753, 2.4753, 2.4753]),
    6: (0.557, "6 2", [2.4753, 3.4062, 3.6725]),
    8: (0.381, "8 2", [2.4753, 3.4062, 3.9962]),
}
CASES = 300


def variances(most: int) -> list[float]:
    fits = (known("block_diag", "pitprops", n_components=1, n_nonzero=k, max_block=most) for k in (3, 5, 7))
    return [float(found.objective_[0]) for found in fits]


def larger_blocks(most: int) -> str:
    S = covariance("pitprops")
    sizes = sorted(map(len, blocks_above(S, smallest_eps(S, most))), reverse=True)
    return " ".join(str(size) for size in sizes if size > 1)


for most, (eps, sizes, values) in TABLE.items():
    where = f"pitprops, blocks of at most {most}"
    of_fit("N4", "block_diag", "pitprops", where, {"eps": near(eps, 5e-4)}, n_components=1, n_nonzero=3, max_block=most)
    what = f"{where}: features of the larger blocks"
    add("N4", "block_diag", what, Same(sizes), partial(larger_blocks, most))
    what = f"{where}, k = 3, 5, 7: variances"
    add("N4", "block_diag", what, near(values, 5e-5), partial(variances, most))


@cache
def cases() -> list[tuple[int, Any, float]]:
    """Reduce random matrices of 8 features: k, the fit, and the optimum."""
    found = []
    rng = np.random.default_rng(0)
    for _ in range(CASES):
        A: Array = rng.standard_normal((8, 8))
        S, k, most = A.T @ A / 8, int(rng.integers(2, 6)), int(rng.integers(2, 8))
        fitted = fit_covariance("block_diag", S, n_components=1, n_nonzero=k, max_block=most)
        found.append((k, fitted, optimum(S, k)))
    return found


@check(
    "N4",
    "block_diag",
    f"{CASES} random 8 x 8: largest share of (k - 1) eps by which the optimum exceeds it",
    at_most(1.0, 0.01),
)
def within_the_certificate() -> object:
    return max((best - found.objective_[0]) / ((k - 1) * found.eps_[0]) for k, found, best in cases() if found.eps_[0])


@check("N4", "block_diag", f"{CASES} random 8 x 8: by how much the optimum exceeds the upper bound", zero(1e-9))
def below_the_bound() -> object:
    return max(0.0, *(best - found.upper_bound_[0] for _, found, best in cases()))
