"""Numbers of Table 4 of the RSPCA paper among more draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from published_checks.estimators import Array, drawn, fit, measured

from published_reasons.registry import Variant, reason
from spcabench import Dataset

PAPER = "Zhao, Meng, Xu 2014 (RSPCA), Table 4"
CASES: Mapping[str, Mapping[str, Any]] = {
    "noise": {"kind": "noise", "fraction": 0.3379520},
    "outliers": {"kind": "outliers", "fraction": 0.5069280},
}
N_DRAWS = 10
PLACED: Sequence[tuple[str, str, Mapping[str, Any], str, float]] = (
    ("noise", "gpower_l1", {"rho": 0.0058}, "mean nonzeros", 609.13),
    ("noise", "gpower_l0", {"rho": 3.2e-4}, "mean nonzeros", 423.67),
    ("outliers", "rspca", {"p": 1.0, "n_nonzero": 400}, "ERR", 646.3972),
)


@cache
def digits(case: str, seed: int) -> Dataset:
    """Draw the images of digit 6."""
    return drawn("mnist", seed, digit=6, split="train", contamination=CASES[case])


def error(components: Array, data: Dataset) -> float:
    """Return the error at 100 components."""
    return float(measured("err", components, data)["100"])


@reason(
    "digits_among_draws",
    PAPER,
    f"numbers that three draws do not place, among {N_DRAWS} draws",
    ", ".join(f"{case}, {name}, {what} {number:g}" for case, name, _, what, number in PLACED),
)
def digits_among_draws() -> Iterator[Variant]:
    for case, name, params, what, _ in PLACED:
        found = []
        for seed in range(N_DRAWS):
            data = digits(case, seed)
            fitted = fit(name, data.X, n_components=100, random_state=0, **params)
            found.append(error(fitted.components_, data) if what == "ERR" else float(fitted.n_nonzero_.mean()))
        low, mean, high = min(found), float(np.mean(found)), max(found)
        yield Variant(f"{case}, {name}, {what}: mean, and least to most", f"{mean:.1f}, {low:.1f} to {high:.1f}")
