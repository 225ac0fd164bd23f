"""What changed between two runs: metrics, times, statuses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from spcabench.analysis.intervals import Interval
from spcabench.analysis.paired import interval_of_mean
from spcabench.report.document import Block, Columns, Document, Field, Note, Section, tabled
from spcabench.report.groups import Cell, records
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

RATIO = "The ratio is the geometric mean over the pairs, between low and high with 95 % for all rows at once."
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
        A row for each pair of cells and each metric that changed in it.
    times : DataFrame
        A row for each method.
    statuses : DataFrame
        A row for each cell whose status changed.
    unpaired : DataFrame
        A row for each cell that is only in one run, and in which.
    """

    n_pairs: int
    n_compared: int
    metrics: pd.DataFrame
    times: pd.DataFrame
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
    old, new = a.about.facts, b.about.facts
    environment = [{"what": name, "A": old.get(name), "B": new.get(name)} for name in old | new]
    shared = any(is_shared is True for run in (a, b) for is_shared in run.frame["contended"])
    times = [*([Note(CONTENDED)] if shared else []), *_shown(found.times), Note(RATIO)]
    none, no_times = Note(f"None, in {found.n_compared} cells."), [Note("No cells to compare.")]
    cells = Note(f"{found.n_pairs} in both runs, {found.n_compared} of them finished in both.")
    sections = {
        "Environment": _shown(pd.DataFrame([row for row in environment if row["A"] != row["B"]])),
        "Cells": [cells, *_shown(found.unpaired)],
        "Statuses that changed": _shown(found.statuses),
        "Metrics that changed": _shown(found.metrics) or [none],
        "Time of a fit, B over A": times if len(found.times) else no_times,
    }
    made = tuple(Section("", heading, tuple(blocks)) for heading, blocks in sections.items() if blocks)
    return Document("What changed", made, {}, description=(f"A: {a.folder.path}", f"B: {b.folder.path}"))


def _shown(frame: pd.DataFrame) -> list[Block]:
    """Return the first rows of a frame as a table, and how many more there are."""
    columns: Columns[Cell] = [
        (Field(name, name, numeric=is_numeric_dtype(frame[name])), itemgetter(name)) for name in map(str, frame)
    ]
    table, more = tabled("", "", columns, records(frame[:MOST_ROWS])), len(frame) - MOST_ROWS
    shown = [replace(table, n_columns=len(columns))] if table else []
    return [*shown, *([Note(f"And {more} more.")] if more > 0 else [])]


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
        pd.concat([_changes(finished, column) for column in metrics]) if metrics else pd.DataFrame(),
        _times(finished),
        restated.rename(columns={"status_a": "A", "status_b": "B", "reason_b": "reason in B"}),
        single[PAIRED_BY].assign(only=sides),
    )


SIGNS: Mapping[Direction, float] = {"higher": 1.0, "lower": -1.0, "neither": math.nan}
"""What makes a difference positive where it is for the better."""


def _changes(pairs: pd.DataFrame, column: Column) -> pd.DataFrame:
    """Return a row for each pair of cells at which a metric changed by more than rounding; nan equals nan alone."""
    a, b = (pairs[f"{column.name}_{run}"].astype(float) for run in "ab")
    gain = (b - a).to_numpy() * SIGNS[column.better]
    verdict = np.select([gain > 0, gain < 0], ["better", "worse"], "changed")
    rows = pairs[PAIRED_BY].assign(metric=column.name, A=a, B=b, difference=b - a, verdict=verdict)
    return rows[~np.isclose(a, b, rtol=TOLERANCE, atol=ROUNDING, equal_nan=True)]


def _times(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each method: how the times of its fits changed, pair by pair.

    The interval is that of the mean of the logarithms of the ratios, widened (Bonferroni) so that all rows hold at
    once: among forty methods nothing is called a change by chance.
    """
    timed = pairs[(pairs["fit_time_a"] > 0) & (pairs["fit_time_b"] > 0)]
    groups = list(timed.groupby("method", sort=False))
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(groups))
    rows = []
    for method, group in groups:
        a, b = (group[f"fit_time_{run}"].to_numpy(dtype=float) for run in "ab")
        ends = interval_of_mean(np.log(b / a), confidence)
        ratio, low, high = (float(np.exp(number)) for number in (np.log(b / a).mean(), ends.low, ends.high))
        verdict = _time_verdict(ratio, Interval(low, high))
        rows.append((method, len(group), np.median(a), np.median(b), ratio, low, high, verdict))
    return pd.DataFrame(rows, columns=["method", "pairs", "seconds A", "seconds B", "ratio", "low", "high", "verdict"])


def _time_verdict(ratio: float, ends: Interval) -> str:
    if math.isinf(ends.high):
        return "too few pairs"
    if ends.holds(1.0):
        return "within noise"
    if 1 / LEAST_RATIO < ratio < LEAST_RATIO:
        return "unchanged"
    return "slower" if ratio > 1 else "faster"
