"""What a run comes to, in a sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from spcabench.report.headline import Lead
from spcabench.report.render.text import measured, names

MOST_NAMED = 3
"""Methods that are named one by one."""


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
    more = len(counts) - MOST_NAMED
    rest += (
        [f"{more} other {'method' if more == 1 else 'methods'} in at most {counts[MOST_NAMED][1]}"] if more > 0 else []
    )
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
    unit = lead.win.column.unit
    behind = f"; {lead.runner_up} is next, {measured(off.middle, math.nan, unit)} behind"
    if not (math.isfinite(off.interval.low) and math.isfinite(off.interval.high)):
        return f"{behind} ({off.n} {'draw' if off.n == 1 else 'draws'}, no interval)"
    low, high = (measured(edge, math.nan, unit) for edge in (off.interval.low, off.interval.high))
    more = f"; {off.deciding:,} would decide" if off.deciding else ""
    return f"{behind} (95 % interval {low} to {high}, {off.n} draws{more})"
