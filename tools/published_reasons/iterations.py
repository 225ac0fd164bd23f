"""Iterations of section 3.4 of the COP-PCA paper: two components of widened hidden factors, 18 data sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from published_checks.estimators import Array, drawn, fit

from published_reasons.registry import Variant, reason

COP = "Meng, Cui, Xu, Jing 2013 (COP-PCA), section 3.4"
WHAT = "mean over 18 data sets of the iterations for two components"


@cache
def data_sets() -> list[tuple[int, int, Array]]:
    """Draw the 18 data sets; return numbers of features and of nonzeros, and samples."""
    return [(d, 4 * d // 10, drawn("hastie", 0, n=1000, d=d).X) for d in range(10, 190, 10)]


def spread(counts: list[int]) -> str:
    """Describe counts by their mean and range."""
    return f"{np.mean(counts):.1f}, from {min(counts)} to {max(counts)}"


def both(name: str, **params: Any) -> list[int]:
    """Count the iterations of both components of each data set, found one after the other."""
    return [int(fit(name, X, n_components=2, **params).n_iter_per_component_.sum()) for _, _, X in data_sets()]


def rounds(name: str, **params: Any) -> list[int]:
    """Count the rounds of a method that finds both components at once."""
    return [int(fit(name, X, n_components=2, **params).n_iter_per_component_.max()) for _, _, X in data_sets()]


@reason("cop_iterations", COP, f"COP, 100 steps: {WHAT}", "200")
def cop_iterations() -> Iterator[Variant]:
    for rank in ("full", "amended"):
        whole, wanted, there = [], [], 0
        for _, k, X in data_sets():
            paths = fit("cop", X, n_components=2, n_nonzero=k, n_steps=100, rank=rank, whole_path=True).path_
            whole.append(sum(path.n_steps for path in paths))
            wanted.append(sum(int(np.argmax(path.nnz <= k)) for path in paths))
            there += all(path.nnz[min(100, path.n_steps)] <= k for path in paths)
        how = f"pairs ranked by the gain of the {rank} step"
        yield Variant(f"whole paths down to one nonzero, {how}", spread(whole))
        yield Variant(f"steps to 0.4 d nonzeros, {how}", spread(wanted))
        yield Variant(
            f"paths ended after 100 steps, as the paper says, {how}",
            f"200 by definition; {there} of 18 have 0.4 d nonzeros or fewer by then",
        )
    yield Variant("fewest steps to 0.4 d nonzeros at d = 180, as a step drops one feature at most", "2 x 108 = 216")


@reason("capped_iterations", COP, f"SPCA and EMPCA, at most 100 for each: {WHAT}", "200 and 200")
def capped_iterations() -> Iterator[Variant]:
    for tol in (1e-3, 1e-9, 0.0):
        counts = [
            int(fit("spca_card", X, n_components=2, n_nonzero=k, tol=tol, max_iter=100).n_iter_)
            for _, k, X in data_sets()[::6]
        ]
        yield Variant(f"spca_card, tol = {tol:g}: rounds for both components, d = 10, 70, 130", spread(counts))
    for tol in (1e-6, 0.0):
        counts = [
            int(
                fit(
                    "empca", X, n_components=2, n_nonzero=k, tol=tol, max_iter=100, n_init=0
                ).n_iter_per_component_.sum()
            )
            for _, k, X in data_sets()[::6]
        ]
        yield Variant(f"empca, tol = {tol:g}: iterations of both, d = 10, 70, 130", spread(counts))


@reason("gpower_iterations", COP, f"GPower l1, l0, l1m, l0m: {WHAT}", "8.3, 6.7, 6.3, 5.7")
def gpower_iterations() -> Iterator[Variant]:
    for name in ("gpower_l1", "gpower_l0"):
        for tol, rho in ((1e-4, 0.5), (1e-4, 0.7), (1e-4, 0.9), (1e-6, 0.7), (1e-6, 0.9)):
            yield Variant(f"{name}, rho = {rho:g}, tol = {tol:g}", spread(both(name, rho=rho, tol=tol, max_iter=100)))
    for name in ("gpower_l1m", "gpower_l0m"):
        for tol, rho in ((1e-4, 0.1), (1e-4, 0.2), (1e-4, 0.8), (1e-6, 0.1), (1e-6, 0.2), (1e-6, 0.8)):
            counted = spread(rounds(name, rho=rho, tol=tol, max_iter=100))
            yield Variant(f"{name}, rho = {rho:g}, tol = {tol:g}, a round of both counted once", counted)


@reason("alspca_iterations", COP, f"ALSPCA: {WHAT}", "5.6")
def alspca_iterations() -> Iterator[Variant]:
    for step in ("rounded", "spectral"):
        for rho in (0.05, 0.2, 0.4, 0.6, 0.8):
            counted = spread(rounds("alspca", rho=rho, step=step, max_iter=100))
            yield Variant(f"rho = {rho:g}, {step} steps, a round of both counted once", counted)
