"""What changed between two runs: metrics, times, statuses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.analysis.intervals import Interval, median_interval
from spcabench.report.document import Block, Columns, Document, Entry, Field, Note, Section, records, tabled
from spcabench.report.model import Results
from spcabench.store.status import FINISHED
from spcabench.suite.columns import Column, Direction
from spcabench.suite.values import from_start
from spcabench.wording import InputError

PAIRED_BY = ["dataset", "method", "n_components", "n_nonzero", "seed"]
"""What two cells have in common that are compared."""

TOLERANCE = 1e-9
"""Relative difference of a metric up to which it counts as unchanged."""

ROUNDING = 1e-12
"""Numbers that differ by no more are the same zero, rounded otherwise."""

LEAST_RATIO = 1.05
"""A time that changed by less is not worth reporting."""

MOST_ROWS = 40
"""Rows of a table that are shown; the others are counted."""

NUMBERS = {
    "A",
    "B",
    "difference",
    "largest",
    "ratio",
    "low",
    "high",
    "least",
    "most",
    "time A",
    "time B",
    "pairs",
    "seed",
}
"""Columns that stand to the right."""

RATIO = "The ratio is the median over the pairs, between low and high with 95 % for all rows at once."
CONTENDED = "Contended: other work shared the machine, so that the times say little."

CONFIDENCE = 0.95
"""With which all verdicts about times hold at once."""


@dataclass(frozen=True)
class Comparison:
    """What changed from run A to run B.

    Parameters
    ----------
    n_pairs : int
        Cells in both runs.
    n_compared : int
        Those that finished in both, and so have metrics and times to compare.
    metrics : DataFrame
        A row for each metric that changed, by data set, sparsity and method.
    times : DataFrame
        A row for each method.
    times_by_dataset : DataFrame
        A row for each method and data set.
    statuses : DataFrame
        A row for each cell whose status changed.
    unpaired : DataFrame
        A row for each cell that is only in one run, and in which.
    """

    n_pairs: int
    n_compared: int
    metrics: pd.DataFrame
    times: pd.DataFrame
    times_by_dataset: pd.DataFrame
    statuses: pd.DataFrame
    unpaired: pd.DataFrame


def changes(a: Results, b: Results) -> Document:
    """Say what changed from one run to another.

    Raises
    ------
    InputError
        If they have no cell in common.
    """
    found = compare(a.frame, b.frame, b.values)
    if not found.n_pairs:
        raise InputError(f"{a.folder.path} and {b.folder.path} share no cell, so there is nothing to compare")
    differ = [name for name in dict.fromkeys([*a.about, *b.about]) if a.about.get(name) != b.about.get(name)]
    environment = [{"": name, "A": a.about.get(name), "B": b.about.get(name)} for name in differ]
    shared = any(is_shared is True for run in (a, b) for is_shared in run.frame["contended"])
    parts = found.times_by_dataset
    changed = parts[parts["verdict"].isin(["slower", "faster"]) & (parts["dataset"].nunique() > 1)]
    times = [*([Note(CONTENDED)] if shared else []), *_shown(found.times), Note(RATIO)]
    none, no_times = Note(f"None, in {found.n_compared} cells."), [Note("No cells to compare.")]
    cells = Note(f"{found.n_pairs} in both runs, {found.n_compared} of them finished in both.")
    sections = {
        "Environment": _shown(pd.DataFrame(environment)),
        "Cells": [cells, *_shown(found.unpaired)],
        "Statuses that changed": _shown(found.statuses),
        "Metrics that changed": _shown(found.metrics) or [none],
        "Time of a fit, B over A": times if len(found.times) else no_times,
        "Where it changed": _shown(changed),
    }
    made = tuple(Section("", heading, tuple(blocks)) for heading, blocks in sections.items() if blocks)
    return Document("What changed", made, {}, description=(f"A: {a.folder.path}", f"B: {b.folder.path}"))


def _shown(frame: pd.DataFrame) -> list[Block]:
    """Return the first rows of a frame as a table, and how many more there are."""
    columns: Columns[dict[str, Any]] = [(_field(str(name)), partial(_entry, name=str(name))) for name in frame]
    table, more = tabled("", "", columns, records(frame[:MOST_ROWS])), len(frame) - MOST_ROWS
    shown = [replace(table, n_columns=len(columns))] if table else []
    return [*shown, *([Note(f"And {more} more.")] if more > 0 else [])]


def _field(name: str) -> Field:
    return Field(name, name or "what", numeric=name in NUMBERS)


def _entry(row: dict[str, Any], name: str) -> Entry:
    return Entry(row[name], unit="s" if name.startswith("time ") else "")


def compare(a: pd.DataFrame, b: pd.DataFrame, columns: Sequence[Column]) -> Comparison:
    """Compare two runs, cell by cell.

    Parameters
    ----------
    a, b : DataFrame
        The results frames of the earlier and the later run.
    columns : sequence of Column
        The metrics; those that only one run has, and times, are left out.

    Returns
    -------
    Comparison
    """
    a, b = (
        run.assign(n_nonzero=run["n_nonzero"].map(str), method=list(map(from_start, run["method"], run["start"])))
        for run in (a, b)
    )
    joined = a.merge(b, on=PAIRED_BY, how="outer", suffixes=("_a", "_b"), indicator="only", sort=False)
    both, single = joined[joined["only"] == "both"], joined[joined["only"] != "both"]
    finished = both[both["status_a"].isin(FINISHED) & both["status_b"].isin(FINISHED)]
    metrics = [column for column in columns if column.name in a and column.name in b and column.unit != "s"]
    restated = both.loc[both["status_a"] != both["status_b"], [*PAIRED_BY, "status_a", "status_b", "reason_b"]]
    sides = single["only"].astype(str).map({"left_only": "A", "right_only": "B"})
    return Comparison(
        len(both),
        len(finished),
        pd.DataFrame([row for column in metrics for row in _changes(finished, column)]),
        time_ratios(finished, ["method"]),
        time_ratios(finished, ["method", "dataset"]),
        restated.rename(columns={"status_a": "A", "status_b": "B", "reason_b": "reason in B"}),
        single[PAIRED_BY].assign(only=sides),
    )


def _changes(pairs: pd.DataFrame, column: Column) -> Iterator[dict[str, Any]]:
    """Return a row for each method, data set and sparsity at which a metric changed for any seed."""
    for keys, group in pairs.groupby(PAIRED_BY[:-1], sort=False):
        a, b = (group[f"{column.name}_{run}"].astype(float) for run in "ab")
        changed = differs(a.to_numpy(), b.to_numpy())
        if changed.any():
            difference = (b - a)[changed]
            yield {
                **dict(zip(PAIRED_BY[:-1], keys, strict=True)),
                "metric": column.name,
                "seeds changed": f"{changed.sum()} of {len(group)}",
                "A": a.mean(),
                "B": b.mean(),
                "difference": difference.mean(),
                "largest": float(difference.abs().fillna(0.0).max()),
                "verdict": _verdict(difference, column.better),
            }


def differs(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which numbers differ by more than rounding; nan is equal to nan alone.

    Examples
    --------
    >>> import numpy as np
    >>> differs(np.array([1.0, 1.0, np.nan]), np.array([1.0 + 1e-12, 1.1, np.nan])).tolist()
    [False, True, False]
    """
    return np.asarray(~np.isclose(x, y, rtol=TOLERANCE, atol=ROUNDING, equal_nan=True))


def _verdict(difference: pd.Series[float], better: Direction) -> str:
    signs = set(np.sign(difference.dropna()))
    if better == "neither" or not signs:
        return "changed"
    if len(signs) > 1:
        return "mixed"
    return "better" if (signs == {1.0}) == (better == "higher") else "worse"


def time_ratios(pairs: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Compare the times of fits, pair by pair.

    Parameters
    ----------
    pairs : DataFrame
        Cells that finished in both runs: ``fit_time_a`` and ``fit_time_b``, medians over the repeats.
    by : sequence of str
        The columns that make a row.

    Returns
    -------
    DataFrame
        For each row: the medians, the median ratio b/a of the pairs with its interval, the extreme ratios, and
        the verdict.

    Notes
    -----
    The interval is that of the sign test, which assumes nothing about the distribution of times.  Where there are
    too few pairs for it, it is Student's for the logarithms of the ratios, with a spread no smaller than that of
    the typical row: three times that agree by luck prove nothing.  Either is widened (Bonferroni) so that all rows
    hold at once: among forty methods nothing is called a change by chance.
    """
    timed = pairs[(pairs["fit_time_a"] > 0) & (pairs["fit_time_b"] > 0)]
    groups = list(timed.assign(ratio=timed["fit_time_b"] / timed["fit_time_a"]).groupby(list(by), sort=False))
    spreads = [float(np.log(group["ratio"].to_numpy()).std(ddof=1)) for _, group in groups if len(group) > 1]
    typical = float(np.median(spreads)) if spreads else math.inf
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(groups))
    names = [*by, "pairs", "time A", "time B", "ratio", "low", "high", "least", "most", "verdict"]
    rows = []
    for keys, group in groups:
        ratios = group["ratio"].to_numpy(dtype=float)
        ratio, ends = float(np.median(ratios)), interval(ratios, confidence, typical)
        times = (group[f"fit_time_{run}"].median() for run in "ab")
        numbers = (ratio, ends.low, ends.high, float(ratios.min()), float(ratios.max()))
        rows.append((*keys, len(ratios), *times, *numbers, _time_verdict(ratio, ends)))
    return pd.DataFrame(rows, columns=names)


def interval(ratios: NDArray[Any], confidence: float, typical: float) -> Interval:
    """Return the interval of the sign test, or with too few ratios Student's of their logarithms.

    Parameters
    ----------
    ratios : ndarray of shape (n,)
        At least one.
    confidence : float
        How often such an interval is to hold the median.
    typical : float
        The least spread of the logarithms for Student's.

    Examples
    --------
    >>> found = interval(np.arange(1.0, 9.0), 0.95, 0.1)
    >>> found.low, found.high
    (1.0, 8.0)
    >>> interval(np.array([1.5]), 0.95, 0.1).high
    inf
    """
    from scipy.special import stdtrit

    found = median_interval(ratios, confidence)
    if found.level >= confidence:
        return found
    n, logs = len(ratios), np.log(ratios)
    if n < 2:
        return Interval(0.0, math.inf)
    half = stdtrit(n - 1, 0.5 + confidence / 2) * max(logs.std(ddof=1), typical) / math.sqrt(n)
    return Interval(float(np.exp(logs.mean() - half)), float(np.exp(logs.mean() + half)))


def _time_verdict(ratio: float, ends: Interval) -> str:
    if math.isinf(ends.high):
        return "too few pairs"
    if ends.holds(1.0):
        return "within noise"
    if 1 / LEAST_RATIO < ratio < LEAST_RATIO:
        return "unchanged"
    return "slower" if ratio > 1 else "faster"
