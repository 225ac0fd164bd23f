"""The search for the level at which rSVD-GP leaves a wanted cardinality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.penalty_search import Bracket, Calibration, search_penalty
from spcabench_methods.core.unit import unit
from spcabench_methods.power.relative import NEAR, Relative, Stop, relative_power
from spcabench_methods.power.relative_steps import ranked_step
from spcabench_methods.truncations import Truncation

EDGE = 0.3
"""Where the first level lies between the smallest and the largest that leave k entries of the vector it is made for."""
SHRINKING_EDGE = 0.1
"""The same of a truncation that shrinks what stays: the smallest level leaves the most variance."""
AIM = Stop(1e-3, 100)
"""When the steps end that propose a level."""
LOOSE = 3e-3
"""A fit whose cardinality is far from the wanted one ends when the loading changes by no more than this."""
STEP = 1e-2
GROWTH = 4.0
"""Steps to find the second end of the bracket, relative to the level: each is longer by this factor than the last."""
INSIDE = 0.05
"""A level between two ends lies no closer to one than this share of their distance."""
TOUCHING = 1e-10
"""Levels that differ by less than this share are the same."""
NARROW = 3e-4
CLOSED = 1e-6
"""Where a truncation shrinks: a bracket so narrow is a jump if both ends say so, or whatever they say."""


def search_level(
    moments: SecondMoments, truncation: Truncation, k: int, start: Array, power: Callable[[float, int, float], Relative]
) -> Calibration[Relative]:
    """Find the level that leaves k nonzeros; none where there are no more features than that.

    Parameters
    ----------
    moments : SecondMoments
    truncation : Truncation
    k : int
        The wanted nonzeros.
    start : ndarray of shape (n_features,)
        The first start of the fits.
    power : callable
        ``power(level, k, loose)`` is a fit, which may end early far from k nonzeros, see `relative_power`.
    """

    def fit(level: float, loose: float) -> tuple[int, Relative]:
        end = power(level, k, loose)
        return int(np.count_nonzero(end.component.loading)), end

    if k >= np.count_nonzero(moments.diagonal):
        found, end = fit(0.0, 0.0)
        return Calibration(0.0, found, end, 1, found == k)
    proposals = Proposals(moments, truncation, k, start)
    search = search_penalty(lambda level: fit(level, LOOSE), 0.0, 1.0, k, propose=proposals)
    if search.reached:
        return search
    found, end = fit(search.penalty, 0.0)
    return Calibration(search.penalty, found, end, search.n_fits + 1, found == k)


class Proposals:
    """Propose the levels of a search, one after another."""

    def __init__(self, moments: SecondMoments, truncation: Truncation, k: int, start: Array) -> None:
        self.moments, self.truncation, self.k, self.start = moments, truncation, k, start
        self.edge = EDGE if truncation.selects else SHRINKING_EDGE
        self.step = STEP
        self.cut = self.odd = False

    def __call__(self, bracket: Bracket[Relative]) -> float | None:
        """Propose the next level; None at a jump."""
        left = self.left(bracket)
        low, high = left.low, left.high
        if self.jumps(left):
            return None
        if left.dense and left.sparse:
            level = self.between(left, *left.dense, *left.sparse)
        elif left.dense or left.sparse:
            level = self.beyond(left)
        else:
            level = self.aimed(self.start)
        return level if low < level < high else left.middle

    def left(self, bracket: Bracket[Relative]) -> Bracket[Relative]:
        """Narrow the bracket to the levels that repeat the steps of neither end."""
        low, high, dense, sparse = bracket.low, bracket.high, bracket.dense, bracket.sparse
        if self.truncation.selects and dense:
            low = max(low, dense[1].high)
        if self.truncation.selects and sparse:
            high = min(high, sparse[1].low)
        return Bracket(low, high, dense, sparse)

    def jumps(self, left: Bracket[Relative]) -> bool:
        """Return whether the cardinality jumps: no level is left, or, where levels shrink, hardly one.

        In the second case both ends must exist side by side, cut by the level of each other, or the next entries to
        come must come together.
        """
        width = left.high - left.low
        if self.truncation.selects:
            return width <= TOUCHING * left.high
        if not (left.dense and left.sparse) or width > NARROW * left.high:
            return False
        if width <= CLOSED * left.high:
            return True
        dense, sparse = left.dense[1], left.sparse[1]
        apart = 0 < self.above(sparse, left.low) < self.k or self.next(sparse) > self.k
        return apart and self.above(dense, left.high) > self.k

    def beyond(self, left: Bracket[Relative]) -> float:
        """Return a level on the other side of the only end: at first what cuts its vector, then steps in turn."""
        end = left.dense or left.sparse
        assert end
        self.cut = not self.cut
        level = self.truncation.leaving(self.product(end[1]), self.k, 0.5)
        if self.cut and left.low < level < left.high:
            return level
        self.step *= GROWTH
        if left.dense:
            return min(left.low * (1.0 + self.step), left.middle)
        return max(left.high * (1.0 - self.step), left.middle)

    def between(self, left: Bracket[Relative], more: int, dense: Relative, fewer: int, sparse: Relative) -> float:
        """Return in turn a level between both ends, and one beside an end; the first is the former near k."""
        nearest, end = (more, dense) if more - self.k < self.k - fewer else (fewer, sparse)
        self.odd = not self.odd
        if self.odd == (abs(nearest - self.k) <= 1 + NEAR * self.k):
            share = (more - self.k) / (more - fewer)
            return left.low + min(max(share, INSIDE), 1.0 - INSIDE) * (left.high - left.low)
        return left.high * (1.0 - 0.5 * TOUCHING) if self.truncation.selects else self.aimed(end.component.loading)

    def aimed(self, w: Array) -> float:
        """Return the level that keeps k entries where steps that keep as many come to rest."""
        end = relative_power(self.moments, ranked_step(self.truncation), float(self.k), w, AIM)
        return self.truncation.leaving(self.product(end), self.k, self.edge)

    def product(self, end: Relative) -> Array:
        """Return S w, scaled to unit length."""
        return unit(self.moments.matvec(end.component.loading))

    def above(self, end: Relative, level: float) -> int:
        """Count the entries that the next step would keep."""
        return int(np.count_nonzero(np.abs(self.product(end)) > level))

    def next(self, end: Relative) -> int:
        """Count the nonzeros, and the largest of the other entries, which come together if they tie."""
        out = np.abs(self.product(end))[end.component.loading == 0.0]
        return len(end.component.loading) - len(out) + int(np.count_nonzero(out >= (1.0 - TOUCHING) * out.max()))
