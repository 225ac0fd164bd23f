"""Block GPower from random starts: what it finds beside what papers print."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from published_checks.estimators import Array, counts, dataset, drawn, fit, known, measured

from published_reasons.registry import Variant, reason

N_STARTS, N_DRAWS = 200, 50


@reason(
    "block_starts_pitprops",
    "Hu, Pan, Wang, Wu 2014 (SPCArt), Table 4",
    "GPowerB with rho = 0.115, l0: 17 nonzeros, NOR, CPEV; the paper starts from PCA, as a random start may leave "
    "components that are zero",
    "17, 0.0186, 0.8087",
)
def block_starts_pitprops() -> Iterator[Variant]:
    given = {"n_components": 6, "rho": 0.115, "tol": 0.01, "max_iter": 200}

    def numbers(W: Array) -> str:
        nor, cpev = (float(measured(name, W, dataset("pitprops"))) for name in ("nor", "cpev"))
        return f"{np.count_nonzero(W)}, {nor:.4f}, {cpev:.4f}"

    from_pca = known("gpower_l0m", "pitprops", **given)
    yield Variant(f"from PCA: {counts(from_pca)}", numbers(from_pca.components_))
    ends = [known("gpower_l0m", "pitprops", **given, init="random", random_state=seed) for seed in range(N_STARTS)]
    cpev = [float(measured("cpev", found.components_, dataset("pitprops"))) for found in ends]
    yield Variant(f"CPEV of {N_STARTS} random starts", f"{np.mean(cpev):.4f}, from {min(cpev):.4f} to {max(cpev):.4f}")
    empty = sum(not found.components_.any(axis=1).all() for found in ends)
    yield Variant("random starts that leave a component zero", str(empty))
    same = sum(sorted(counts(found)) == sorted(counts(from_pca)) for found in ends)
    yield Variant("random starts that lead to the cardinalities from PCA, in any order", str(same))


PRINTED = np.array([[True] * 10, [True] * 8 + [False] * 2])
"""The supports of the two components."""


@reason(
    "block_starts_noise",
    "Zhao, Meng, Xu 2014 (RSPCA), Table 2",
    f"GPower l1,m, hidden factors with noise of variance 4000: supports, and in how many of {N_DRAWS} draws the first, "
    "the second and both are so",
    "1 2 3 4 5 6 7 8 9 10; 1 2 3 4 5 6 7 8",
)
def block_starts_noise() -> Iterator[Variant]:
    for init in ("pca", "random"):
        for rho in (1e-4, 1e-3, 1e-2):
            same = []
            for seed in range(N_DRAWS):
                X, start = drawn("hastie", seed, noise_variance=4000.0).X, {"init": init, "random_state": seed}
                found = fit("gpower_l1m", X, n_components=2, rho=rho, **start).components_ != 0
                same.append((found == PRINTED).all(axis=1))
            first, second = np.sum(same, axis=0)
            yield Variant(f"init = {init}, rho = {rho:g}", f"{first}, {second}, {np.all(same, axis=1).sum()}")
