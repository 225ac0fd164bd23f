"""How the fits of a method converge: iterations, seconds and what ended them, from the records alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from spcabench.report.document import DATASET, Entry, Note, Table
from spcabench.report.model import Results
from spcabench.site.pages import right, table
from spcabench.site.plots import Axis, Curves, curves
from spcabench.store.status import FINISHED, PENDING
from spcabench.traces import time_to

NEAR = (1e-3, 1e-6)
"""Relative distances of the objective to its limit, of methods whose traces are kept."""

TICK = 1e-4
"""Shorter times, in seconds, are drawn here."""

NO_FIT = [PENDING, "skipped", "unavailable", "interrupted"]
ABOUT = ["method", "dataset", "status", "iterations", "cpu_time", "trace"]


def endings(runs: Sequence[Results]) -> pd.DataFrame:
    """Return the fits of some runs, with whether each converged; a cell that was skipped or not begun has none."""
    frame = pd.concat([run.frame.loc[~run.frame["status"].isin(NO_FIT), ABOUT] for run in runs], ignore_index=True)
    finished = frame["status"].isin(FINISHED)
    return frame.assign(finished=finished, converged=finished & (frame["status"] != "not_converged"))


def parts(label: str, found: pd.DataFrame, panel: Sequence[str]) -> Iterator[Curves | Note | Table]:
    """Yield how the fits of a method ended: a figure beside the methods of the panel, and a table.

    Parameters
    ----------
    label : str
        The method.
    found : DataFrame
        The fits of all methods (`endings`).
    panel : sequence of str
        Methods that are drawn in grey.
    """
    mine = found[found["method"] == label]
    if not mine["iterations"].map(len).any():
        if len(mine):
            yield Note("It reports no iterations: it computes its loadings directly, or does not say.")
        return
    yield from _figures(label, found, panel)
    caption = (
        "Over targets and draws.  Converged: the method stopped before its largest number of iterations, which its "
        "stop above names; the others reached it, ran into the limit of time, or failed.  Iterations are those of a "
        "component that finished."
    )
    fields = (
        DATASET,
        right("converged", "converged"),
        right("timeout", "out of time"),
        right("iterations", "iterations"),
        right("most", "most"),
        right("seconds", "fit, CPU"),
    )
    yield from table(caption, fields, [_row(str(name), fits) for name, fits in mine.groupby("dataset", sort=False)])


def _row(dataset: str, fits: pd.DataFrame) -> tuple[Entry | float | int | str | None, ...]:
    """Return the row of a data set: medians of iterations and of seconds, and the most iterations."""
    numbers = [number for some in fits.loc[fits["finished"], "iterations"] for number in some]
    return (
        dataset,
        Entry(int(fits["converged"].sum()), planned=len(fits)),
        int((fits["status"] == "timeout").sum()),
        float(np.median(numbers)) if numbers else None,
        int(max(numbers)) if numbers else None,
        Entry(float(fits["cpu_time"].median()), unit="s"),
    )


def _figures(label: str, found: pd.DataFrame, panel: Sequence[str]) -> Iterator[Curves | Note]:
    iterates = set(found.loc[found["iterations"].map(len) > 0, "method"])
    times = {one: _converged(found[found["method"] == one]) for one in panel if one != label and one in iterates}
    times[label] = _converged(found[found["method"] == label])
    longest = _longest(times.values())
    if longest is not None:
        caption = (
            f"The share of its {len(times[label])} fits that converged within so many CPU seconds, those of the search "
            "left out; in grey the methods of the panel that iterate.  Each stops at a tolerance of its own.  Times "
            f"below {TICK:g} s stand there."
        )
        axis = Axis("CPU seconds of a fit", TICK, longest, log=True)
        yield curves("Share of fits that converged", caption, axis, times, (label,))
    traces = [trace for trace in found.loc[found["method"] == label, "trace"] if trace is not None]
    if not traces:
        yield Note(
            "The run kept no traces, so its objective against time is not known; a suite with convergence: true has "
            "them."
        )
        return
    near = {f"within {share:g}": _floored([time_to(trace, share) for trace in traces]) for share in NEAR}
    longest = _longest(near.values())
    if longest is not None:
        caption = (
            f"The share of {len(traces)} traced fits whose objective stays so near the method's own limit after so "
            "many CPU seconds; those whose limit is not known are in no share."
        )
        axis = Axis("CPU seconds", TICK, longest, log=True)
        yield curves("Share of fits near their limit", caption, axis, near, tuple(near))


def _converged(fits: pd.DataFrame) -> NDArray[np.float64]:
    return _floored(fits["cpu_time"].where(fits["converged"]))


def _floored(seconds: ArrayLike) -> NDArray[np.float64]:
    """Raise short times to `TICK`; those that are not known are infinite."""
    times = np.asarray(seconds, dtype=float)
    return np.where(np.isnan(times), np.inf, np.maximum(times, TICK))


def _longest(several: Iterable[NDArray[np.float64]]) -> float | None:
    """Return the end of an axis of seconds, ten times its beginning or more; None if no time is finite."""
    known = [float(time) for times in several for time in times[np.isfinite(times)]]
    return max(10 * TICK, *known) if known else None
