"""What a report is made from: a suite as run, and one row per planned cell."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.report.groups import Group, grouped
from spcabench.specs import MethodSpec, MetricSpec
from spcabench.store.about import About, DrawRecord
from spcabench.store.folder import RunFolder
from spcabench.store.frame import ABOUT_CELL, ABOUT_COST, ABOUT_FIT, ABOUT_SPARSITY
from spcabench.suite.columns import Column, column_of
from spcabench.suite.models import Suite
from spcabench.suite.values import MAIN

COSTS: Mapping[str, Column] = {
    name: Column(name, unit=unit)
    for name, unit in zip(ABOUT_COST, ("s", "s", "", "count", "%", "s", "count", "s", "MiB", "s"), strict=True)
}
"""What a cell cost, as columns."""

UNSEEN = 5e-5
"""Numbers that differ relatively by no more look alike where four digits are shown."""


@dataclass(frozen=True, eq=False)
class Results:
    """Everything a report needs, and nothing that must be fitted.

    Parameters
    ----------
    suite : Suite
        The suite as run.
    folder : RunFolder
        Where the records are, and where the report goes.
    frame : DataFrame
        One row per planned cell, whatever happened to it, as of `spcabench.store.frame.results_frame`.
    metrics : mapping of str to MetricSpec
        The metrics by name.
    about : About
        What the run says of itself: its command, the scale of its suite, the machine.
    by_name : mapping of str to MethodSpec
        The methods that ``spcabench.make`` knows by name.
    """

    suite: Suite
    folder: RunFolder
    frame: pd.DataFrame
    metrics: Mapping[str, MetricSpec]
    about: About
    by_name: Mapping[str, MethodSpec] = field(default_factory=dict)

    def column(self, name: str) -> Column:
        """Return the column of a name that the suite or a record writes."""
        column = column_of(name, self.metrics)
        return column if column.metric in self.metrics else COSTS.get(name, column)

    @cached_property
    def values(self) -> list[Column]:
        """The columns that hold metric values."""
        about = {*ABOUT_CELL, *ABOUT_COST, *ABOUT_FIT, *ABOUT_SPARSITY}
        return [self.column(name) for name in map(str, self.frame.columns) if name not in about]

    @cached_property
    def asked(self) -> list[Column]:
        """The columns that the suite asks for, or all of loadings as returned; of a series the last if it says none."""
        if self.suite.report.columns:
            return list(dict.fromkeys(map(self._last, map(self.column, self.suite.report.columns))))
        returned = [column for column in self.values if not column.refitted]
        return [c for c in returned if not isinstance(c.index, int) or c == self.series[c.stem][-1]]

    @property
    def lacking(self) -> list[Column]:
        """The columns that the suite asks for and no cell has; none while no cell has any metric."""
        return [column for column in self.asked if self.values and column.name not in self.frame]

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of the main table: each that is asked for, and beside it that of refitted loadings if it differs.

        They differ if readers would see it in the number of any cell, and it is no tie.
        """
        return list(dict.fromkeys(one for column in self.asked for one in (column, *self._refitted(column))))

    def _refitted(self, column: Column) -> Iterator[Column]:
        """Yield the column of refitted loadings that stands beside a column."""
        other = replace(column, refitted=True)
        if not column.refitted and column.name in self.frame and other.name in self.frame:
            old, new = (self.frame[one.name].to_numpy(dtype=float) for one in (column, other))
            least = np.maximum(tie(self.metrics[column.metric], old), UNSEEN * np.abs(old))
            if (np.abs(new - old) > least).any():
                yield other

    @cached_property
    def ranked(self) -> list[Column]:
        """The columns of the main table that methods are ranked by."""
        return list(filter(self.ranks, self.columns))

    def ranks(self, column: Column) -> bool:
        """Return whether methods are ranked by a column: one of quality alone, neither nonzeros nor seconds."""
        return self._directed(column) and column.unit != "s"

    def _directed(self, column: Column) -> bool:
        """Return whether more or less of a column is better, but for nonzeros."""
        metric = self.metrics.get(column.metric)
        return column.better != "neither" and not (metric and metric.sparsity)

    @property
    def drawn(self) -> list[Column]:
        """The columns that figures of metrics show: those with a good direction that are asked for."""
        return [column for column in self.asked if self._directed(column)]

    def words(self, column: Column) -> str:
        """Return what readers call a column, such as *reconstruction error at 100 components*; empty if unknown."""
        metric = self.metrics.get(column.metric)
        if metric is None or not metric.title:
            return ""
        index = "" if column.index is None else f": {column.index}"
        if index and "m" in metric.parameters:
            index = f" at {column.index} components"
        on = {"train": "", "clean": ", of the clean samples", "test": ", of held-out samples"}[column.on]
        return f"{metric.title}{index}{', refitted' if column.refitted else ''}{on}"

    def called(self, method: str) -> str:
        """Return a label with what the suite says that readers call it, if it does."""
        name = self.suite.report.names.get(method)
        return f"{name} ({method})" if name else method

    def _last(self, column: Column) -> Column:
        """Return the last of the series of a column that says none of its own; else the column as it is."""
        series = self.series[column.stem]
        return series[-1] if series and column.index is None and column.name not in self.frame else column

    @cached_property
    def series(self) -> Mapping[str, list[Column]]:
        """The columns of each series, by its stem: of ``err`` ``err@1``, ``err@10``, ... by rising number."""
        found: dict[str, list[Column]] = defaultdict(list)
        numbered = ((column.index, column) for column in self.values if isinstance(column.index, int))
        for _, column in sorted(numbered, key=lambda one: one[0]):
            found[column.stem].append(column)
        return found

    @cached_property
    def from_all_starts(self) -> list[Group]:
        """The cells that differ in their seed alone, in the order of the suite; none of which all are to be run yet."""
        return grouped(self.frame)

    @cached_property
    def groups(self) -> list[Group]:
        """Those from the main start of the suite: what is compared and drawn, but for the tables of starts."""
        return [group for group in self.from_all_starts if group.start in MAIN]

    def of_dataset(self, dataset: str) -> list[Group]:
        """Return the groups of a data set."""
        return [group for group in self.groups if group.dataset == dataset]

    @cached_property
    def dates(self) -> list[str]:
        """The days on which cells were fitted, the first one first."""
        return sorted({str(time)[:10] for time in self.frame["fitted_at"] if time})

    @cached_property
    def datasets(self) -> list[str]:
        """The labels of the data sets, in the order of the suite."""
        return [str(name) for name in self.frame["dataset"].unique()]

    @cached_property
    def methods(self) -> list[str]:
        """The labels of the methods, in the order of the suite."""
        return [str(name) for name in self.frame["method"].unique()]

    @cached_property
    def stand_ins(self) -> list[str]:
        """The labels of data sets for which another stood in."""
        return [str(name) for name in self.frame.loc[self.frame["stand_in"], "dataset"].unique()]

    def draws(self) -> Iterator[tuple[str, DrawRecord | None]]:
        """Return every data set's label with what is known of its first draw; None if nothing is."""
        for name, draw_ids in self.frame.groupby("dataset", sort=False)["draw_id"].unique().items():
            known = (self.folder.draw_record(str(draw_id)) for draw_id in draw_ids)
            yield str(name), next(filter(None, known), None)


def tie(metric: MetricSpec, values: NDArray[np.float64]) -> float:
    """Return the difference up to which values of a metric are ties.

    Examples
    --------
    >>> tie(MetricSpec(name="nor", compute="m:f", range=(0, 1)), np.array([0.5]))
    1e-12
    """
    low, high = metric.range
    known = np.abs(values)[np.isfinite(values)]
    return metric.tolerance * (high - low if math.isfinite(high - low) else float(known.max(initial=0.0)))
