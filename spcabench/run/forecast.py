"""How long a run still takes, from what its fits took so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean, median

from spcabench.run.cell_records import wants_time
from spcabench.store.gist import Gist
from spcabench.suite.models import Repeats
from spcabench.suite.plan import Cell
from spcabench.suite.repeats import expected_more
from spcabench.wording import roughly


def seconds_left(
    cells: Iterable[tuple[Cell, Gist | None]], rule: Repeats, jobs: int = 1, beyond: float = 0.0
) -> float | None:
    """Estimate the wall seconds that a run still takes.

    Parameters
    ----------
    cells : iterable of (Cell, Gist or None)
        Each cell with the gist of its gist.
    rule : Repeats
        When a cell has been fitted often enough.
    jobs : int
        Cells fitted at once.
    beyond : float
        Wall seconds of a task beyond its fit.

    Returns
    -------
    float or None
        A cell is taken to cost what those of its method cost in the mean: the search and the median fit, then the
        median fit for each repeat; where none of its method has finished, what all cost.  None if none has.
    """
    cells = list(cells)
    costs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for cell, gist in cells:
        if gist is not None and gist.finished:
            again = median(gist.fit_time)
            costs[cell.method.label].append((gist.search_time + again, again))
    everything = [cost for known in costs.values() for cost in known]
    if not everything:
        return None
    seconds = 0.0
    for cell, gist in cells:
        known = costs.get(cell.method.label, everything)
        first, again = (fmean(cost) + beyond for cost in zip(*known, strict=True))
        if gist is None or gist.status == "interrupted":
            seconds += 0.0 if cell.skip else first + (expected_more(rule, ()) - 1) * again
        elif gist.finished and wants_time(gist, rule):
            seconds += expected_more(rule, gist.fit_time) * again
    return seconds / jobs


def is_done(gist: Gist | None, rule: Repeats) -> bool:
    """Return whether a cell with the gist of its record needs nothing more."""
    if gist is None or gist.status == "interrupted":
        return False
    return not gist.finished or not wants_time(gist, rule)


def rough_duration(seconds: float) -> str:
    """Describe a time left in words as coarse as it is known."""
    return f"{roughly(seconds)} left"
