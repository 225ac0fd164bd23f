"""The tables of a report.  A column is a line here: its field, and what a row enters there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from spcabench.report import standings
from spcabench.report.document import COMPONENTS, DATASET, LEVEL, METHOD, Columns, Entry, Field, Table, tabled
from spcabench.report.groups import Cell, Group, records, remark
from spcabench.report.model import COSTS, Results
from spcabench.report.papers import claims_table, published
from spcabench.report.ranking import Win, best, own_clocks, wins
from spcabench.store.status import STATUSES
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS
from spcabench.suite.values import from_start

MEASURED = "Where seeds missed the target (got), the numbers are of the seeds that reached it, if any did."
"""Which seeds the numbers of a row are of."""

ABOUT_MAIN = (
    f"Mean ± standard deviation over the seeds. {MEASURED} Bold: as far as the seeds show, the method may be the best "
    "of those with the same number of nonzeros in each component. A seed that failed, or missed its target, counts as "
    "the worst. Methods that reach their target only in total are compared among themselves; dense ones are a "
    "reference. Fewer than five seeds show little: bold is then the best mean, and what differs from it by less than "
    "matters. Nothing is bold where cells of a comparison are still to come."
)
"""What the numbers of the main table are, and what bold means."""

REFITTED = (
    "Columns with refitted in their name are of the best loadings on the same supports in the training data: cpev of "
    "those that span the most together, other metrics of those found one after the other by projection deflation; the "
    "others are of the loadings as returned."
)

FIRST_START = "Methods are compared from the first start of the suite; rows from other starts are never bold."

Enter = Callable[[Group], Entry]

FITTED_TO: Columns[Group] = (
    (DATASET, lambda group: group.dataset),
    (COMPONENTS, lambda group: group.n_components),
    (LEVEL, lambda group: Entry(group.level, note=remark(group))),
    (METHOD, lambda group: from_start(group.method, group.start)),
)
"""What was fitted to what, at which target, with what was reached where that is something else."""


def main(results: Results) -> Table | None:
    """Mean and standard deviation over the seeds of every metric, by data set, sparsity and method."""
    shown, starts = results.columns, len(results.from_all_starts) > len(results.groups)
    says = (
        ABOUT_MAIN,
        REFITTED if any(column.refitted for column in shown) else "",
        FIRST_START if starts else "",
        own_clocks(results.groups),
    )
    every = list(dict.fromkeys([*shown, *results.values]))
    columns: Columns[Group] = (
        *FITTED_TO,
        (Field("status", "" if shown else "status"), lambda group: group.status),
        (Field("seeds", ""), _seeds),
        (Field("planned", ""), lambda group: group.planned),
        *(_metric(results, column, place, place < len(shown)) for place, column in enumerate(every)),
        (Field("", "seeds", rank=2), _seeds),
        *([(Field("note", "note"), lambda group: group.first("note"))] if results.frame["note"].any() else []),
    )
    return tabled("main", " ".join(filter(None, says)), columns, results.from_all_starts)


def _seeds(group: Group) -> Entry:
    note = f"{loose} not converged" if (loose := group.statuses["not_converged"]) else ""
    return Entry(len(group.measured), planned=group.planned, note=note)


def _metric(results: Results, column: Column, place: int, is_shown: bool) -> tuple[Field, Enter]:
    """Return the column of a metric; the first of them shows the status of a group that did not finish."""
    winners = best(results, column) if is_shown else frozenset()

    def enter(group: Group) -> Entry:
        if place == 0 and not group.finished:
            return Entry(None, note=group.status)
        return Entry.of(group.spread(column), column.unit, group in winners)

    heading, title = (column.heading, results.words(column)) if is_shown else ("", "")
    return Field(column.name, heading, numeric=True, with_sd=True, title=title, rank=int(column.refitted)), enter


MOST_METRICS = 4
"""The winners are named by so many metrics."""

WINNERS: Columns[Win] = (
    (Field("metric", "metric"), lambda win: Entry(win.column.name, text=win.column.heading)),
    (DATASET, lambda win: win.track.dataset),
    (COMPONENTS, lambda win: win.track.n_components),
    (Field("sparsity", "sparsity"), lambda win: win.track.sparsity),
    (METHOD, lambda win: Entry(win.methods[0], best=True)),
    (Field("mean", "mean", numeric=True), lambda win: Entry.of(win.spread, win.column.unit)),
    (Field("sd", ""), lambda win: win.spread.sd),
    (Field("seeds", "seeds", numeric=True, rank=1), lambda win: win.spread.n),
    (Field("not_ruled_out", "not ruled out"), lambda win: ", ".join(win.methods[1:])),
)
"""The columns of the table of winners, which `spcabench.Results.best` has too."""


def winners(results: Results) -> Table | None:
    """Name the best of each comparison by the first metrics, and who else may be the best."""
    caption = "The best mean at equal sparsity, and the methods that the seeds do not rule out as the best."
    found = [win for column in results.ranked[:MOST_METRICS] for win in wins(results, column)]
    return tabled("winners", caption, WINNERS, found)


NEARNESS = (
    "To 1e-3 and 1e-6: CPU time until the objective stays within that share of the method's own limit, which is its "
    "objective at a thousandth of its tolerance. Of fits with 1, 2, 3, 5, 8, ... iterations it is the first."
)
"""What the times until the objective stays near its limit are."""

COST = (
    "CPU time of all threads of the fit and its wall time, at the sparsity that was found (median of the repeats, "
    "or their minimum where contended; then mean ± standard deviation over the seeds); wall over CPU time of all "
    "repeats; wall time and number of fits of the search for that sparsity, and wall time of fit and search; how "
    "many repeats, and how well their median wall time is known (half-width of its interval, 91 to 95 %); peak "
    "memory of the fit; wall time of the first fit in a process, if no search came before. The stop is what ends the "
    "iterations of a method."
)

CONTENDED = "Contended: cores were shared, wall time is well above CPU time, or the median is not known to 30 %."


def _cost(name: str, heading: str) -> tuple[Field, Enter]:
    column = COSTS[name]
    return Field(name, heading, numeric=True), lambda group: Entry(group.spread(column).mean, unit=column.unit)


def _time(column: Column, heading: str) -> tuple[Field, Enter]:
    return Field(column.name, heading, numeric=True), lambda group: Entry.of(group.spread(column), column.unit)


def timing(results: Results) -> Table | None:
    """Sum up what the fits cost."""
    groups = [group for group in results.groups if group.finished]
    nearness = [column for column in results.values if column.stem == "time_to"]
    says = (
        COST,
        NEARNESS if nearness else "",
        CONTENDED if any(group.contended for group in groups) else "",
        MEASURED,
        own_clocks(groups),
    )
    columns: Columns[Group] = (
        *FITTED_TO,
        (Field("stop", "stop", rank=1), lambda group: group.first("stop") or None),
        _time(COSTS["cpu_time"], "fit, CPU"),
        *(_time(column, f"to {column.index}, CPU") for column in nearness),
        _cost("fit_time", "fit, wall"),
        _cost("wall_per_cpu", "wall over CPU"),
        _cost("search_time", "search"),
        _cost("n_fits", "fits of the search"),
        _cost("total_time", "fit and search"),
        _cost("repeats", "repeats"),
        _cost("time_spread", "± of the median (%)"),
        _cost("peak_memory", "peak memory (MiB)"),
        _cost("cold_time", "first fit, wall"),
        (Field("fit_time_sd", ""), lambda group: group.spread(COSTS["fit_time"]).sd),
        (Field("contended", "contended"), lambda group: group.contended),
    )
    return tabled("timing", " ".join(filter(None, says)), columns, groups)


CELLS: Columns[Cell] = (
    (DATASET, lambda cell: cell["dataset"]),
    (Field("n_components", "components", numeric=True, shared=True, rank=1), lambda cell: cell["n_components"]),
    (LEVEL, lambda cell: cell["n_nonzero"]),
    (METHOD, lambda cell: from_start(cell["method"], cell["start"])),
    (Field("seed", "seed", numeric=True), lambda cell: cell["seed"]),
    (Field("status", "status"), lambda cell: cell["status"]),
    (Field("reason", "reason"), lambda cell: cell["reason"]),
    (Field("record", "record", rank=1), lambda cell: cell["key"]),
)
"""The columns of a table of cells, each with what became of it."""


def unfinished(results: Results) -> Table | None:
    """Every cell that was begun and did not finish, or not converge, with the reason and the record."""
    caption = (
        "The record has all that is known of a cell, such as its traceback and what it printed. Cells that are not "
        "converged count in the tables."
    )
    rows = records(results.frame[results.frame["status"].isin(set(STATUSES) - {"ok"})])
    return tabled("unfinished", caption, CELLS, rows)


TABLES: Mapping[str, Callable[[Results], Table | None]] = {
    "main": main,
    "winners": winners,
    "standings": standings.standings_table,
    **{f"track_{name}": partial(standings.standings_table, track=name) for name in TRACKS},
    "published": published,
    "claims": claims_table,
    "timing": timing,
    "unfinished": unfinished,
}
"""Every table, by the name of its files."""
