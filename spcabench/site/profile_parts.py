"""Performance profiles of the site: of gaps to a bound, and of seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from spcabench.analysis.profiles import Steps, ratios_to_best, shares
from spcabench.report.document import METHOD, Columns, Entry, Field, Row, Table, tabled
from spcabench.report.model import COSTS, Results
from spcabench.site.board import Board
from spcabench.site.pages import Part
from spcabench.site.plots import Axis, curves
from spcabench.site.problems import Problems, problems

NO_GAP, TICK = 1e-6, 1e-3
"""Smaller gaps, and shorter times in seconds, count as these."""

FACTORS = (1.0, 2.0, 10.0)
MOST_GAPS, MOST_SECONDS = 1e5, 1e4
"""Up to these factors profiles are drawn."""


def gaps(board: Board, runs: Sequence[Results], named: Sequence[str]) -> Iterator[Part]:
    """Yield profiles of the gaps of the track optimisation; some methods are drawn in colour."""
    tasks = [one for one in board.of_track("optimisation") if one.column.better == "lower" and one.column.unit != "s"]
    found = problems(runs, tasks, tasks[0].column.name) if tasks else None
    if found is None:
        return
    name = tasks[0].column.name
    said = (
        f"On {_problems(found)}: the share on which the {name} is at most so large.  It is a distance to a bound that "
        f"no method moves, so any two curves may be compared.  Values below {NO_GAP:g} count as that; failures and "
        "misses are in no share."
    )
    raised = dict(zip(found.methods, map(shares, np.maximum(found.costs, NO_GAP).T), strict=True))
    yield curves(f"Share of problems by {name}", said, Axis(name, NO_GAP, 1.0, log=True), raised, named)
    yield from _profile(found, NO_GAP, f"the least {name}", MOST_GAPS, named)


def times(board: Board, runs: Sequence[Results], named: Sequence[str]) -> Iterator[Part]:
    """Yield the profile of the seconds of fit and search, over all data sets."""
    found = problems(runs, board.tasks, COSTS["total_time"].name)
    if found is None:
        return
    yield from _profile(found, TICK, "the shortest seconds of fit and search", MOST_SECONDS, named)


def _profile(found: Problems, floor: float, least: str, most: float, named: Sequence[str]) -> Iterator[Part]:
    """Yield Dolan and More's profile, and the table of its numbers."""
    steps = dict(zip(found.methods, map(shares, ratios_to_best(found.costs, floor).T), strict=True))
    said = (
        f"On {_problems(found)}: the share on which a method is within this factor of {least} of any method (Dolan and "
        f"More 2002).  It reads against the best only, never to name a second.  Values below {floor:g} count as that; "
        "failures and misses are in no share."
    )
    axis = Axis(f"factor of {least}", 1.0, most, log=True)
    yield curves("Performance profile", said, axis, steps, named)
    if table := _numbers(steps, found):
        yield table


def _problems(found: Problems) -> str:
    return (
        f"{len(found.costs)} problems (draws and targets) of {found.n_datasets} data sets, of {len(found.methods)} "
        "methods that enter each"
    )


def _numbers(steps: Mapping[str, Steps], found: Problems) -> Table | None:
    reached = dict(zip(found.methods, np.isfinite(found.costs).mean(axis=0), strict=True))
    columns: Columns[str] = (
        (METHOD, lambda label: Entry(label)),
        (Field("reached", "reached", numeric=True), lambda label: Entry(float(reached[label]), unit="%")),
        *(_within(factor, steps) for factor in FACTORS),
    )
    order = sorted(found.methods, key=lambda label: [-steps[label](factor) for factor in FACTORS])
    said = "Shares of the problems.  Reached: neither failed nor missed the target."
    return tabled("", said, columns, order, lambda label, entries: Row(entries, label))


def _within(factor: float, steps: Mapping[str, Steps]) -> tuple[Field, Callable[[str], Entry]]:
    """Return the column of the share within a factor of the best."""
    heading = "the best" if factor == 1 else f"within {factor:g} times"
    return Field("", heading, numeric=True), lambda label: Entry(steps[label](factor * (1 + 1e-9)), unit="%")
