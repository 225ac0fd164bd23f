"""The search for GPower's penalty of a wanted cardinality."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from spcabench import Calibration
from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.power.ascent import Passed
from spcabench_methods.power.level_steps import level_steps
from spcabench_methods.truncations import Threshold

EDGE = 0.1
"""How far a threshold lies above the largest entry that it removes, as a share of the gap to the smallest that stays.

Where a threshold shrinks what stays, the smallest one that leaves k nonzeros leaves the most variance.
"""
NARROW = 1e-4
"""A bracket this narrow, relative to its upper end, is a jump if both of its ends say so."""
CLOSED = 1e-6
"""One this narrow is a jump whatever they say: where one end cannot exist at the other, an entry takes others along."""
NEAR = 0.1
"""A cardinality is near the wanted one if it differs by no more than this share."""
LEVEL_TOL = 1e-4
LEVEL_STEPS = 100
MOST = 50
"""The most fits of a search."""
ROUNDING = 1e-12
import os
CLOSED_EXACT=float(os.environ.get('CE','1e-9'))
BEYOND = float(os.environ.get('BEYOND','1e-2'))
WIDE = float(os.environ.get('WIDE','.3'))
CLIP = float(os.environ.get('CLIP','.2'))

Ascend = Callable[[float, Passed], Component]


@dataclass(frozen=True)
class End:
    """A fit, by its threshold relative to the largest deviation."""

    share: float
    low: float
    high: float
    count: int
    component: Component


def search_rho(
    moments: SecondMoments, penalty: Threshold, k: int, start: Array, ascend: Ascend
) -> tuple[Calibration[Component], float]:
    """Find the relative penalty that leaves k nonzeros; none where there are no more features than that.
    """
    if k >= np.count_nonzero(moments.diagonal):
        component = ascend(0.0, Passed())
        found = int(np.count_nonzero(component.loading))
        return Calibration(0.0, found, component, 1, found == k), 0.0
    search = Search(moments, penalty, k, start, ascend)
    return search.run(), search.low


class Search:
    """Narrow a bracket of thresholds until a fit has k nonzeros, or the cardinality jumps within it."""

    def __init__(self, moments: SecondMoments, penalty: Threshold, k: int, start: Array, ascend: Ascend) -> None:
        self.moments, self.penalty, self.k, self.start, self.ascend = moments, penalty, k, start, ascend
        self.peak = math.sqrt(moments.diagonal.max())
        self.exact = penalty.symbol == "l0"
        self.low, self.high = 0.0, 1.0
        self.dense: End | None = None
        self.sparse: End | None = None
        self.before: dict[bool, End | None] = {True: None, False: None}
        self.growth = 0.5
        self.guessed = math.inf
        self.failed = 0

    def run(self) -> Calibration[Component]:
        best: End | None = None
        n_fits = 0
        share: float | None = self.guess(self.start)
        while share is not None and n_fits < MOST:
            end = self.fit(share)
            n_fits += 1
            if best is None or self.rank(end) < self.rank(best):
                best = end
            if end.count == self.k:
                break
            self.narrow(end)
            share = None if self.jumps() else self.propose()
        assert best is not None
        return Calibration(
            self.penalty.to_penalty(best.share), best.count, best.component, n_fits, best.count == self.k
        )

    def rank(self, end: End) -> tuple[bool, bool, int]:
        return end.count == 0, end.count > self.k, abs(end.count - self.k)

    def fit(self, share: float) -> End:
        passed = Passed()
        component = self.ascend(self.penalty.to_penalty(share), passed)
        low, high = passed.low / self.peak, passed.high / self.peak
        return End(share, min(low, share), max(high, share), int(np.count_nonzero(component.loading)), component)

    def narrow(self, end: End) -> None:
        if end.count > self.k:
            self.before[True] = self.dense
            self.low, self.dense = max(end.share, end.high) if self.exact else end.share, end
            self.low = min(self.low, self.high)
        else:
            self.before[False] = self.sparse
            self.high, self.sparse = min(end.share, end.low) if self.exact else end.share, end
            self.high = max(self.low, self.high)

    def propose(self) -> float:
        dense, sparse = self.dense, self.sparse
        nearest = min((end for end in (dense, sparse) if end), key=lambda end: abs(end.count - self.k))
        off = abs(nearest.count - self.k)
        if off <= NEAR * self.k and off < self.guessed:
            self.guessed = off
            share = self.guess(nearest.component.loading)
            if self.low < share < self.high:
                return share
        if dense is None or sparse is None:
            return self.farther(nearest)
        return self.edge(dense, sparse) or self.between(dense, sparse)

    def farther(self, end: End) -> float:
        factor = (max(end.count, 0.5) / self.k) ** self.growth
        self.growth *= 2.0
        share = end.share * factor
        if factor > 1.0:
            share = max(share, end.high * (1.0 + ROUNDING))
            return share if share < 1.0 else 0.5 * (end.share + 1.0)
        return min(share, end.low * (1.0 - ROUNDING)) or 0.5 * end.share

    def between(self, dense: End, sparse: End) -> float:
        above = math.log(dense.count / self.k)
        part = above / (above + math.log(self.k / max(sparse.count, 0.5)))
        return self.low + (self.high - self.low) * min(max(part, CLIP), 1.0 - CLIP)

    def edge(self, dense: End, sparse: End) -> float | None:
        """Propose a threshold just beyond what an end settles, if that is much of what is open."""
        width = self.high - self.low
        beyond = max(BEYOND * width, 2 * ROUNDING * self.high)
        if self.exact:
            reach = {False: sparse.share - sparse.low, True: dense.high - dense.share}
            side = reach[True] > reach[False]
            if reach[side] < WIDE * width:
                return None
            return self.low + beyond if side else self.high - beyond
        return None

    def guess(self, w: Array) -> float:
        """Return the penalty that keeps k nonzeros from w on."""
        return min(threshold_for(self.moments, self.penalty, self.k, w) / self.peak, 1.0)

    def jumps(self) -> bool:
        """Return whether the cardinality jumps within a narrow bracket.

        It does if the fit at either end, cut by the threshold of the other end, stays on its own side of k: then both
        exist side by side, and no entry that comes or goes by itself leads from one to the other.
        """
        width = self.high - self.low
        if self.dense is None or self.sparse is None:
            return width <= CLOSED * self.high or self.high <= 1e-10
        if width <= (CLOSED_EXACT if self.exact else CLOSED) * self.high:
            return True
        if self.exact or width > NARROW * self.high:
            return False
        dense, sparse = self.dense.component.loading, self.sparse.component.loading
        return self.above(dense, self.high) > self.k and 0 < self.above(sparse, self.low) < self.k

    def above(self, w: Array, share: float) -> int:
        """Count the entries of ``S w / sqrt(w'Sw)`` above a threshold."""
        return int(np.count_nonzero(np.abs(correlations(self.moments, w)) > share * self.peak)) if w.any() else 0


def correlations(moments: SecondMoments, w: Array) -> Array:
    """Return ``S w / sqrt(w'Sw)``, or zero if w has no variance."""
    Sw = moments.matvec(w)
    variance = float(w @ Sw)
    return np.asarray(Sw / np.sqrt(variance)) if variance > 0.0 else np.zeros_like(Sw)


def threshold_for(moments: SecondMoments, penalty: Threshold, k: int, w: Array) -> float:
    """Return the threshold at which GPower, moved from w on such that k nonzeros stay, comes to rest."""
    small = compact(moments)
    if small is not None:
        return level_steps(penalty)(*small, w, k, EDGE, LEVEL_TOL, LEVEL_STEPS)
    c = correlations(moments, w)
    level = kept = 0.0
    for _ in range(LEVEL_STEPS):
        parts = np.partition(np.abs(c), (-k - 1, -k))
        old, level, kept = level, float(parts[-k - 1]), float(parts[-k])
        t = penalty.compiled(c, level)
        if abs(level - old) <= LEVEL_TOL * level or not t.any():
            break
        c = correlations(moments, t)
    return level + EDGE * (kept - level)
