"""What a report is made from: a suite as run, and one row per planned cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from spcabench.specs import MetricSpec
from spcabench.store.folder import RunFolder
from spcabench.suite.models import Suite

if TYPE_CHECKING:
    import pandas as pd

    from spcabench.report.groups import Group

ABOUT_CELL = (
    *("dataset", "draw_id", "stand_in", "method", "method_name", "family", "n_components", "n_nonzero"),
    *("seed", "status", "reason", "key", "contended"),
)
"""Columns that say what a cell is and what became of it."""

ABOUT_COST = ("fit_time", "cpu_time", "repeats", "time_spread", "search_time", "n_fits", "peak_memory")
"""Columns that say what a cell cost."""


@dataclass(frozen=True)
class Results:
    """Everything a report needs, and nothing that must be fitted.

    Parameters
    ----------
    suite : Suite
        The suite as run.
    folder : RunFolder
        Where the records are, and where the report goes.
    frame : DataFrame
        One row per planned cell, whatever happened to it: the columns `ABOUT_CELL` and `ABOUT_COST`, and one
        of numbers for each metric value.
    metrics : mapping of str to MetricSpec
        The metrics by name.
    command : str
        The command that reproduces the run.
    about : mapping of str to Any
        The environment: what it is, and which.
    form : str
        The scale of the suite, and what was set in it; empty where the run's folder does not say it.
    """

    suite: Suite
    folder: RunFolder
    frame: pd.DataFrame
    metrics: Mapping[str, MetricSpec]
    command: str
    about: Mapping[str, Any]
    form: str = ""

    @cached_property
    def values(self) -> list[str]:
        """The columns that hold metric values."""
        return [name for name in self.frame.columns if name not in (*ABOUT_CELL, *ABOUT_COST)]

    @property
    def columns(self) -> list[str]:
        """The columns of the main table: those the suite asks for, or all with the last of every series."""
        if not self.suite.report.columns:
            return list(dict.fromkeys(self.series(name)[-1] for name in self.values))
        wanted = (self._column(name) for name in self.suite.report.columns)
        return list(dict.fromkeys(wanted))

    def _column(self, name: str) -> str:
        if name in self.frame.columns:
            return name
        series = self.series(f"{name}@")
        return series[-1] if series else name

    def series(self, column: str) -> list[str]:
        """Return the columns of the series that a column belongs to: ``err@1``, ``err@10``, ... by rising number.

        A column that is in no series is a series of its own.
        """
        stem, numbered, _ = column.partition("@")
        if not numbered:
            return [column]
        members = [name for name in self.values if re.fullmatch(re.escape(stem) + r"@\d+", name)]
        return sorted(members, key=lambda name: int(name.partition("@")[2])) or (
            [column] if column in self.values else []
        )

    def metric(self, column: str) -> MetricSpec | None:
        """Return the metric that a column holds a value of, or None."""
        stem = column.partition("@")[0]
        for name in (stem, re.sub("_(clean|test)$", "", stem)):
            if name in self.metrics:
                return self.metrics[name]
        return None

    def better(self, column: str) -> Literal["higher", "lower", "neither"]:
        """Return which direction of a column is good."""
        metric = self.metric(column)
        return metric.better if metric else "neither"

    @cached_property
    def groups(self) -> list[Group]:
        """The cells that differ in their seed alone, in the order of the suite."""
        from spcabench.report.groups import group

        return group(self.frame)

    def of_dataset(self, dataset: str) -> list[Group]:
        """Return the groups of a data set."""
        return self._by_dataset.get(dataset, [])

    @cached_property
    def _by_dataset(self) -> dict[str, list[Group]]:
        found: dict[str, list[Group]] = {}
        for group in self.groups:
            found.setdefault(group.dataset, []).append(group)
        return found

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

    def draws(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return every data set's label with what is known of its first draw."""
        for name, draw_ids in self.frame.groupby("dataset", sort=False)["draw_id"].unique().items():
            known = (self.folder.draw(str(draw_id)) for draw_id in draw_ids)
            yield str(name), next((draw for draw in known if draw), {})
