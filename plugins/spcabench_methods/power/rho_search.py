"""The search for GPower's penalty of a wanted cardinality."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import SecondMoments
from spcabench_methods.core.penalty_search import Calibration
from spcabench_methods.power.ascent import ALONE
from spcabench_methods.power.level_steps import level_steps
from spcabench_methods.power.passed import Passed
from spcabench_methods.truncations import Threshold

MOST = 50
"""The most fits of a search."""
EDGE = 0.1
"""How far a threshold lies above the largest entry that it removes, as a share of the gap to the smallest that stays.

Where a threshold shrinks what stays, the smallest one that leaves k nonzeros leaves the most variance.
"""
LEVEL_TOL = 1e-4
LEVEL_STEPS = 100
QUICK = 302
"""Ascents that only have to say on which side of k they end make so many compiled steps alone."""
TOUCHING = 1e-9
"""What two ends settle touches if the rest between them is this narrow, relative to its upper end."""
NARROW = 1e-4
"""A bracket this narrow, relative to its upper end, is a jump if both of its ends say so."""
CLOSED = 1e-6
"""One this narrow is a jump whatever they say: where one end cannot exist at the other, an entry takes others along."""
STEEP = 2e-3
FEW, SLOPE = 3, 20.0
"""A bracket of a width up to `STEEP`, relative to its upper end, is a jump if more than single entries go within it.

So many go: `FEW`, and `SLOPE` times k times the width."""
NEAR = 0.1
"""A cardinality is near the wanted one if it differs by no more than this share."""
CLIP = 0.2
"""A proposal leaves at least this share of the bracket on either side."""
GROWTH = 0.5
"""The first power of the ratio of cardinalities by which a threshold moves while a bracket has one end; it doubles."""
REACH = 0.1
ROUGH_REACH = 0.3
"""What an end settles is explored further where it is so much of the bracket; the latter is of an estimate."""
BEYOND = 1e-2
"""How far beyond what an end settles the next threshold lies, as a share of the bracket."""
BESIDE = 1e-3
"""How far from an estimated limit the next threshold lies, as a share of what the estimate spans."""
TRIES = 4
"""So many proposals a search rests on estimated limits."""

Ascend = Callable[[float, Passed, int], Component]
"""``ascend(rho, passed, alone)`` is a fit, see `penalised_ascent`."""


@dataclass(frozen=True)
class End:
    """A fit, with thresholds relative to the largest deviation.

    Parameters
    ----------
    share : float
        The threshold.
    low, high : float
        See `Passed`.
    count : int
        The nonzeros.
    component : Component
    sure : bool
        Whether the component is that of a fit, as it is up to 30 steps, and not of steps alone.
    """

    share: float
    low: float
    high: float
    count: int
    component: Component
    sure: bool


def search_rho(
    moments: SecondMoments, penalty: Threshold, k: int, start: Array, ascend: Ascend, exact: bool = False
) -> Calibration[Component]:
    """Find the relative penalty that leaves k nonzeros; none where there are no more features than that.

    The first penalty is that of `threshold_for`, whose threshold moves with the iterations such that k nonzeros stay.
    Each fit starts anew, so that the result is a function of the penalty.  The result has k nonzeros, otherwise the
    most below k, otherwise the fewest above, of the fits that were made; one without nonzeros is the last choice.

    Parameters
    ----------
    moments : SecondMoments
    penalty : Threshold
    k : int
        The wanted nonzeros.
    start : ndarray of shape (n_features,)
        The first start of the fits.
    ascend : callable
        The fit.
    exact : bool
        Whether a fit settles the cardinality of all penalties in its limits: that of hard thresholds from one start.
    """
    if k >= np.count_nonzero(moments.diagonal):
        component = ascend(0.0, Passed(), ALONE)
        found = int(np.count_nonzero(component.loading))
        return Calibration(0.0, found, component, 1, found == k)
    return Search(moments, penalty, k, start, ascend, exact).run()


class Search:
    """Narrow a bracket of thresholds until a fit has k nonzeros, or the cardinality jumps within it."""

    def __init__(
        self, moments: SecondMoments, penalty: Threshold, k: int, start: Array, ascend: Ascend, exact: bool
    ) -> None:
        self.moments, self.penalty, self.k, self.start = moments, penalty, k, start
        self.ascend, self.exact, self.quick = ascend, exact, not exact
        self.peak = math.sqrt(moments.diagonal.max())
        self.low, self.high = 0.0, 1.0
        self.dense: End | None = None
        self.sparse: End | None = None
        self.ends: list[End] = []
        self.n_fits = self.in_turn = 0
        self.growth, self.tries, self.guessed = GROWTH, TRIES, math.inf

    def run(self) -> Calibration[Component]:
        """Search."""
        share: float | None = self.guess(self.start)
        while share is not None and self.n_fits < MOST:
            end = self.fit(share)
            self.ends.append(end)
            if end.count == self.k:
                break
            self.narrow(end)
            share = self.unsure() if self.jumps() else self.propose()
        best = min((end for end in self.ends if end.sure), key=self.rank)
        rho = self.penalty.to_penalty(best.share)
        return Calibration(rho, best.count, best.component, self.n_fits, best.count == self.k)

    def rank(self, end: End) -> tuple[bool, bool, int]:
        """Return what is smallest of the best end."""
        return end.count == 0, end.count > self.k, abs(end.count - self.k)

    def fit(self, share: float) -> End:
        """Fit; quickly, unless the cardinality may be the wanted one."""
        end = self.ended(share, QUICK if self.quick and self.far() else ALONE)
        return end if end.sure or end.count != self.k else self.ended(share, ALONE)

    def ended(self, share: float, alone: int) -> End:
        """Return the end of an ascent."""
        passed = Passed()
        component = self.ascend(self.penalty.to_penalty(share), passed, alone)
        self.n_fits += 1
        low, high = min(passed.low / self.peak, share), max(passed.high / self.peak, share)
        return End(share, low, high, int(np.count_nonzero(component.loading)), component, passed.alone <= ALONE - 2)

    def far(self) -> bool:
        """Return whether the cardinality of either end is far from the wanted one."""
        if self.dense is None or self.sparse is None:
            return False
        off = 0.5 * NEAR * self.k
        apart = self.dense.count - self.sparse.count >= max(FEW, 4.0 * off)
        return apart and self.dense.count - self.k > off and self.k - self.sparse.count > off

    def narrow(self, end: End) -> None:
        """Move an end of the bracket to a fit, or to the limit of what it settles."""
        denser = end.count > self.k
        self.in_turn = max(self.in_turn, 0) + 1 if denser else min(self.in_turn, 0) - 1
        if denser:
            self.low, self.dense = min(end.high if self.exact else end.share, self.high), end
        else:
            self.high, self.sparse = max(end.low if self.exact else end.share, self.low), end

    def unsure(self) -> float | None:
        """Return the threshold of the best end if that was a quick fit, and go on without those; None if it was not."""
        best = min(self.ends, key=self.rank)
        if best.sure:
            return None
        self.quick = False
        self.ends = [end for end in self.ends if end.sure]
        sparse = [end for end in self.ends if end.count < self.k and end.share > best.share]
        dense = [end for end in self.ends if end.count > self.k and end.share < best.share]
        if best.count < self.k:
            self.sparse = min(sparse, key=lambda end: end.share, default=None)
            self.high = self.sparse.share if self.sparse else 1.0
        else:
            self.dense = max(dense, key=lambda end: end.share, default=None)
            self.low = self.dense.share if self.dense else 0.0
        return best.share

    def propose(self) -> float:
        """Propose a guess from a fit that is nearer than those before; otherwise a threshold by the bracket."""
        ends = [end for end in (self.dense, self.sparse) if end]
        nearest = min(ends, key=lambda end: abs(end.count - self.k))
        off = abs(nearest.count - self.k)
        if off <= NEAR * self.k and off < self.guessed:
            self.guessed = off
            share = self.guess(nearest.component.loading)
            if self.low < share < self.high:
                return share
        if self.dense is None or self.sparse is None:
            return self.farther(nearest)
        beyond = self.beyond(self.dense, self.sparse) if self.exact else self.beside(self.dense, self.sparse)
        return beyond or self.between(self.dense, self.sparse)

    def guess(self, w: Array) -> float:
        """Return the threshold that keeps k nonzeros from w on."""
        return min(threshold_for(self.moments, self.penalty, self.k, w) / self.peak, 1.0)

    def farther(self, end: End) -> float:
        """Return a threshold beyond the one end that there is, the farther the more ends there were."""
        factor = (max(end.count, 0.5) / self.k) ** self.growth
        self.growth *= 2.0
        if factor < 1.0:
            return min(end.share * factor, end.low * (1.0 - TOUCHING)) or 0.5 * end.share
        share = max(end.share * factor, end.high * (1.0 + TOUCHING))
        return share if share < 1.0 else 0.5 * (end.share + 1.0)

    def between(self, dense: End, sparse: End) -> float:
        """Return a threshold by the logarithms of the cardinalities; the middle if one end moved twice in turn."""
        if abs(self.in_turn) > 1:
            return 0.5 * (self.low + self.high)
        above, below = math.log(dense.count / self.k), math.log(self.k / max(sparse.count, 0.5))
        return self.low + (self.high - self.low) * min(max(above / (above + below), CLIP), 1.0 - CLIP)

    def beyond(self, dense: End, sparse: End) -> float | None:
        """Return a threshold just beyond what an end settles, if that is much of the bracket."""
        width = self.high - self.low
        above, below = dense.high - dense.share, sparse.share - sparse.low
        if max(above, below) < REACH * width:
            return None
        return self.low + BEYOND * width if above > below else self.high - BEYOND * width

    def beside(self, dense: End, sparse: End) -> float | None:
        """Return a threshold just below the estimated limit of the sparse end; once that is dense, one above it."""
        reach = sparse.share - sparse.low
        rough = reach > ROUGH_REACH * (self.high - self.low) or self.steep(dense, sparse)
        if not (self.tries and rough and self.low < sparse.low):
            return None
        self.tries -= 1
        if sparse.low - self.low <= 2.0 * BESIDE * reach:
            return min(sparse.low + BESIDE * reach, 0.5 * (sparse.low + self.high))
        return max(sparse.low - BESIDE * reach, 0.5 * (self.low + sparse.low))

    def jumps(self) -> bool:
        """Return whether the cardinality jumps within the bracket.

        It does where what the ends settle touches.  Without that, it does in a narrow bracket if the fit at either end,
        cut by the threshold of the other end, stays on its own side of k: then both exist side by side, and no entry
        that comes or goes by itself leads from one to the other.
        """
        width = self.high - self.low
        if self.dense is None or self.sparse is None:
            return width <= CLOSED * self.high or self.high <= TOUCHING
        if self.exact:
            return width <= TOUCHING * self.high
        if width <= CLOSED * self.high:
            return True
        if self.steep(self.dense, self.sparse) and not (self.tries and self.low < self.sparse.low):
            return True
        if width > NARROW * self.high:
            return False
        dense, sparse = self.dense.component.loading, self.sparse.component.loading
        return self.above(dense, self.high) > self.k and 0 < self.above(sparse, self.low) < self.k

    def steep(self, dense: End, sparse: End) -> bool:
        """Return whether the cardinality falls by more than single entries that come or go."""
        width = (self.high - self.low) / self.high
        return width <= STEEP and dense.count - sparse.count >= FEW + SLOPE * self.k * width

    def above(self, w: Array, share: float) -> int:
        """Count the entries of ``S w / sqrt(w'Sw)`` above a threshold."""
        return int(np.count_nonzero(np.abs(correlations(self.moments, w)) > share * self.peak)) if w.any() else 0


def correlations(moments: SecondMoments, w: Array) -> Array:
    """Return ``S w / sqrt(w'Sw)``, or zero if w has no variance."""
    Sw = moments.matvec(w)
    variance = float(w @ Sw)
    return np.asarray(Sw / np.sqrt(variance)) if variance > 0.0 else np.zeros_like(Sw)


def threshold_for(
    moments: SecondMoments, penalty: Threshold, k: int, w: Array, edge: float = EDGE, tol: float = LEVEL_TOL
) -> float:
    """Return the threshold at which GPower, moved from w on such that k nonzeros stay, comes to rest."""
    small = compact(moments)
    if small is not None:
        return level_steps(penalty)(*small, w, k, edge, tol, LEVEL_STEPS)
    c = correlations(moments, w)
    level = kept = 0.0
    for _ in range(LEVEL_STEPS):
        parts = np.partition(np.abs(c), (-k - 1, -k))
        old, level, kept = level, float(parts[-k - 1]), float(parts[-k])
        t = penalty.compiled(c, level)
        if abs(level - old) <= tol * level or not t.any():
            break
        c = correlations(moments, t)
    return level + edge * (kept - level)
