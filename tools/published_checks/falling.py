"""Which steps of RSPCA lower ||Xw||_1, on random problems, and what else changes there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from published_checks.claims import add, exactly
from published_checks.estimators import Array
from published_checks.plain import sparse

RSPCA = "Zhao, Meng, Xu 2014 (RSPCA)"
WHICH = "the algorithm of rspca"
WHERE = "200 random problems of 12 features, k = 4"
RULES = {
    "p0": "p = 0, k largest entries",
    "p1": "p = 1, soft threshold that leaves k entries, as published",
    "p1_kth": "p = 1, soft threshold at the k-th entry, as printed in equation 12",
    "p1_bound": "p = 1, soft threshold that keeps ||w||_1 <= 1.8, the same in all steps",
    "half": "p = 1/2, half threshold that leaves k entries, as published",
}
"""How a step makes its vector sparse."""


@dataclass(frozen=True)
class Step:
    """A step: the relative change of ||Xw||_1, of ||w||_1, and whether a sample is orthogonal to w."""

    change: float
    l1_change: float
    tied: bool

    @property
    def fell(self) -> bool:
        """Whether ||Xw||_1 fell by more than rounding."""
        return self.change < -1e-12

    @property
    def shrank(self) -> bool:
        """Whether ||w||_1 fell: then the w before the step breaks the constraint that the new one obeys."""
        return self.l1_change < 0.0


def bounded(v: Array, bound: float) -> Array:
    """Shrink softly until the l1 norm is `bound` times the length, by bisection."""
    low, high = 0.0, float(np.abs(v).max())
    for _ in range(100):
        middle = (low + high) / 2
        u = np.sign(v) * np.maximum(np.abs(v) - middle, 0.0)
        low, high = (middle, high) if np.abs(u).sum() > bound * np.linalg.norm(u) else (low, middle)
    return np.asarray(np.sign(v) * np.maximum(np.abs(v) - high, 0.0))


SPARSE: dict[str, Callable[[Array], Array]] = {
    "p0": lambda v: sparse(v, 4, 0.0),
    "p1": lambda v: sparse(v, 4, 1.0),
    "p1_kth": lambda v: sparse(v, 3, 1.0),
    "p1_bound": lambda v: bounded(v, 1.8),
    "half": lambda v: sparse(v, 4, 0.5),
}


@cache
def steps(rule: str) -> tuple[Step, ...]:
    """Follow the algorithm from equal entries on 200 random problems; leave out the first, dense step."""
    made = []
    for seed in range(200):
        X = np.random.default_rng(seed).standard_normal((30, 12))
        X -= X.mean(axis=0)
        w = np.ones(12) / np.sqrt(12)
        for t in range(40):
            u = SPARSE[rule](X.T @ np.where(X @ w >= 0, 1.0, -1.0))
            new = u / np.linalg.norm(u)
            if t:
                change = np.abs(X @ new).sum() / np.abs(X @ w).sum() - 1
                made.append(Step(change, np.abs(new).sum() / np.abs(w).sum() - 1, bool((X @ w == 0.0).any())))
            if np.abs(new - w).max() < 1e-10:
                break
            w = new
    return tuple(made)


def fallen(rule: str) -> int:
    """Count the steps that lower ||Xw||_1."""
    return sum(step.fell for step in steps(rule))


NOT_OPTIMAL = (
    "a fixed k lets the bound on ||w||_1 change from step to step: at each fall it had tightened, so that the w before "
    "breaks it; with one bound for all steps none falls; `reasons.py rspca_falls`"
)
NO_PROOF = (
    "the paper observes it and has no proof; half thresholding does not maximise the product with the sum of the "
    "signed samples; `reasons.py rspca_falls`"
)
for rule, source, reason in (
    ("p0", f"{RSPCA}, Theorem 4", ""),
    ("p1", f"{RSPCA}, Theorem 4", NOT_OPTIMAL),
    ("half", f"{RSPCA}, section 2.6", NO_PROOF),
):
    add(
        "21.3",
        WHICH,
        f"{WHERE}, {RULES[rule].split(',')[0]}: steps that lower ||Xw||_1",
        exactly(0),
        lambda rule=rule: fallen(rule),
        source,
        reason,
    )
add("21.3", WHICH, f"{WHERE}, {RULES['p1_bound']}: steps that lower ||Xw||_1", exactly(0), lambda: fallen("p1_bound"))
add(
    "21.3",
    WHICH,
    f"{WHERE}, p = 1: steps that lower ||Xw||_1 while ||w||_1 does not shrink",
    exactly(0),
    lambda: sum(step.fell and not step.shrank for step in steps("p1")),
)
