"""What may be said of published numbers beside our draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from spcabench.analysis.agreement import (
    LEAST_DRAWS,
    ROUNDING,
    discoveries,
    prediction_p,
    quantile_p,
    uninformative,
)
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

LEAST_DRAWS_OF_A_MEAN = 8
"""Student's prediction interval was tried from so many draws on; it found 68 % of the means that were 3 sd away."""

LEVEL = 0.05


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
