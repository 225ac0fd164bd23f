"""Measure two sides: instructions under a counter, times in turns, and what alarms once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spcabench.perf.measured import Case, Compared, Limits, Measured, Quality
from spcabench.perf.processes import Broken, Counting, Process, process
from spcabench.perf.sides import Side

ROUND = 0.1
"""Seconds of a timed round."""
COUNTED = 0.01
"""Seconds that the fits of a count would take outside of valgrind, which makes them some fifty times as long."""
MOST_COUNTED = 5
TICK = 1e-6
"""Seconds that a fit takes at least: clocks may be coarse."""

Say = Callable[[str], None]
Both = tuple[Side, Side]
Found = tuple[Measured | str, Measured | str]


@dataclass(frozen=True)
class Measures:
    """What is measured.

    Parameters
    ----------
    counting : {"perf", "callgrind", "none"}
        What counts instructions.
    starts : int
        How often a pair of processes is started for times; 0 measures no times.
    rounds : int
        Pairs of rounds of each start.
    """

    counting: Counting = "none"
    starts: int = 3
    rounds: int = 8


def cases_of(sides: Both, file: Path) -> dict[str, Case]:
    """Return the cases that a file has."""
    with process(sides[1], file) as one:
        return {name: Case(name, **about) for name, about in one.ask("cases").items()}


def compared(
    sides: Both, file: Path, cases: Sequence[Case], measures: Measures, limits: Limits, say: Say
) -> list[Compared]:
    """Measure cases, and those that alarm once more, in new processes: an alarm counts if it is raised twice.

    Parameters
    ----------
    sides : (Side, Side)
        Base and head.
    file : Path
        The file of the cases.
    cases : sequence of Case
        Which of them.
    measures : Measures
    limits : Limits
    say : callable
        Reports how far it is.
    """
    first = _measured(sides, file, cases, measures, say)
    doubtful = [row.case for row in first if row.alarms(limits)]
    if not doubtful:
        return first
    say(f"measuring {', '.join(case.name for case in doubtful)} once more")
    again = {row.case.name: row for row in _measured(sides, file, doubtful, measures, say)}
    return [_milder(row, again[row.case.name], limits) if row.case.name in again else row for row in first]


def _milder(first: Compared, second: Compared, limits: Limits) -> Compared:
    """Return the measurement with fewer alarms, the second if they have as many."""
    return min(second, first, key=lambda row: len(row.alarms(limits)))


def _measured(sides: Both, file: Path, cases: Sequence[Case], measures: Measures, say: Say) -> list[Compared]:
    say(f"fitting {len(cases)} cases on both sides, which compiles their kernels")
    base, head = _on_each_side(sides, lambda side: _warm(side, file, cases))
    found: dict[str, Found] = {case.name: (base[case.name][1], head[case.name][1]) for case in cases}
    seconds = {case.name: base[case.name][0] for case in cases}
    both = [case for case in cases if not any(isinstance(side, str) for side in found[case.name])]
    if measures.counting != "none":
        say(f"counting instructions ({measures.counting})")
        fits = {case.name: max(1, min(MOST_COUNTED, round(COUNTED / max(seconds[case.name], TICK)))) for case in both}
        counts = _on_each_side(sides, lambda side: _counts(side, file, fits, measures.counting))
        for case in both:
            found[case.name] = _with(found[case.name], "instructions", [side[case.name] for side in counts])
    for name, pairs in times(sides, file, [case.name for case in both], measures, say).items():
        if pairs:
            found[name] = _with(found[name], "seconds", [tuple(side) for side in zip(*pairs, strict=True)])
    return [Compared(case, *found[case.name]) for case in cases]


def _with(sides: Found, field: str, values: Sequence[Any]) -> Found:
    """Return what was measured with one field more."""
    base, head = (
        side if isinstance(side, str) else replace(side, **{field: value})
        for side, value in zip(sides, values, strict=True)
    )
    return base, head


def _on_each_side(sides: Both, do: Callable[[Side], dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Do something on both sides at once."""
    with ThreadPoolExecutor(2) as pool:
        base, head = pool.map(do, sides)
    return base, head


def _warm(side: Side, file: Path, cases: Sequence[Case]) -> dict[str, tuple[float, Measured | str]]:
    """Return the seconds of a fit, and what it comes to or why not, of each case."""
    found: dict[str, tuple[float, Measured | str]] = {}
    with process(side, file) as one:
        for case in cases:
            try:
                answer = one.ask("warm", case=case.name)
            except Broken as error:
                found[case.name] = 0.0, str(error)
            else:
                found[case.name] = answer.pop("seconds"), Measured(Quality(**answer))
    return found


def _counts(side: Side, file: Path, fits: dict[str, int], counting: Counting) -> dict[str, float]:
    """Return the instructions of a fit of each case."""
    with process(side, file, counting) as one:
        return {name: float(one.ask("count", case=name, fits=number)) for name, number in fits.items()}


def times(
    sides: Both, file: Path, names: Sequence[str], measures: Measures, say: Say = lambda text: None
) -> dict[str, list[tuple[float, float]]]:
    """Return pairs of times of each case: base first, head first, in turns, in several pairs of processes."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for start in range(measures.starts):
        say(f"timing in turns ({start + 1} of {measures.starts})")
        with ExitStack() as stack:
            base, head = (stack.enter_context(process(side, file)) for side in sides)
            for name in names:
                fits = max(1, round(ROUND / max(base.ask("time", case=name, fits=1), TICK)))
                found[name] += [_pair(base, head, name, fits, swapped=bool(i % 2)) for i in range(measures.rounds)]
    return found


def _pair(base: Process, head: Process, name: str, fits: int, swapped: bool) -> tuple[float, float]:
    order = (head, base) if swapped else (base, head)
    first, second = (float(one.ask("time", case=name, fits=fits)) for one in order)
    return (second, first) if swapped else (first, second)
