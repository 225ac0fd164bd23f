"""What is measured of a case on both sides, the verdict on it, and the table of all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.stats import binom
from tabulate import tabulate

from spcabench.parameters import unknown_name
from spcabench.perf.sides import Ask, Broken, process
from spcabench.wording import Fault, InputError

CONFIDENCE = 0.99
ROUNDS, ROUND = 8, 0.1
"""Pairs of timed rounds of each pair of processes, and the seconds of one."""
COUNTED, MOST_COUNTED = 0.01, 5
"""Seconds that the fits of a count would take outside of valgrind, which makes them some fifty times as long; and the
most fits."""
TICK = 1e-6
"""Seconds that a fit takes at least: clocks may be coarse."""
LESS_VARIANCE = 1e-4
"""The share of variance that head may explain less than base."""
HEADERS = ("solver", "size", "instructions", "time [99 % interval]", "variance", "nonzeros", "iterations", "verdict")

Sides = tuple[Path, Path]
"""The folders of base and head."""


@dataclass(frozen=True)
class Case:
    """A case, as its file describes it."""

    name: str
    solver: str
    size: str
    quick: bool


@dataclass
class Fit:
    """What is measured of a case on one side.

    Parameters
    ----------
    variance : float
        The share of variance in the span of the loadings, from 0 to 1.
    nonzeros, iterations : int
    seconds : list of float
        Processor seconds of a fit: when it is warm, and then one a round.
    instructions : float, optional
        Of a fit.
    """

    variance: float
    nonzeros: int
    iterations: int
    seconds: list[float] = field(default_factory=list)
    instructions: float | None = None


@dataclass(frozen=True)
class Row:
    """A case on both sides; a side that lacks it, or cannot fit it, has the reason instead.

    Parameters
    ----------
    case : Case
    base, head : Fit or str
    """

    case: Case
    base: Fit | str
    head: Fit | str

    @property
    def both(self) -> tuple[Fit, Fit] | None:
        """What was measured, if both sides fitted."""
        return None if isinstance(self.base, str) or isinstance(self.head, str) else (self.base, self.head)

    @property
    def instructions(self) -> float | None:
        """Instructions of head for each of base."""
        if self.both is None or self.both[0].instructions is None or self.both[1].instructions is None:
            return None
        return self.both[1].instructions / self.both[0].instructions

    @property
    def time(self) -> tuple[float, float, float] | None:
        """Time of head for each of base, round by round: the median, and its interval."""
        if self.both is None or len(self.both[0].seconds) < 2:
            return None
        base, head = (np.array(fit.seconds[1:]) for fit in self.both)
        return interval(head / base)

    def alarms(self, most_instructions: float, most_time: float) -> list[str]:
        """Return what is worse than it may be: more of either than by these shares, or less variance."""
        if self.both is None:
            if isinstance(self.head, Fit):
                return []
            return ["no longer fits" if isinstance(self.base, Fit) else "fits on neither side"]
        base, head = self.both
        found = {
            "instructions": self.instructions is not None and self.instructions > 1.0 + most_instructions,
            "time": self.time is not None and self.time[1] > 1.0 + most_time,
            "variance": head.variance < base.variance * (1.0 - LESS_VARIANCE),
        }
        return [name for name, worse in found.items() if worse]

    def cells(self, most_instructions: float, most_time: float) -> list[str]:
        """Return the row of the table; the last cell is the verdict."""
        about = [self.case.solver, self.case.size]
        alarms = ", ".join(self.alarms(most_instructions, most_time))
        if self.both is None:
            sides = {"base": self.base, "head": self.head}
            reasons = "; ".join(f"{name}: {side}" for name, side in sides.items() if isinstance(side, str))
            return [*about, *[""] * 5, f"{f'worse: {alarms}' if alarms else 'new'} ({reasons})"]
        base, head = self.both
        ratio = self.instructions or (self.time[2] if self.time else 1.0)
        return [
            *about,
            "" if self.instructions is None else f"{100.0 * (self.instructions - 1.0):+.2f} %",
            "" if self.time is None else "{:.3f} [{:.3f}, {:.3f}]".format(*self.time),
            _from_to(f"{base.variance:.6f}", f"{head.variance:.6f}"),
            _from_to(str(base.nonzeros), str(head.nonzeros)),
            _from_to(str(base.iterations), str(head.iterations)),
            f"worse: {alarms}" if alarms else "faster" if ratio < 1.0 - most_instructions else "as before",
        ]


def interval(ratios: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, and the order statistics between which it lies at 99 %, or the extremes if they are few."""
    ordered = np.sort(ratios)
    n = len(ordered)
    skipped = max(0, int(binom.ppf((1.0 - CONFIDENCE) / 2.0, n, 0.5)) - 1)
    return float(np.median(ordered)), float(ordered[skipped]), float(ordered[n - 1 - skipped])


def _from_to(base: str, head: str) -> str:
    return base if base == head else f"{base} -> {head}"


def table(rows: Sequence[Row], **limits: float) -> str:
    """Return a row for each case, in Markdown, and how many are worse."""
    worse = [row.case.name for row in rows if row.alarms(**limits)]
    said = f"{len(worse)} of {len(rows)} cases are worse: {', '.join(worse)}"
    made = tabulate([row.cells(**limits) for row in rows], HEADERS, tablefmt="github", disable_numparse=True)
    return f"{made}\n\n{said if worse else f'none of {len(rows)} cases is worse'}"


def chosen(side: Path, file: Path, only: Collection[str], quick: bool) -> list[Case]:
    """Return the cases of a file that are asked for.

    Raises
    ------
    InputError
        If there are none of a solver.
    """
    with process(side, file) as ask:
        cases = [Case(name, **about) for name, about in ask("cases").items()]
    known = {case.solver for case in cases}
    for solver in only:
        if solver not in known:
            raise InputError(Fault(f"no case of a solver '{solver}'{unknown_name(solver, known)}", "--only"))
    return [case for case in cases if (not only or case.solver in only) and (case.quick or not quick)]


def measured(
    sides: Sides, file: Path, cases: Sequence[Case], counting: bool, starts: int, say: Callable[[str], None]
) -> list[Row]:
    """Measure cases.

    Parameters
    ----------
    sides : (Path, Path)
        Base and head.
    file : Path
        The file of the cases.
    cases : sequence of Case
        Which of them.
    counting : bool
        Whether instructions are counted.
    starts : int
        How often a pair of processes is started for times, which they measure in turns; 0 measures no times.
    say : callable
        Reports how far it is.
    """
    with ThreadPoolExecutor(2) as pool:
        say(f"fitting {len(cases)} cases on both sides, which compiles their kernels")
        base, head = pool.map(lambda side: _warm(side, file, cases), sides)
        rows = [Row(case, base[case.name], head[case.name]) for case in cases]
        both = {row.case.name: row.both for row in rows if row.both}
        if counting:
            say("counting instructions")
            list(pool.map(lambda side: _count(sides[side], side, file, both), (0, 1)))
    for start in range(starts):
        say(f"timing in turns ({start + 1} of {starts})")
        with process(sides[0], file) as one, process(sides[1], file) as other:
            for name, fits in both.items():
                _time(name, ((one, fits[0]), (other, fits[1])))
    return rows


def _warm(side: Path, file: Path, cases: Sequence[Case]) -> dict[str, Fit | str]:
    """Return what the fit of each case comes to, or why not."""
    found: dict[str, Fit | str] = {}
    with process(side, file) as ask:
        for case in cases:
            try:
                found[case.name] = Fit(**ask("warm", case=case.name))
            except Broken as error:
                found[case.name] = str(error)
    return found


def _count(folder: Path, side: int, file: Path, cases: dict[str, tuple[Fit, Fit]]) -> None:
    with process(folder, file, counting=True) as ask:
        for name, fits in cases.items():
            number = max(1, min(MOST_COUNTED, round(COUNTED / max(fits[0].seconds[0], TICK))))
            fits[side].instructions = ask("count", case=name, fits=number)


def _time(name: str, sides: tuple[tuple[Ask, Fit], tuple[Ask, Fit]]) -> None:
    """Time a case on both sides in turns, base first and head first."""
    number = max(1, round(ROUND / max(sides[0][0]("time", case=name, fits=1), TICK)))
    for i in range(ROUNDS):
        for ask, fit in sides[:: -1 if i % 2 else 1]:
            fit.seconds.append(ask("time", case=name, fits=number))
