"""What the papers say that an iteration of other methods costs: how that of ours grows, beside their bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
from spcabench_methods.core.moments import Data

from published_checks.claims import add, at_most
from published_checks.cop_claims import fit_seconds
from published_checks.estimators import fit
from published_checks.paths import COP
from published_checks.plain import slope
from published_checks.rspca_claims import RSPCA

SLACK = 0.5
"""A measured exponent may exceed a power by so much: it is then nearer to it than to the next."""


@dataclass(frozen=True, eq=False)
class Cost:
    """A method, how many more iterations some parameters lead to than others, and what papers say of one.

    Parameters
    ----------
    name, says : str
        The registered method, and what the papers call it.
    formulas : dict of str to (float, float)
        By paper: the formula, and the powers of n and of d there.
    params : dict
        Parameters of all fits.
    few, many, more : dict, dict, int
        Parameters for few and for many iterations, and by how many of each component these differ.  None: the
        iterations of a fit are its products of the covariance with vectors, which are counted.
    sizes : dict of str to tuple of int
        The numbers n of samples, d of features and m of components; the first of each where another grows.
    """

    name: str
    says: str
    formulas: Mapping[str, tuple[str, float, float]]
    params: Mapping[str, Any]
    few: Mapping[str, Any] | None
    many: Mapping[str, Any]
    more: int
    sizes: Mapping[str, tuple[int, ...]]


def capped(few: int, many: int) -> tuple[dict[str, Any], dict[str, Any], int]:
    return {"max_iter": few}, {"max_iter": many}, many - few


def both(formula: str, n: float, d: float) -> dict[str, tuple[str, float, float]]:
    """Return what both papers say alike."""
    return {f"{COP}, section 2.4": (formula, n, d), f"{RSPCA}, section 2.7": (f"m {formula}", n, d)}


WIDE = {"n": (100, 200, 400, 800), "d": (1600, 400, 800, 3200), "m": (2, 1, 4, 8)}
"""Fewer samples than features: the methods take products with samples."""
SMALL = {"n": (1000, 2000, 4000, 8000), "d": (60, 20, 40, 120), "m": (2, 1, 4, 8)}
BEYOND = {"n": (200, 400, 800, 1600), "d": (6400, 1600, 3200, 12800)}
"""Samples beyond the cache of a processor, which makes small ones cheaper."""
PATH = {f"{COP}, section 2.4": ("nd^3", 1.0, 3.0), f"{RSPCA}, section 2.7": ("m n^3 d", 3.0, 1.0)}
TEN, OPEN = {"n_nonzero": 10, "tol": 0.0}, {"rho": 0.1, "tol": 0.0, "refit": False}
COSTS = (
    Cost("spca_card", "SPCA", both("nd^3", 1, 3), TEN, *capped(2, 22), WIDE),
    Cost("dspca", "DSPCA", both("nd^4 log d", 1, 4), {"lam": 0.05, "tol": 0.0}, *capped(1, 6), SMALL),
    Cost("empca", "EMPCA", both("nd log d", 1, 1), {**TEN, "n_init": 0}, *capped(5, 105), WIDE),
    Cost("alspca", "ALSPCA", both("nd^2", 1, 2), {"rho": 0.1}, None, {"max_iter": 3}, 0, WIDE),
    Cost("gpower_l0", "GPower", both("nd", 1, 1), OPEN, *capped(5, 55), WIDE | BEYOND),
    Cost("pathspca", "PathSPCA", PATH, {}, {"n_nonzero": 5}, {"n_nonzero": 45}, 40, WIDE),
)


@cache
def seconds(cost: Cost, n: int, d: int, m: int) -> float:
    """Return the CPU seconds of an iteration of all components on white noise."""
    drawn = np.random.default_rng(0).standard_normal((cost.sizes["n"][0], d))
    X = np.tile(drawn, (n // len(drawn), 1))  # more samples of the same covariance
    if cost.few is not None:
        took = [fit_seconds(cost.name, X, n_components=m, **cost.params, **how) for how in (cost.few, cost.many)]
        return (took[1] - took[0]) / cost.more
    with patch.object(Data, "matvec", autospec=True, side_effect=Data.matvec) as product:
        before = process_time()
        fit(cost.name, X, n_components=m, **cost.params, **cost.many)
        return (process_time() - before) / product.call_count


def exponent(cost: Cost, axis: str) -> float:
    """Return the power at which the seconds of an iteration grow with n, with d or with m."""
    first = {name: sizes[0] for name, sizes in cost.sizes.items()}
    return slope(list(cost.sizes[axis]), [seconds(cost, **{**first, axis: size}) for size in cost.sizes[axis]])


def said(cost: Cost, axis: str) -> str:
    sizes = ((name, sorted(sizes) if name == axis else sizes[:1]) for name, sizes in cost.sizes.items())
    return ", ".join(f"{name} = {' .. '.join(map(str, dict.fromkeys((some[0], some[-1]))))}" for name, some in sizes)


for cost in COSTS:
    for source, (formula, n, d) in cost.formulas.items():
        for axis, power in {"n": n, "d": d, **({"m": 1.0} if formula.startswith("m ") else {})}.items():
            add(
                "linear",
                cost.name,
                f"white noise, {said(cost, axis)}: exponent in {axis} of the CPU seconds of an iteration",
                at_most(power + SLACK, 0.5),
                partial(exponent, cost, axis),
                f"{source}: {cost.says} is O({formula})",
            )
