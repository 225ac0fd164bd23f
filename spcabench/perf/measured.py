"""What is known of one case on both sides, the verdict on it, and the table of all: numbers in, words out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import binom
from tabulate import tabulate

CONFIDENCE = 0.99
HEADERS = ("solver", "size", "instructions", "time [99 % interval]", "variance", "nonzeros", "iterations", "verdict")


@dataclass(frozen=True)
class Case:
    """A case, as its file describes it."""

    name: str
    family: str
    solver: str
    size: str
    quick: bool


@dataclass(frozen=True)
class Quality:
    """How good a fit is.

    Parameters
    ----------
    variance : float
        The share of variance in the span of the loadings, from 0 to 1.
    nonzeros, iterations : int
    """

    variance: float
    nonzeros: int
    iterations: int


@dataclass(frozen=True)
class Measured:
    """A case on one side.

    Parameters
    ----------
    quality : Quality
    seconds : tuple of float
        Processor seconds of a fit, one a round.
    instructions : float, optional
        Of a fit.
    """

    quality: Quality
    seconds: tuple[float, ...] = ()
    instructions: float | None = None


@dataclass(frozen=True)
class Interval:
    """The median of paired ratios, with the order statistics between which it lies at 99 %, or the extremes if few."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, ratios: Sequence[float]) -> Interval:
        """Compute it; no distribution is assumed."""
        ordered = np.sort(ratios)
        n = len(ordered)
        skipped = max(0, int(binom.ppf((1.0 - CONFIDENCE) / 2.0, n, 0.5)) - 1)
        return cls(float(np.median(ordered)), float(ordered[skipped]), float(ordered[n - 1 - skipped]))


@dataclass(frozen=True)
class Limits:
    """How much worse head may be, as shares.

    Parameters
    ----------
    instructions : float
        More instructions.
    time : float
        More time, of which the whole interval must be beyond.
    variance : float
        Less variance.
    """

    instructions: float = 0.05
    time: float = 0.05
    variance: float = 1e-4


@dataclass(frozen=True)
class Compared:
    """A case on both sides; a side that lacks it, or cannot fit it, has the reason instead.

    Parameters
    ----------
    case : Case
    base, head : Measured or str
    """

    case: Case
    base: Measured | str
    head: Measured | str

    @cached_property
    def both(self) -> tuple[Measured, Measured] | None:
        """What was measured, if both sides fitted."""
        return None if isinstance(self.base, str) or isinstance(self.head, str) else (self.base, self.head)

    @cached_property
    def instructions(self) -> float | None:
        """Instructions of head for each of base."""
        if self.both is None or self.both[0].instructions is None or self.both[1].instructions is None:
            return None
        return self.both[1].instructions / self.both[0].instructions

    @cached_property
    def time(self) -> Interval | None:
        """Time of head for each of base, round by round."""
        if self.both is None or not self.both[0].seconds:
            return None
        return Interval.of([head / base for base, head in zip(self.both[0].seconds, self.both[1].seconds, strict=True)])

    def alarms(self, limits: Limits) -> list[str]:
        """Return what is worse than it may be."""
        if self.both is None:
            if isinstance(self.head, Measured):
                return []
            return ["no longer fits" if isinstance(self.base, Measured) else "fits on neither side"]
        base, head = (side.quality.variance for side in self.both)
        found = {
            "instructions": self.instructions is not None and self.instructions > 1.0 + limits.instructions,
            "time": self.time is not None and self.time.low > 1.0 + limits.time,
            "variance": head < base * (1.0 - limits.variance),
        }
        return [name for name, worse in found.items() if worse]

    def verdict(self, limits: Limits) -> str:
        """Return the verdict in a few words."""
        if isinstance(self.base, str) and isinstance(self.head, Measured):
            return "new"
        alarms = self.alarms(limits)
        if alarms:
            return "worse: " + ", ".join(alarms)
        ratio = self.instructions or (self.time.high if self.time else 1.0)
        return "faster" if ratio < 1.0 - limits.instructions else "as before"


def table(rows: Sequence[Compared], limits: Limits) -> str:
    """Return a row for each case, in Markdown."""
    return tabulate([_cells(row, limits) for row in rows], HEADERS, tablefmt="github", disable_numparse=True)


def _cells(row: Compared, limits: Limits) -> list[str]:
    about = [row.case.solver, row.case.size]
    if row.both is None:
        reasons = [
            f"{name}: {side}" for name, side in (("base", row.base), ("head", row.head)) if isinstance(side, str)
        ]
        return [*about, *[""] * 5, f"{row.verdict(limits)} ({'; '.join(reasons)})"]
    base, head = (side.quality for side in row.both)
    time = row.time
    return [
        *about,
        "" if row.instructions is None else _change(row.instructions),
        "" if time is None else f"{time.middle:.3f} [{time.low:.3f}, {time.high:.3f}]",
        _from_to(f"{base.variance:.6f}", f"{head.variance:.6f}"),
        _from_to(str(base.nonzeros), str(head.nonzeros)),
        _from_to(str(base.iterations), str(head.iterations)),
        row.verdict(limits),
    ]


def _change(ratio: float) -> str:
    return f"{100.0 * (ratio - 1.0):+.2f} %"


def _from_to(base: str, head: str) -> str:
    return base if base == head else f"{base} -> {head}"


def summary(rows: Sequence[Compared], limits: Limits) -> str:
    """Return how many cases are worse, and which."""
    worse = [row for row in rows if row.alarms(limits)]
    if not worse:
        return f"none of {len(rows)} cases is worse"
    return f"{len(worse)} of {len(rows)} cases are worse: " + ", ".join(row.case.name for row in worse)
