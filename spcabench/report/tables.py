"""The tables of a report.  A column is a line here: its field, and what a row enters there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from spcabench.analysis.best import LEAST_DRAWS
from spcabench.report import best_known, pivot, standings, starts, wins
from spcabench.report.clocks import FIT_TIME, bold_times, own_clocks, quickest
from spcabench.report.entering import waits
from spcabench.report.groups import Group
from spcabench.report.model import COSTS, Results
from spcabench.report.parts import COMPONENTS, DATASET, LEVEL, METHOD, Entry, Field, Row, Table
from spcabench.report.published_tables import order, published
from spcabench.report.ranking import best
from spcabench.report.tabled import Columns, tabled
from spcabench.report.tracks import remark, rivals
from spcabench.store.status import FINISHED, STATUSES
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS
from spcabench.suite.values import from_start

BOLD = (
    "Bold: as far as the seeds show, the method may be the best of those with the same number of nonzeros in each "
    "component. A seed that failed, or missed its target (got), counts as the worst. Methods that reach their target "
    "only in total are compared among themselves; dense ones are a reference."
)
"""What bold means."""

MEASURED = "Where seeds missed the target (got), the numbers are of the seeds that reached it, if any did."
"""Which seeds the numbers of a row are of."""

REFITTED = (
    "Columns with refitted in their name are of the best loadings on the same supports, found one after the other in "
    "the training data by projection deflation; the others are of the loadings as returned."
)
"""What stands beside a column of the loadings as returned."""

ALIKE = "Loadings are as returned; refitting them on their supports changes no number shown."
"""What is said where no column of refitted loadings differs."""

FEW = "Fewer than five seeds show little: bold is then the best mean, and what differs from it by less than matters."

WAITED = "Nothing is bold where cells of a comparison are still to come."


def _group_row(group: Group, entries: tuple[Entry, ...]) -> Row:
    return Row(entries, group.method, group.stand_in, group.state)


def _reached(group: Group) -> Entry:
    """Enter the target, and what was reached where that is something else."""
    return Entry(group.level, note=remark(group))


FITTED_TO: Columns[Group] = (
    (DATASET, lambda group: Entry(group.dataset)),
    (COMPONENTS, lambda group: Entry(group.n_components)),
)
"""What a group was fitted to."""

NAME: tuple[Field, Callable[[Group], Entry]] = (METHOD, lambda group: Entry(group.method))

NOTE: tuple[Field, Callable[[Group], Entry]] = (Field("note", "note"), lambda group: Entry(group.cells("note")[0]))
"""What the suite notes beside a method."""

STOP: tuple[Field, Callable[[Group], Entry]] = (
    Field("stop", "stop"),
    lambda group: Entry(group.cells("stop")[0] or None),
)
"""What ends the iterations of a method."""

NEARNESS = (
    "To 1e-3 and 1e-6: CPU time until the objective stays within that share of the method's own limit, which is its "
    "objective at a thousandth of its tolerance. Of fits with 1, 2, 3, 5, 8, ... iterations it is the first."
)
"""What the times until the objective stays near its limit are."""


def main(results: Results) -> Table | None:
    """Mean and standard deviation over the seeds of every metric, by data set, sparsity and method."""
    shown = results.columns
    every = list(dict.fromkeys([*shown, *results.values]))
    caption = " ".join(
        (
            "Mean ± standard deviation over the seeds.",
            *_about_loadings(results),
            *_about_misses(results),
            BOLD,
            *_about_waits(results),
        )
    )
    if any(group.planned < LEAST_DRAWS for group in results.groups):
        caption += f" {FEW}"
    if FIT_TIME in results.ranked:
        caption += f" {bold_times(results.groups)}{own_clocks(results.groups)}"
    columns: Columns[Group] = (
        *FITTED_TO,
        (LEVEL, _reached),
        NAME,
        (Field("status", "" if shown else "status"), lambda group: Entry(group.status)),
        (Field("seeds", "", with_planned=True), _seeds),
        *(_metric(results, column, place) for place, column in enumerate(every)),
        (Field("", "seeds"), _seeds),
        *([NOTE] if results.frame["note"].any() else []),
    )
    return tabled("main", caption, columns, results.groups, _group_row)


def _about_loadings(results: Results) -> Iterator[str]:
    """Report which columns are of which loadings, where a metric depends on their sizes."""
    if any(column.refitted for column in results.columns):
        yield REFITTED
    elif any(column.refitted for column in results.values):
        yield ALIKE


def _about_misses(results: Results) -> Iterator[str]:
    """Report which seeds the numbers are of, where a target was missed."""
    if any(fit.missed for group in results.groups for fit in group.fits):
        yield MEASURED


def _about_waits(results: Results) -> Iterator[str]:
    """Report that some comparisons have no best yet, where cells of them are still to come."""
    if any(map(waits, results.rivals.values())):
        yield WAITED


def _seeds(group: Group) -> Entry:
    loose = group.statuses["not_converged"]
    return Entry(len(group.measured_seeds), planned=group.planned, note=f"{loose} not converged" if loose else "")


def _metric(results: Results, column: Column, place: int) -> tuple[Field, Callable[[Group], Entry]]:
    """Return the column of a metric; the first of them shows the status of a group that did not finish."""
    is_shown = results.shows(column)
    winners = {id(group) for groups in best(results, column).values() for group in groups} if is_shown else set()

    def enter(group: Group) -> Entry:
        if place == 0 and not group.n_finished:
            return Entry(None, note=group.status)
        return Entry.of(group.spread(column), column.unit, id(group) in winners)

    return Field(column.name, column.heading if is_shown else "", numeric=True, with_sd=True), enter


def _cost(name: str, heading: str, unit: str | None = None) -> tuple[Field, Callable[[Group], Entry]]:
    column = COSTS[name]

    def enter(group: Group) -> Entry:
        return Entry(group.spread(column).mean, unit=column.unit if unit is None else unit)

    return Field(name, heading, numeric=True), enter


def _processor_time(quickest: Collection[int]) -> tuple[Field, Callable[[Group], Entry]]:
    """Return the column of CPU times, those of the quickest groups marked."""

    def enter(group: Group) -> Entry:
        return Entry.of(group.spread(COSTS["cpu_time"]), "s", id(group) in quickest)

    return Field("cpu_time", "fit, CPU", numeric=True), enter


def _near(column: Column) -> tuple[Field, Callable[[Group], Entry]]:
    """Return a column of times until the objective stays near its limit."""
    field = Field(column.name, f"to {column.index}, CPU", numeric=True)
    return field, lambda group: Entry.of(group.spread(column), column.unit)


def _timing(quickest: Collection[int], nearness: Sequence[Column]) -> Columns[Group]:
    """Return the columns of the table of costs.

    Parameters
    ----------
    quickest : collection of int
        The ids of the groups whose CPU times are marked.
    nearness : sequence of Column
        Times until the objective stays near its limit.
    """
    return (
        *FITTED_TO,
        (LEVEL, _reached),
        NAME,
        STOP,
        _processor_time(quickest),
        *(_near(column) for column in nearness),
        _cost("fit_time", "fit, wall"),
        _cost("wall_per_cpu", "wall over CPU"),
        _cost("search_time", "search"),
        _cost("n_fits", "fits of the search"),
        _cost("total_time", "fit and search"),
        _cost("repeats", "repeats"),
        _cost("time_spread", "± of the median (%)", "%"),
        _cost("peak_memory", "peak memory (MiB)"),
        (Field("fit_time_sd", ""), lambda group: Entry(group.spread(COSTS["fit_time"]).sd)),
        (Field("contended", "contended"), lambda group: Entry(group.contended)),
    )


def timing(results: Results) -> Table | None:
    """Sum up what the fits cost."""
    groups = [group for group in results.groups if group.n_finished]
    caption = (
        "CPU time of all threads of the fit and its wall time, at the sparsity that was found (median of the repeats, "
        "or their minimum where contended; then mean ± standard deviation over the seeds); wall over CPU time of all "
        "repeats; wall time and number of fits of the search for that sparsity, and wall time of fit and search; how "
        "many repeats, and how well their median wall time is known (half-width of its interval, 91 to 95 %); peak "
        "memory of the fit. The stop is what ends the iterations of a method."
    )
    nearness = [column for column in results.values if column.stem == "time_to"]
    if nearness:
        caption += f" {NEARNESS}{_untraced(groups)}"
    if any(group.contended for group in groups):
        caption += (
            " Contended: other work shared the machine, or wall time is well above CPU time; wall times are too long."
        )
    caption += own_clocks(groups) + "".join(f" {text}" for text in _about_misses(results))
    leading = {id(group) for racing in rivals(groups).values() for group in quickest(racing)}
    return tabled("timing", f"{caption} {bold_times(groups)}", _timing(leading, nearness), groups, _group_row)


def _untraced(groups: Sequence[Group]) -> str:
    """Return of which methods the limit is not known in some cell, and why."""
    methods: dict[str, list[str]] = {}
    for group in groups:
        for trace in group.finished["trace"]:
            if trace is not None and trace.reason:
                methods.setdefault(trace.reason, []).append(group.method)
    listed = "; ".join(f"{', '.join(dict.fromkeys(names))} ({reason})" for reason, names in methods.items())
    return f" Not known in some or all cells: {listed}." if listed else ""


Cell = Mapping[str, Any]
"""A row of the frame."""

CELLS: Columns[Cell] = (
    (DATASET, lambda cell: Entry(cell["dataset"])),
    (Field("n_components", "components", numeric=True, shared=True), lambda cell: Entry(cell["n_components"])),
    (LEVEL, lambda cell: Entry(cell["n_nonzero"])),
    (METHOD, lambda cell: Entry(from_start(cell["method"], cell["start"]))),
    (Field("seed", "seed", numeric=True), lambda cell: Entry(cell["seed"])),
    (Field("status", "status"), lambda cell: Entry(cell["status"])),
    (Field("reason", "reason"), lambda cell: Entry(cell["reason"])),
    (Field("record", "record"), lambda cell: Entry(cell["key"])),
)
"""The columns of a table of cells, each with what became of it."""


def unfinished(results: Results) -> Table | None:
    """Every cell that was begun and did not finish, with the reason and the record."""
    caption = "The record has all that is known of a cell, such as its traceback and what it printed."
    return _cells(results, "unfinished", caption, [s for s in STATUSES if s not in FINISHED])


def unconverged(results: Results) -> Table | None:
    """Every cell that finished without converging, with the reason and the record."""
    caption = "These cells count in the tables; their method stopped before it converged."
    return _cells(results, "unconverged", caption, ["not_converged"])


def _cells(results: Results, name: str, caption: str, statuses: Sequence[str]) -> Table | None:
    """Make a table of the cells with one of these statuses."""
    cells: list[Cell] = [
        {str(name): value for name, value in cell.items()}
        for cell in results.frame[results.frame["status"].isin(statuses)].to_dict("records")
    ]
    return tabled(name, caption, CELLS, cells, lambda cell, entries: Row(entries, cell["method"]))


TABLES: Mapping[str, Callable[[Results], Table | None]] = MappingProxyType(
    {
        "main": main,
        "pivot": pivot.table,
        "standings": standings.table,
        "wins": wins.table,
        **{f"track_{name}": partial(standings.track_table, name=name) for name in TRACKS},
        "best_known": best_known.table,
        "several": best_known.several_table,
        "published": published,
        "order": order,
        "timing": timing,
        "unfinished": unfinished,
        "unconverged": unconverged,
        **{f"starts_{metric}": partial(starts.table, metric=metric) for metric in starts.TABLED},
    }
)
"""Every table, by the name of its files."""
