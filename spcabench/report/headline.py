"""What a run comes to: who leads by the first metric, and by how much."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from spcabench.analysis.paired import Difference, compare
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.report.ranking import Lead, Win, best
from spcabench.report.render.text import measured, names
from spcabench.suite.columns import Column

MOST_NAMED = 3
"""Methods that are named one by one."""


def leads(results: Results) -> tuple[Lead, ...]:
    """Return who leads each comparison by the first column of the main table that has a best.

    Comparisons at an equal number of nonzeros in each component come first: only where there are none, those at an
    equal total are returned, or those of methods without a target.
    """
    for column in results.ranked:
        found = tuple(_leads(results, column))
        for kind in ("each", "total", "reached"):
            if alike := tuple(lead for lead in found if lead.win.track.kind == kind):
                return alike
    return ()


def _leads(results: Results, column: Column) -> Iterator[Lead]:
    sign = 1.0 if column.better == "higher" else -1.0
    for track, chosen in best(results, column).items():
        known = [group for group in results.rivals[track] if group.value_of(column)]
        win = Win(column, track, tuple(group.method for group in chosen), chosen[0].spread(column))
        others = [group for group in known if group not in chosen]
        if not others:
            yield Lead(win, len(known))
            continue
        runner_up = max(others, key=lambda group: (len(group.counted), sign * group.spread(column).mean))
        yield Lead(win, len(known), runner_up.method, _difference(results, chosen[0], runner_up, column, sign))


def _difference(results: Results, first: Group, second: Group, column: Column, sign: float) -> Difference:
    metric = results.metrics[column.metric]
    seeds = sorted({*first.seeds, *second.seeds})
    ours, theirs = (
        np.array([sign * group.value_of(column).get(seed, math.nan) for seed in seeds]) for group in (first, second)
    )
    return compare(ours, theirs, metric.margin, tie(metric, np.array([*ours, *theirs])))


def sentence(leads: Sequence[Lead]) -> str:
    """Return the sentence; empty where nothing was compared."""
    if not leads:
        return ""
    return _margin(leads[0]) if len(leads) == 1 else _tally(leads)


def _tally(leads: Sequence[Lead]) -> str:
    """Count how often each method is not ruled out as the best."""
    counts = Counter(method for lead in leads for method in lead.win.methods).most_common()
    leader, most = counts[0]
    rest = [f"{method} in {count}" for method, count in counts[1:MOST_NAMED]]
    if more := len(counts[MOST_NAMED:]):
        rest.append(f"{more} other {'method' if more == 1 else 'methods'} in at most {counts[MOST_NAMED][1]}")
    then = f"; {', '.join(rest)}" if rest else ""
    return (
        f"By {leads[0].win.column.name}, {leader} is best, or not ruled out as the best, in {most} of {len(leads)} "
        f"comparisons at equal sparsity{then}."
    )


def _margin(lead: Lead) -> str:
    """Say who leads the one comparison, and by how much."""
    win = lead.win
    leader, *alike = win.methods
    direction = "highest" if win.column.better == "higher" else "lowest"
    says = (
        f"{leader} has the {direction} {win.column.name} of {lead.n_methods} methods on {win.track.dataset} with "
        f"{win.track.sparsity}: {measured(win.spread.mean, math.nan, win.column.unit)}"
    )
    if alike:
        are = "is" if len(alike) == 1 else "are"
        others = f"{len(alike)} others" if len(alike) > MOST_NAMED else names(tuple(alike))
        says += f"; {others} {are} not ruled out as the best"
    return f"{says}{_ahead(lead)}."


def _ahead(lead: Lead) -> str:
    """Say how far the next is behind."""
    off = lead.difference
    if off is None or not math.isfinite(off.middle):
        return ""
    middle, low, high = (
        measured(number, math.nan, lead.win.column.unit) for number in (off.middle, off.interval.low, off.interval.high)
    )
    behind = f"; {lead.runner_up} is next, {middle} behind"
    if not (math.isfinite(off.interval.low) and math.isfinite(off.interval.high)):
        return f"{behind} ({off.n} {'draw' if off.n == 1 else 'draws'}, no interval)"
    more = f"; {off.deciding:,} would decide" if off.deciding else ""
    return f"{behind} (95 % interval {low} to {high}, {off.n} draws{more})"
