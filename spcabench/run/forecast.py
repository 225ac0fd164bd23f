"""What a cell needs by the summary of its record, and how long a run still takes by what its fits took so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Literal

from spcabench.store.record_summary import RecordSummary
from spcabench.suite.models import Repeats
from spcabench.suite.plan import Cell
from spcabench.suite.repeats import expected_more, wants_more
from spcabench.wording import roughly

Need = Literal["nothing", "fit", "score", "time"]
"""What a cell needs next."""


def steps(need: Need, times: Sequence[float], rule: Repeats) -> tuple[int, int]:
    """Return what a cell with these times is known to need, by what it needs next: the steps ahead, and of how many.

    A step is a fit, or a computation of metrics.
    """
    if need == "nothing":
        return 0, max(rule.at_least, len(times))
    had = [] if need == "fit" else times
    fits = max(rule.at_least - len(had), int(wants_more(rule, had)))
    return fits + (need == "score"), max(rule.at_least, len(had) + fits)


def wants_time(summary: RecordSummary, rule: Repeats) -> bool:
    """Return whether a finished fit is to be timed once more."""
    return not summary.repeat_failed and wants_more(rule, summary.fit_time)


def is_done(summary: RecordSummary | None, rule: Repeats) -> bool:
    """Return whether a cell with the summary of its record needs nothing more."""
    if summary is None or summary.untimed or summary.status == "interrupted":
        return False
    return not summary.finished or not wants_time(summary, rule)


def seconds_left(
    cells: Iterable[tuple[Cell, RecordSummary | None]], rule: Repeats, jobs: int = 1, beyond: float = 0.0
) -> float | None:
    """Estimate the wall seconds that a run still takes.

    Parameters
    ----------
    cells : iterable of (Cell, RecordSummary or None)
        Each cell with the summary of its record.
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
    for cell, summary in cells:
        if summary is not None and summary.finished and not summary.untimed:
            again = median(summary.fit_time)
            costs[cell.method.label].append((summary.search_time + again, again))
    everything = [cost for known in costs.values() for cost in known]
    if not everything:
        return None
    mean = {label: [fmean(cost) + beyond for cost in zip(*known, strict=True)] for label, known in costs.items()}
    of_all = [fmean(cost) + beyond for cost in zip(*everything, strict=True)]
    seconds = 0.0
    for cell, summary in cells:
        first, again = mean.get(cell.method.label, of_all)
        if summary is None or summary.untimed or summary.status == "interrupted":
            seconds += 0.0 if cell.skip else first + (expected_more(rule, ()) - 1) * again
        elif summary.finished and wants_time(summary, rule):
            seconds += expected_more(rule, summary.fit_time) * again
    return seconds / jobs


def rough_duration(seconds: float) -> str:
    """Describe a time left in words as coarse as it is known."""
    return f"{roughly(seconds)} left"
