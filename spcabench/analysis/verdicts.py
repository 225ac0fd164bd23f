"""What may be said of published numbers beside our draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.intervals import Values
from spcabench.analysis.paired import interval_of_mean

Verdict = Literal["reproduced", "explained", "refuted", "open"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""From agreement to none: it is so; it is not, and a computation shows why; it is not; it cannot be said."""

ROUNDING = 1e-9
"""Slack of a tie, relative: 3.1 less 3.0 is more than 0.1 in binary."""

LEAST_DRAWS = 39
"""Below so many draws no published number can be outside of ours at the 5 % level."""

LEAST_DRAWS_OF_A_MEAN = 8
"""Student's prediction interval was tried from so many draws on; it found 68 % of the means that were 3 sd away."""

LEVEL = 0.05

MOST_OFF = 0.25
"""A mean of ours that is off by more than this share of the published number is not its reproduction."""

LEAST_SCALE = 0.1
"""Of a published number near zero the share is one of this part of the metric's range."""

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


def prediction_p(
    published: float, ours: Values, n_published: int = 1, half_unit: float = 0.0, step: float = 0.0
) -> float:
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
    step : float
        The values of the metric are so far apart: sd is at least ``step / sqrt(12)``, that of a rounded number.

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
    scale = max(float(draws.std(ddof=1)), step / math.sqrt(12)) * math.sqrt(1 / len(draws) + 1 / n_published)
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
    def scale(self) -> float:
        """What a difference is a share of: the published number, or a part of the metric's range if it is less."""
        width = self.range[1] - self.range[0]
        return max(abs(self.published), LEAST_SCALE * width if math.isfinite(width) else 0.0)

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
        Where draws tie, the metric has few values, and as many draws are needed as for the quantile; their spread is
        then at least that of a value which is rounded to the smallest step seen.  Draws that are all the same have no
        spread: a number departs from them if it is off by more than `MOST_OFF` of the range, or of itself.
        """
        draws = np.asarray(self.ours, dtype=float)
        values = np.unique(draws)
        tied = len(values) < len(draws)
        if not self.random or len(draws) < 2 or (tied and not self.enough):
            return math.nan
        if len(values) == 1:
            width = self.range[1] - self.range[0]
            far = MOST_OFF * (width if math.isfinite(width) else abs(self.published))
            return 0.0 if abs(float(values[0]) - self.published) > far else self.p
        step = float(np.diff(values).min()) if tied else 0.0
        return prediction_p(self.published, draws, self.n_published, self.slack, step)

    @property
    def matches(self) -> bool:
        """Whether ours is within the tolerance: the one value; of draws, surely their mean (90 % interval)."""
        off = np.asarray(self.ours, dtype=float) - self.published
        margin = max(self.tolerance, self.slack)
        if not self.random:
            return abs(float(off.mean())) <= margin
        if len(off) < 2:
            return False
        ends = interval_of_mean(np.where(np.abs(off) <= self.slack, 0.0, off), 0.9)
        return -margin <= ends.low and ends.high <= margin


class Judgement(NamedTuple):
    """What may be said of a published number.

    Parameters
    ----------
    verdict : {"reproduced", "refuted", "open"}
    why : str
        In words, with the numbers.
    p : float
        The two-sided p-value of the number among the draws; nan if it is not known.
    """

    verdict: Verdict
    why: str
    p: float = math.nan


def judge(numbers: Sequence[Number]) -> list[Judgement]:
    """Return what may be said of each of some numbers that are read together.

    Returns
    -------
    list of Judgement
        A deterministic number is reproduced within the tolerance, and refuted outside.  Of draws: reproduced, their
        mean is surely within the tolerance, or the number lies among 95 % of 39 draws or more whose mean is off by
        `MOST_OFF` at most; refuted, it lies outside and still does when the share of false ones among all such numbers
        is held at 5 %; open, all else, and why.

    Notes
    -----
    Which of many numbers depart is decided by the procedure of Benjamini and Hochberg (1995) over all of them.
    """
    departing = discoveries([number.fine_p for number in numbers], LEVEL)
    return [_judged(number, bool(departs)) for number, departs in zip(numbers, departing, strict=True)]


def _judged(number: Number, departs: bool) -> Judgement:
    n, p = len(number.ours), number.p
    if not n:
        return Judgement("open", "nothing was measured")
    mean = float(np.mean(np.asarray(number.ours, dtype=float)))
    off = f"{100 * (mean - number.published) / abs(number.published):+.2g} %" if number.published else f"{mean:+.2g}"
    if number.matches:
        equal = abs(mean - number.published) <= number.slack
        return Judgement("reproduced", "equal after rounding" if equal else f"within the tolerance: {off}", p)
    if not number.random:
        return Judgement("refuted", f"no test: one deterministic value, off by {off}", p)
    outside = p <= LEVEL
    if departs and (outside or not number.enough):
        return Judgement("refuted", f"departs from {n} draws: p = {number.fine_p:.2g}, mean off by {off}", p)
    if outside:
        return Judgement("open", f"outside of 95 % of {n} draws, as some of many numbers are by chance", p)
    if uninformative(number.ours, *number.range):
        return Judgement("open", f"uninformative: {n} draws spread over most of the range", p)
    if not number.enough:
        return Judgement("open", f"too few draws: {n}", p)
    if abs(mean - number.published) > MOST_OFF * number.scale:
        return Judgement("open", f"among {n} draws (p = {p:.2g}), but their mean is off by {off}", p)
    return Judgement("reproduced", f"consistent with {n} draws: p = {p:.2g}, mean off by {off}", p)
