"""The search for GPower's penalty of a wanted cardinality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spcabench import Bracket, Calibration, search_penalty
from spcabench_methods.core.arrays import Array
from spcabench_methods.core.base import Component
from spcabench_methods.core.compact import compact
from spcabench_methods.core.moments import SecondMoments
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
STEP = 1e-3
GROWTH = 4.0
"""Steps from the first penalty on, relative to it, are so long and grow so much, until the bracket has two ends."""
LEVEL_TOL = 1e-4
LEVEL_STEPS = 100


def search_rho(
    moments: SecondMoments,
    penalty: Threshold,
    k: int,
    start: Array,
    fit: Callable[[float], tuple[int, Component]],
) -> Calibration[Component]:
    """Find the relative penalty that leaves k nonzeros; none where there are no more features than that.

    The first penalty is that of `threshold_for`, whose threshold moves with the iterations such that k nonzeros stay.
    Each fit starts anew, so that the result is a function of the penalty.

    Parameters
    ----------
    moments : SecondMoments
    penalty : Threshold
    k : int
        The wanted nonzeros.
    start : ndarray of shape (n_features,)
        The first start of the fits.
    fit : callable
        ``fit(rho)`` returns the nonzeros and the component with that penalty.
    """
    if k >= np.count_nonzero(moments.diagonal):
        found, component = fit(0.0)
        return Calibration(0.0, found, component, 1, found == k)
    return search_penalty(fit, 0.0, 1.0, k, propose=Proposals(moments, penalty, k, start))


class Proposals:
    """Propose the penalties of a search, one after another."""

    def __init__(self, moments: SecondMoments, penalty: Threshold, k: int, start: Array) -> None:
        self.moments, self.penalty, self.k, self.start = moments, penalty, k, start
        self.peak = float(np.sqrt(moments.diagonal.max()))
        self.step = STEP
        self.guessed = True

    def __call__(self, bracket: Bracket[Component]) -> float | None:
        """Propose a guess if a fit is near, and bisections in turn with guesses; stop at a jump."""
        if self.jumps(bracket):
            return None
        ends = [end for end in (bracket.dense, bracket.sparse) if end]
        if not ends:
            return self.guess(bracket, self.start)
        found, component = min(ends, key=lambda end: abs(end[0] - self.k))
        near = 0 < abs(found - self.k) <= NEAR * self.k
        self.guessed = near and not self.guessed
        if self.guessed:
            return self.guess(bracket, component.loading)
        return self.beside(bracket) if near else bracket.middle

    def guess(self, bracket: Bracket[Component], w: Array) -> float:
        """Return the penalty that keeps k nonzeros from w on, or the middle if the bracket excludes that."""
        threshold = threshold_for(self.moments, self.penalty, self.k, w)
        rho = self.penalty.to_penalty(min(threshold / self.peak, 1.0))
        return rho if bracket.low < rho < bracket.high else self.beside(bracket)

    def beside(self, bracket: Bracket[Component]) -> float:
        """Return the middle, or a penalty a step from the one end that was fitted."""
        if bracket.dense and bracket.sparse:
            return bracket.middle
        self.step *= GROWTH
        if bracket.dense:
            return min(bracket.low * (1.0 + self.step), bracket.middle)
        return max(bracket.high * (1.0 - self.step), bracket.middle)

    def jumps(self, bracket: Bracket[Component]) -> bool:
        """Return whether the cardinality jumps within a narrow bracket.

        It does if the fit at either end, cut by the threshold of the other end, stays on its own side of k: then both
        exist side by side, and no entry that comes or goes by itself leads from one to the other.
        """
        width = bracket.high - bracket.low
        if not (bracket.dense and bracket.sparse) or width > NARROW * bracket.high:
            return False
        if width <= CLOSED * bracket.high:
            return True
        low, high = (self.peak * self.penalty.of_penalty(rho) for rho in (bracket.low, bracket.high))
        dense, sparse = bracket.dense[1].loading, bracket.sparse[1].loading
        return self.above(dense, high) > self.k and 0 < self.above(sparse, low) < self.k

    def above(self, w: Array, threshold: float) -> int:
        """Count the entries of ``S w / sqrt(w'Sw)`` above a threshold."""
        return int(np.count_nonzero(np.abs(correlations(self.moments, w)) > threshold)) if w.any() else 0


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
