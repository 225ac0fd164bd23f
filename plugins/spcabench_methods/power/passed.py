"""The thresholds with which an ascent takes the same way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.power.ascent_steps import as_settled


@dataclass
class Passed:
    """The thresholds that let the same entries pass as the steps of an ascent, from `low` up to but without `high`.

    Hard thresholds leave as it is what passes.  With any of these, up to rounding, an ascent from one start then takes
    the same steps and ends with the same loading; after 32 steps only if a threshold also takes and leaves the same
    points in the span of three iterates.  Where a threshold shrinks, the steps move with it, and these are an estimate.

    Parameters
    ----------
    low, high : float
        The largest entry that a step removed, and the smallest that one kept, or what ends the ascent in another step.
    count, old_count : int
        The entries that the last step kept, and those of the step before it.
    alone : int
        How many compiled steps there were.
    """

    low: float = 0.0
    high: float = math.inf
    count: int = 0
    old_count: int = 0
    alone: int = 0

    def see(self, low: float, high: float) -> None:
        """Take in other limits."""
        self.low, self.high = max(self.low, low), min(self.high, high)

    def begin(self, diagonal: Array, start: Array) -> None:
        """Take in where a threshold takes features from the start."""
        self.see(0.0, math.sqrt(diagonal[start != 0.0].min(initial=math.inf)))

    def leave_out(self, diagonal: Array, level: float) -> None:
        """Take in that features are left out, of which no step says how large their entries are."""
        self.see(math.sqrt(diagonal[diagonal <= level * level].max()), math.inf)

    def compiled(self, n_iter: int, low: float, high: float, count: int) -> None:
        """Take in compiled steps."""
        self.see(low, high)
        self.alone, self.count = max(self.alone, n_iter), count

    def step(self, c: Array, t: Array) -> None:
        """Take in a step."""
        sizes, kept = np.abs(c), t != 0.0
        self.see(np.where(kept, 0.0, sizes).max(), np.where(kept, sizes, math.inf).min())
        self.count, self.old_count = int(np.count_nonzero(kept)), self.count

    def settle(self, level: float, tol: float, objective: float, old: float) -> None:
        """Take in whether the objective has settled."""
        self.see(*as_settled((0.0, math.inf), level, tol, objective, old, self.count, self.old_count))


class Unseen(Passed):
    """No limits, where nobody asks for them."""

    def see(self, low: float, high: float) -> None:
        """Leave them."""

    def begin(self, diagonal: Array, start: Array) -> None:
        """Leave them."""

    def leave_out(self, diagonal: Array, level: float) -> None:
        """Leave them."""

    def compiled(self, n_iter: int, low: float, high: float, count: int) -> None:
        """Leave them."""

    def step(self, c: Array, t: Array) -> None:
        """Leave them."""

    def settle(self, level: float, tol: float, objective: float, old: float) -> None:
        """Leave them."""


UNSEEN = Unseen()
