"""What may be said of published numbers beside our draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.agreement import ROUNDING
from spcabench.analysis.intervals import Values
from spcabench.analysis.paired import compare

Verdict = Literal[
    "matches",
    "consistent",
    "uninformative",
    "too few draws to say",
    "unusual",
    "departs",
    "differs",
    "target missed",
    "not measured",
    "order only",
    "set beside",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""From agreement to none."""

LEAVES_OPEN: frozenset[Verdict] = frozenset({"departs", "differs", "target missed", "not measured"})
"""What needs a reason: it neither agrees, nor is it what chance explains."""

LEAST_DRAWS = 39
"""Below so many draws no published number can be outside of ours at the 5 % level."""

LEAST_DRAWS_OF_A_MEAN = 8
"""Student's prediction interval was tried from so many draws on; it found 68 % of the means that were 3 sd away."""

LEVEL = 0.05

MOST_SHARE_OF_RANGE = 0.5
"""Draws whose 95 % prediction interval covers more of the metric's range than this say nothing."""


def quantile_p(published: float, ours: Values, half_unit: float = 0.0) -> float:
    """Return how unusual one published draw is among ours.

    ``min(1, 2 (1 + min(#{ours <= x}, #{ours >= x})) / (n + 1))``; half a unit of the last printed digit widens x.

    Parameters
    ----------
    published : float
        The printed number x.
    ours : sequence of float, length n
        Draws under the same protocol.
    half_unit : float
        Half a unit of the last printed digit.

    Returns
    -------
    float
        A two-sided p-value, at least ``2/(n + 1)``.
    """
    draws = np.asarray(ours, dtype=float)
    below = int((draws <= published + half_unit).sum())
    above = int((draws >= published - half_unit).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (len(draws) + 1))


def prediction_p(published: float, ours: Values, n_published: int = 1, half_unit: float = 0.0) -> float:
    """Return how unusual the published mean of some draws is, by Student's prediction interval.

    ``t = (x - mean) / (sd sqrt(1/n + 1/R))`` on n - 1 degrees of freedom; the nearest end of the rounding counts.

    Parameters
    ----------
    published : float
        The printed mean x.
    ours : sequence of float, length n
        Draws under the same protocol.
    n_published : int
        R, of how many draws it is the mean.
    half_unit : float
        Half a unit of the last printed digit.

    Returns
    -------
    float
        A two-sided p-value; nan for fewer than two draws.
    """
    from scipy.special import stdtr

    draws = np.asarray(ours, dtype=float)
    if len(draws) < 2:
        return math.nan
    away = max(0.0, abs(published - float(draws.mean())) - half_unit)
    scale = float(draws.std(ddof=1)) * math.sqrt(1 / len(draws) + 1 / n_published)
    if scale == 0:
        return 1.0 if away == 0 else 0.0
    return 2 * float(stdtr(len(draws) - 1, -away / scale))


def uninformative(ours: Values, lowest: float, highest: float) -> bool:
    """Return whether draws spread so widely over a metric's range that agreement with them means nothing."""
    from scipy.special import stdtrit

    draws = np.asarray(ours, dtype=float)
    if len(draws) < 2 or not math.isfinite(highest - lowest):
        return False
    half = float(stdtrit(len(draws) - 1, 0.975)) * float(draws.std(ddof=1)) * math.sqrt(1 + 1 / len(draws))
    low, high = max(lowest, float(draws.mean()) - half), min(highest, float(draws.mean()) + half)
    return high - low > MOST_SHARE_OF_RANGE * (highest - lowest)


def discoveries(p_values: Values, share: float = 0.05) -> NDArray[np.bool_]:
    """Return the tests that depart at a share of false ones (Benjamini and Hochberg 1995); nan never does."""
    p = np.asarray(p_values, dtype=float)  # scipy.stats has this too, and takes a second to import
    ordered = np.sort(p[~np.isnan(p)])
    passed = ordered[ordered <= share * np.arange(1, len(ordered) + 1) / max(1, len(ordered))]
    return p <= passed[-1] if passed.size else np.zeros(len(p), dtype=bool)


@dataclass(frozen=True)
class Number:
    """A published number and ours.

    Parameters
    ----------
    published : float
        The printed number.
    ours : sequence of float, length n
        One for each draw; nothing unknown is among them.
    random : bool
        Whether they are draws; if not, they are the one value that a deterministic computation has.
    tolerance : float
        Absolute: how far a number may be off and still match.
    half_unit : float
        Half a unit of the last printed digit.
    n_published : int
        Of how many draws the published number is the mean.
    range : (float, float)
        The smallest and the largest value of the metric.
    """

    published: float
    ours: Values
    random: bool
    tolerance: float = 0.0
    half_unit: float = 0.0
    n_published: int = 1
    range: tuple[float, float] = (-math.inf, math.inf)

    @property
    def slack(self) -> float:
        """Absolute difference up to which two numbers are equal after rounding."""
        return max(self.half_unit, ROUNDING * abs(self.published), 1e-12)

    @property
    def enough(self) -> bool:
        """Whether the draws suffice to place the published number among them."""
        return len(self.ours) >= (LEAST_DRAWS if self.n_published == 1 else LEAST_DRAWS_OF_A_MEAN)

    @property
    def p(self) -> float:
        """How unusual the published number is; nan with too few draws to say, or without any randomness."""
        if not (self.random and self.enough):
            return math.nan
        if self.n_published > 1:
            return prediction_p(self.published, self.ours, self.n_published, self.slack)
        return quantile_p(self.published, self.ours, self.slack)

    @property
    def fine_p(self) -> float:
        """A p-value that may be small, for the question which of many numbers depart.

        The quantile is at least 2/(n + 1), too coarse for that; Student's prediction is not, and few draws do for it.
        It is of no use for a metric of few values, which show as ties among the draws; there the quantile stands.
        """
        if not self.random or len(self.ours) < 2:
            return math.nan
        if self.n_published > 1 or len(set(map(float, self.ours))) == len(self.ours):
            return prediction_p(self.published, self.ours, self.n_published, self.slack)
        return self.p

    @property
    def matches(self) -> bool:
        """Whether ours is within the tolerance: the one value; of draws, surely their mean (90 % interval)."""
        off = np.asarray(self.ours, dtype=float) - self.published
        margin = max(self.tolerance, self.slack)
        if not self.random:
            return abs(float(off.mean())) <= margin
        if len(off) < 2:
            return False
        return compare(off, np.zeros(len(off)), margin, self.slack).verdict in (
            "equivalent",
            "identical on these draws",
        )


def judge(numbers: Sequence[Number]) -> list[tuple[Verdict, float]]:
    """Return the verdict on each of some numbers that are read together, and its two-sided p-value among the draws.

    Returns
    -------
    list of (str, float)
        The verdict on a deterministic number: ``matches`` within the tolerance, or ``differs``.  On draws:
        ``matches``, their mean is surely within the tolerance; ``departs``, the number lies outside of the draws and
        still does when the share of false ones among all such numbers is held at 5 %; ``unusual``, it lies outside of
        95 % of the draws, as some of many numbers do by chance; ``uninformative``, the draws spread so widely over the
        metric's range that agreement means nothing; ``consistent``, it lies among them; or ``too few draws to say``.
        ``not measured``: there are no draws.  p is nan if it is not known.

    Notes
    -----
    Which of many numbers depart is decided by the procedure of Benjamini and Hochberg (1995) over all of them.
    """
    departing = discoveries([number.fine_p for number in numbers], LEVEL)
    return [(_verdict(number, bool(on)), number.p) for number, on in zip(numbers, departing, strict=True)]


def _verdict(number: Number, departs: bool) -> Verdict:
    if not len(number.ours):
        return "not measured"
    if number.matches:
        return "matches"
    if not number.random:
        return "differs"
    outside = number.p <= LEVEL
    if departs and (outside or not number.enough):
        return "departs"
    if outside:
        return "unusual"
    if uninformative(number.ours, *number.range):
        return "uninformative"
    return "consistent" if number.enough else "too few draws to say"
