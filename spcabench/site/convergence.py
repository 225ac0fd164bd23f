"""How the fits of a method converge: iterations, seconds and what ended them, from the records alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from spcabench.analysis.profiles import shares
from spcabench.report.model import Results
from spcabench.report.parts import DATASET, Entry, Field, Note, Row
from spcabench.report.tabled import Columns, tabled
from spcabench.site.pages import Part
from spcabench.site.plots import Axis, curves
from spcabench.store.status import FINISHED, PENDING
from spcabench.traces import Trace, time_to

NEAR = (1e-3, 1e-6)
"""Relative distances of the objective to its limit, of methods whose traces are kept."""

TICK = 1e-4
"""Shorter times, in seconds, are drawn here."""


@dataclass(frozen=True)
class Ended:
    """A fit, and how it ended.

    Parameters
    ----------
    dataset, status : str
        The data set, and the status of the cell.
    iterations : tuple of float
        Of each component, or one number for all; empty where the method reports none.
    seconds : float
        CPU seconds of the fit; nan where it did not finish.
    trace : Trace, optional
        Its way to its limit, where the suite asked for it.
    """

    dataset: str
    status: str
    iterations: tuple[float, ...]
    seconds: float
    trace: Trace | None

    @property
    def converged(self) -> bool:
        """Whether it ended before its largest number of iterations."""
        return self.status in FINISHED and self.status != "not_converged"


Endings = Mapping[str, Sequence[Ended]]
"""The fits of each method."""


def endings(runs: Sequence[Results]) -> Endings:
    """Return the fits of each method of some runs; a cell that was skipped or not begun has none."""
    found: dict[str, list[Ended]] = {}
    for run in runs:
        names = ("method", "dataset", "status", "iterations", "cpu_time", "trace")
        for method, dataset, status, *about in zip(*(run.frame[name].tolist() for name in names), strict=True):
            if status not in (PENDING, "skipped", "unavailable", "interrupted"):
                found.setdefault(str(method), []).append(Ended(str(dataset), str(status), *about))
    return found


def parts(label: str, found: Endings, panel: Sequence[str]) -> Iterator[Part]:
    """Yield how the fits of a method ended: a figure beside the methods of the panel, and a table.

    Parameters
    ----------
    label : str
        The method.
    found : Endings
        The fits of all methods.
    panel : sequence of str
        Methods that are drawn in grey.
    """
    mine = found.get(label, ())
    if not any(one.iterations for one in mine):
        if mine:
            yield Note("It reports no iterations: it computes its loadings directly, or does not say.")
        return
    yield from _figures(label, found, panel)
    by_dataset: dict[str, list[Ended]] = {}
    for one in mine:
        by_dataset.setdefault(one.dataset, []).append(one)
    caption = (
        "Over targets and draws.  Converged: the method stopped before its largest number of iterations, which its "
        "stop above names; the others reached it, ran into the limit of time, or failed.  Iterations are those of a "
        "component that finished."
    )
    rows = list(by_dataset.items())
    if table := tabled("", caption, COLUMNS, rows, lambda one, entries: Row(entries)):
        yield table


def _figures(label: str, found: Endings, panel: Sequence[str]) -> Iterator[Part]:
    mine = found[label]
    shown = [*(one for one in panel if one != label and any(end.iterations for end in found.get(one, ()))), label]
    times = {one: [end.seconds if end.converged else math.inf for end in found[one]] for one in shown}
    known = [time for several in times.values() for time in several if math.isfinite(time)]
    if known:
        steps = {one: shares(np.maximum(several, TICK)) for one, several in times.items()}
        caption = (
            f"The share of its {len(mine)} fits that converged within so many CPU seconds, those of the search left "
            "out; in grey the methods of the panel that iterate.  Each stops at a tolerance of its own.  Times "
            f"below {TICK:g} s stand there."
        )
        axis = Axis("CPU seconds of a fit", TICK, max(10 * TICK, *known), log=True)
        yield curves("Share of fits that converged", caption, axis, steps, (label,))
    traces = [one.trace for one in mine if one.trace is not None]
    if not traces:
        yield Note(
            "The run kept no traces, so its objective against time is not known; a suite with convergence: true has "
            "them."
        )
        return
    near = {f"within {share:g}": np.array([time_to(trace, share) for trace in traces]) for share in NEAR}
    reached = [float(time) for several in near.values() for time in several if not math.isnan(time)]
    if reached:
        steps = {said: shares(np.maximum(np.where(np.isnan(at), np.inf, at), TICK)) for said, at in near.items()}
        caption = (
            f"The share of {len(traces)} traced fits whose objective stays so near the method's own limit after so "
            "many CPU seconds; those whose limit is not known are in no share."
        )
        axis = Axis("CPU seconds", TICK, max(10 * TICK, *reached), log=True)
        yield curves("Share of fits near their limit", caption, axis, steps, tuple(near))


def _iterations(several: Sequence[Ended]) -> list[float]:
    return [number for one in several if one.status in FINISHED for number in one.iterations]


def _seconds(several: Sequence[Ended]) -> float:
    known = [one.seconds for one in several if math.isfinite(one.seconds)]
    return median(known) if known else math.nan


COLUMNS: Columns[tuple[str, list[Ended]]] = (
    (DATASET, lambda one: Entry(one[0])),
    (
        Field("converged", "converged", numeric=True),
        lambda one: Entry(sum(end.converged for end in one[1]), planned=len(one[1])),
    ),
    (
        Field("timeout", "out of time", numeric=True),
        lambda one: Entry(sum(end.status == "timeout" for end in one[1])),
    ),
    (
        Field("iterations", "iterations", numeric=True),
        lambda one: Entry(float(median(_iterations(one[1]))) if _iterations(one[1]) else None),
    ),
    (
        Field("most", "most", numeric=True),
        lambda one: Entry(int(max(_iterations(one[1]))) if _iterations(one[1]) else None),
    ),
    (Field("seconds", "fit, CPU", numeric=True), lambda one: Entry(_seconds(one[1]), unit="s")),
)
