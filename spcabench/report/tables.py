"""The tables of a report: what was measured, what it cost, what did not finish."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from spcabench.report.groups import Group
from spcabench.report.numerals import NOTHING, duration, measured, number
from spcabench.report.results import ABOUT_COST, Results
from spcabench.report.sparsity import missed, reached, too_dense

ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}

MOST_ROWS = 1000
"""Rows of a table for readers; all rows are in the CSV."""


@dataclass(frozen=True)
class Table:
    """A table for readers and for programs.

    Parameters
    ----------
    caption : str
        What it shows.
    values : DataFrame
        For programs: plain names, full precision, one number a column.
    cells : DataFrame
        For readers: every entry as text.
    right : frozenset of str
        The columns of `cells` that stand to the right, being numbers.
    best : frozenset of (int, str)
        Row and column of the entries of `cells` to be marked.
    """

    caption: str
    values: pd.DataFrame
    cells: pd.DataFrame
    right: frozenset[str] = frozenset()
    best: frozenset[tuple[int, str]] = frozenset()


def frame_of(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Make a frame of rows; columns in the order in which they first appear."""
    return pd.DataFrame(rows, columns=list(dict.fromkeys(name for row in rows for name in row)))


def main(results: Results) -> Table:
    """Mean and standard deviation over the seeds of every metric, by data set, sparsity and method."""
    groups, columns = results.groups, results.columns
    shown = groups[:MOST_ROWS]
    headings = {column: column + ARROWS[results.better(column)] for column in columns}
    every = list(dict.fromkeys([*columns, *results.values]))
    return Table(
        "Mean ± standard deviation over the seeds. Bold: the best of the methods at equal sparsity; those with "
        "more nonzeros than asked for do not compete." + _left_out(groups, "main"),
        frame_of([_main_values(group, every) for group in groups]),
        frame_of([_main_cells(results, group, headings) for group in shown]),
        frozenset(headings.values()),
        frozenset(
            (row, headings[column]) for column in columns for row in best(results, groups, column) if row < MOST_ROWS
        ),
    )


def _left_out(rows: Sequence[Any], name: str) -> str:
    """Return where the rows are that a table for readers has no room for."""
    return f" The first {MOST_ROWS} of {len(rows)} rows; all are in tables/{name}.csv." if rows[MOST_ROWS:] else ""


def _main_values(group: Group, columns: list[str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        **_identity(group),
        "status": group.status,
        "seeds": group.n_finished,
        "planned": group.statuses.total(),
    }
    for column in columns:
        spread = group.spread(column)
        row |= {column: spread.mean, f"{column}_sd": spread.sd}
    return row


def _main_cells(results: Results, group: Group, headings: Mapping[str, str]) -> dict[str, str]:
    texts = [measured(column, group.spread(column)) for column in headings]
    if not group.n_finished and texts:
        texts = [group.status] + [NOTHING] * (len(texts) - 1)
    labels = _labels(group)
    if missed(results, group):
        labels["nonzeros"] += f", got {number(reached(results, group))}"
    told = dict(zip(headings.values(), texts, strict=True)) if headings else {"status": group.status}
    return labels | told | {"seeds": group.seeds}


def best(results: Results, groups: list[Group], column: str) -> list[int]:
    """Return the rows with the best mean among the methods of one data set and sparsity, if there are several.

    A method with more nonzeros than asked for does not compete.
    """
    better = results.better(column)
    if better == "neither":
        return []
    means = [group.spread(column).mean for group in groups]
    rivals: dict[tuple[str, int, str], list[int]] = {}
    for row, group in enumerate(groups):
        if not math.isnan(means[row]) and not too_dense(results, group):
            rivals.setdefault((group.dataset, group.n_components, group.n_nonzero), []).append(row)
    choose = max if better == "higher" else min
    winners = []
    for rows in rivals.values():
        if len(rows) > 1:
            winner = number(choose(means[row] for row in rows))
            winners += [row for row in rows if number(means[row]) == winner]
    return winners


def unfinished(results: Results) -> Table | None:
    """Every cell that did not finish, and those that finished without converging, with the reason and the record."""
    rows = results.frame[results.frame["status"] != "ok"]
    if rows.empty:
        return None
    values = rows[["dataset", "n_components", "n_nonzero", "method", "seed", "status", "reason"]].assign(
        record=[f"records/{key}.json" if key else "" for key in rows["key"]]
    )
    shown = values.head(MOST_ROWS)
    cells = shown.astype({"n_components": str, "seed": str}).astype(str).replace({"n_nonzero": {"": NOTHING}})
    cells = cells.rename(columns=HEADINGS)
    caption = (
        "Cells that did not finish, or finished without converging. The record has all that is known of a cell, such "
        "as its traceback and what it printed." + _left_out(range(len(rows)), "unfinished")
    )
    return Table(caption, values, cells, frozenset({"components", "seed"}))


def timing(results: Results) -> Table | None:
    """Sum up what the fits cost."""
    groups = [group for group in results.groups if group.n_finished]
    if not groups:
        return None
    caption = (
        "Wall time of the fit and processor time of all its threads, at the sparsity that was found (median of "
        "the repeats, then mean ± standard deviation over the seeds); how many repeats, and how well their median "
        "wall time is known (half-width of its interval, 91 to 95 %); wall time and number of fits of the "
        "search for that sparsity; peak memory of the fit."
    )
    if any(group.contended for group in groups):
        caption += " Contended: other work shared the machine, so that the times are too long."
    caption += _left_out(groups, "timing")
    cells = frame_of([_timing_cells(group) for group in groups[:MOST_ROWS]])
    return Table(
        caption,
        frame_of([_timing_values(group) for group in groups]),
        cells,
        frozenset(cells.columns) - {*HEADINGS.values(), "method", "contended"},
    )


def _timing_values(group: Group) -> dict[str, Any]:
    means = {column: group.spread(column).mean for column in ABOUT_COST}
    return {
        **_identity(group),
        **means,
        "fit_time_sd": group.spread("fit_time").sd,
        "contended": group.contended,
    }


def _timing_cells(group: Group) -> dict[str, str]:
    cost = {column: group.spread(column) for column in ABOUT_COST}
    return _labels(group) | {
        "fit": measured("fit_time", cost["fit_time"]),
        "processor": duration(cost["cpu_time"].mean),
        "repeats": number(cost["repeats"].mean),
        "± of the median (%)": number(100 * cost["time_spread"].mean),
        "search": duration(cost["search_time"].mean),
        "fits of the search": number(cost["n_fits"].mean),
        "peak memory (MiB)": number(cost["peak_memory"].mean),
        "contended": "yes" if group.contended else "no",
    }


HEADINGS = {"dataset": "data set", "n_components": "components", "n_nonzero": "nonzeros"}


def _identity(group: Group) -> dict[str, Any]:
    return {
        "dataset": group.dataset,
        "n_components": group.n_components,
        "n_nonzero": group.n_nonzero,
        "method": group.method,
    }


def _labels(group: Group) -> dict[str, str]:
    return {
        "data set": group.dataset,
        "components": str(group.n_components),
        "nonzeros": group.n_nonzero or NOTHING,
        "method": group.method,
    }


def outcome(results: Results) -> str:
    """Return how many cells were planned and what became of them."""
    counts = Counter(map(str, results.frame["status"]))
    told = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(counts.items(), key=_often))
    planned = len(results.frame)
    return f"{planned} {'cell' if planned == 1 else 'cells'}: {told}."


def _often(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]
