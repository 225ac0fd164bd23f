"""Numbers of Table 4 of the RSPCA paper among more draws, and errors of l1/2 at smaller penalties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from published_checks.estimators import Array, drawn, fit, measured
from published_checks.plain import sparse
from spcabench_methods.robust.l1_ascent import Shrink
from spcabench_methods.robust.rspca import RSPCA

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


class Weaker(RSPCA):
    """RSPCA with p = 1/2 that keeps as many entries, and shrinks them by a share of the penalty of equation 13."""

    share = 1.0

    def _shrinks(self, n_features: int) -> list[tuple[int, Shrink]]:
        return [(k, lambda v, k=k: weaker(v, k, self.share)) for k in self._counts(n_features)]


def weaker(v: Array, k: int, share: float) -> Array:
    """Keep the k largest entries, shrunk to the larger root of ``u + lambda/2 u^(-1/2) = |v|`` at a smaller lambda."""
    kept = sparse(v, k, 0.0)
    if not share:
        return kept
    theta, size = share ** (2 / 3) * np.sort(np.abs(v))[-k - 1], np.abs(v)
    angle = np.arccos(np.sqrt(0.5) * np.minimum(1.0, theta / np.maximum(size, 1e-300)) ** 1.5)
    return np.asarray(np.where(kept != 0.0, 2 / 3 * v * (1 + np.cos(2 / 3 * (np.pi - angle))), 0.0))


@cache
def weaker_error(case: str, seed: int, share: float) -> float:
    """Return the error of l1/2 with a share of the penalty; 0 is l0."""
    model = Weaker(n_components=100, n_nonzero=400, p=0.5, init="ones", random_state=0)
    model.share = share
    data = digits(case, seed)
    return error(model.fit(data.X).components_, data)


@reason(
    "half_thresholds",
    f"{PAPER}, ERR at 100 components",
    "error of l1/2 beside that of l0 on the same draw, %, at shares of the penalty of equation 13; mean of three draws",
    "noise +0.08, outliers -0.06",
)
def half_thresholds() -> Iterator[Variant]:
    for case in CASES:
        for share in (1.0, 0.1, 0.01):
            off = [100 * (weaker_error(case, seed, share) / weaker_error(case, seed, 0.0) - 1) for seed in range(3)]
            yield Variant(f"{case}, {share:g} of the penalty", f"{np.mean(off):+.2f}")
