"""The table of what fits cost, and what tables of groups share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from spcabench.report.document import COMPONENTS, DATASET, LEVEL, METHOD, Columns, Entry, Field, Row, Table, tabled
from spcabench.report.eligibility import by_reason, remark, rivals
from spcabench.report.groups import Group
from spcabench.report.model import COSTS, Results
from spcabench.report.ranking import bold_times, own_clocks, quickest
from spcabench.suite.columns import Column

MEASURED = "Where seeds missed the target (got), the numbers are of the seeds that reached it, if any did."
"""Which seeds the numbers of a row are of."""

Enter = Callable[[Group], Entry]


def group_row(group: Group, entries: tuple[Entry, ...]) -> Row:
    """Make the row of a group."""
    return Row(entries, group.method, group.stand_in, group.state)


FITTED_TO: Columns[Group] = (
    (DATASET, lambda group: group.dataset),
    (COMPONENTS, lambda group: group.n_components),
    (LEVEL, lambda group: Entry(group.level, note=remark(group))),
    (METHOD, lambda group: group.method),
)
"""What was fitted to what, at which target, with what was reached where that is something else."""


def about_misses(results: Results) -> Iterator[str]:
    """Report which seeds the numbers are of, where a target was missed."""
    if any(group.n_missed for group in results.groups):
        yield MEASURED


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
    "memory of the fit. The stop is what ends the iterations of a method."
)

CONTENDED = "Contended: other work shared the machine, or wall time is well above CPU time; wall times are too long."


def _cost(name: str, heading: str, unit: str | None = None) -> tuple[Field, Enter]:
    column = COSTS[name]
    unit = column.unit if unit is None else unit
    return Field(name, heading, numeric=True), lambda group: Entry(group.spread(column).mean, unit=unit)


def _near(column: Column) -> tuple[Field, Enter]:
    """Return a column of times until the objective stays near its limit."""
    field = Field(column.name, f"to {column.index}, CPU", numeric=True)
    return field, lambda group: Entry.of(group.spread(column), column.unit)


def _costs(leading: Collection[Group], nearness: Sequence[Column]) -> Columns[Group]:
    """Return the columns of the table of costs; the CPU times of the leading groups are marked."""
    cpu = COSTS["cpu_time"]
    return (
        *FITTED_TO,
        (Field("stop", "stop"), lambda group: group.first("stop") or None),
        (
            Field("cpu_time", "fit, CPU", numeric=True),
            lambda group: Entry.of(group.spread(cpu), "s", group in leading),
        ),
        *map(_near, nearness),
        _cost("fit_time", "fit, wall"),
        _cost("wall_per_cpu", "wall over CPU"),
        _cost("search_time", "search"),
        _cost("n_fits", "fits of the search"),
        _cost("total_time", "fit and search"),
        _cost("repeats", "repeats"),
        _cost("time_spread", "± of the median (%)", "%"),
        _cost("peak_memory", "peak memory (MiB)"),
        (Field("fit_time_sd", ""), lambda group: group.spread(COSTS["fit_time"]).sd),
        (Field("contended", "contended"), lambda group: group.contended),
    )


def timing(results: Results) -> Table | None:
    """Sum up what the fits cost."""
    groups = [group for group in results.groups if group.n_finished]
    nearness = [column for column in results.values if column.stem == "time_to"]
    says = [COST]
    if nearness:
        says.append(NEARNESS)
        says += _untraced(groups)
    if any(group.contended for group in groups):
        says.append(CONTENDED)
    says[-1] += own_clocks(groups)
    says += [*about_misses(results), bold_times(groups)]
    leading = {group for racing in rivals(groups).values() for group in quickest(racing)}
    return tabled("timing", " ".join(says), _costs(leading, nearness), groups, group_row)


def _untraced(groups: Sequence[Group]) -> Iterator[str]:
    """Yield of which methods the limit is not known in some cell, and why."""
    traces = [(group.method, trace) for group in groups for trace in group.finished("trace") if trace is not None]
    reasons = [(method, trace.reason) for method, trace in traces if trace.reason]
    if reasons:
        yield f"Not known in some or all cells: {by_reason(reasons)}."
