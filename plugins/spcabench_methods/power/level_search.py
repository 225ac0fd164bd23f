"""The search for the level of rSVD-GP that leaves a wanted cardinality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench import Bracket, Calibration, search_penalty
from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.power.relative import Relative, relative_power
from spcabench_methods.power.relative_steps import ranked_steps
from spcabench_methods.truncations import Truncation

import os
EDGE = float(os.environ.get("EDGE",".1"))
NARROW = 1e-4
CLOSED = 1e-10
NEAR = .1
STEP, GROWTH = float(os.environ.get("STEP","1e-2")), 4.0
LEVEL_TOL=float(os.environ.get("LTOL","1e-3"))
LEVEL_STEPS=100

def search_level(moments: SecondMoments, truncation: Truncation, k: int, start: Array, power: Callable[[float], Relative]) -> Calibration[Relative]:
    def fit(level: float) -> tuple[int, Relative]:
        end = power(level)
        return int(np.count_nonzero(end.component.loading)), end

    if k >= np.count_nonzero(moments.diagonal):
        found, end = fit(0.0)
        return Calibration(0.0, found, end, 1, found == k)
    return search_penalty(fit, 0.0, 1.0, k, propose=Proposals(moments, truncation, k, start))


class Proposals:
    def __init__(self, moments: SecondMoments, truncation: Truncation, k: int, start: Array) -> None:
        self.moments, self.truncation, self.k, self.start = moments, truncation, k, start
        self.exact = truncation.symbol in ("l0", "en")
        self.step = STEP
        self.guessed = True

    def __call__(self, bracket: Bracket[Relative]) -> float | None:
        dense, sparse = bracket.dense, bracket.sparse
        if not (dense or sparse):
            return self.guess(self.start, 0.0, 1.0)
        low, high = bracket.low, bracket.high
        if self.exact:
            low = max(low, dense[1].high) if dense else low
            high = min(high, sparse[1].low) if sparse else high
            if not low < (1.0 - CLOSED) * high:
                return None
        elif dense and sparse and high - low < NARROW * high:
            return None
        found, end = min([e for e in (dense, sparse) if e], key=lambda e: abs(e[0] - self.k))
        self.guessed = not self.guessed
        if self.guessed and end.component.loading.any():
            level = self.guess(end.component.loading, low, high)
            if level is not None:
                return level
        if dense and sparse:
            return 0.5 * (low + high)
        self.step *= GROWTH
        if dense:
            return min(low * (1.0 + self.step), 0.5 * (low + high))
        return max(high * (1.0 - self.step), 0.5 * (low + high))

    def guess(self, w: Array, low: float, high: float) -> float | None:
        end = relative_power(self.moments, ranked_steps(self.truncation), float(self.k), w, LEVEL_TOL, LEVEL_STEPS)
        z = self.moments.matvec(end.component.loading)
        length = np.linalg.norm(z)
        if not length:
            return 0.5 * (low + high)
        level = self.truncation.leaving(z / length, self.k, EDGE)
        return level if low < level < high else None
