"""RSPCA: steps that lower its objective, and what its toy example has of noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from published_checks.estimators import drawn, fit
from published_checks.falling import RULES, steps

from published_reasons.registry import Variant, reason

RSPCA = "Zhao, Meng, Xu 2014 (RSPCA)"
X_COORDINATES = np.arange(-24, 26) / 10


@reason("rspca_falls", f"{RSPCA}, Theorem 4 and section 2.6", "steps that lower ||Xw||_1, for p = 0, 1, 1/2", "0, 0, 0")
def rspca_falls() -> Iterator[Variant]:
    for rule in RULES:
        made = steps(rule)
        fallen = [step for step in made if step.fell]
        text = (
            f"{len(fallen)} of {len(made)} steps, by {max((-step.change for step in fallen), default=0.0):.2%} at most"
        )
        if fallen:
            text += f"; the l1 norm shrinks in {sum(step.shrank for step in fallen)} of them"
            text += f", a sample has x'w = 0 in {sum(step.tied for step in fallen)}"
        yield Variant(RULES[rule], text)


@reason("toy_noise", f"{RSPCA}, Table 1", "ARE of (1, 0), entry of PCA's first component", "0.5720, 0.6811")
def toy_noise() -> Iterator[Variant]:
    x, outliers = X_COORDINATES, np.isin(np.arange(-24, 26), (13, 15))
    for variance in (0.25, 0.2, 0.145, 0.1):
        rng = np.random.default_rng(0)
        errors, entries = [], []
        for _ in range(10_000):
            y = np.where(outliers, 7.0, rng.normal(0.0, np.sqrt(variance), 50))
            errors.append(np.abs(y).mean())
            (a, b), (_, c) = np.cov(x, y)
            angle = 0.5 * np.arctan2(2 * b, a - c)
            entries.append(abs(np.cos(angle)))
        ares, firsts = np.array(errors), np.array(entries)
        yield Variant(
            f"10000 draws of noise variance {variance:g}",
            f"ARE {ares.mean():.3f} on average, 0.5720 or less in {np.mean(ares <= 0.572):.1%}; "
            f"entry {firsts.mean():.3f} on average, 0.6811 or less in {np.mean(firsts <= 0.6811):.1%}",
        )


@reason(
    "toy_penalties",
    f"{RSPCA}, Table 1",
    "GPower l1,m, penalty 0.3 of the first component: larger entry of the second, in draws whose first is (0, 1)",
    "0.9945; the paper states no penalty",
)
def toy_penalties() -> Iterator[Variant]:
    draws = [drawn("toy_outlier", seed, outlier=7.5).X for seed in range(200)]
    for rho in (1e-4, 1e-3, 1e-2, 0.03, 0.1):
        fits = [fit("gpower_l1m", X, n_components=2, rho=[0.3, rho]).components_ for X in draws if X is not None]
        second = np.array([abs(W[1, 0]) for W in fits if W[0, 0] == 0.0])
        below = np.mean(second <= 0.9945)
        yield Variant(
            f"penalty {rho:g} of the second, {len(second)} of 200 draws",
            f"{second.min():.4f} to {second.max():.4f}, in {below:.0%} of them 0.9945 or less",
        )
