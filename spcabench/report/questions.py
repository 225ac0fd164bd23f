"""The questions of a leaderboard: the cells of some runs, and of each track what its methods reached on each source."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from spcabench.analysis.inference import Contest
from spcabench.analysis.times import LEAST_REPEATS
from spcabench.report.groups import ABSENT, WAITING, uneven
from spcabench.report.model import Results, tie
from spcabench.specs import MetricSpec
from spcabench.store.status import FINISHED
from spcabench.suite.columns import Column
from spcabench.suite.models import TRACKS, TrackEntry, TrackName
from spcabench.suite.values import MAIN
from spcabench.wording import printable

TIME_MARGIN = 0.05
"""Times that differ by no more than this share are ties."""

CPU_RATIO = Column("cpu_ratio", unit="ratio", better="lower")
"""What the track of cost compares: CPU seconds, as a ratio to those of the dense method on the same data."""

COUNTS, FAILED, DENSE, WAITS = "counts", "failed", "dense", "it is not finished yet"
"""States of a cell: it has a value, it has none or missed its target, it has no target, or it may yet be filled; any
other is why the method cannot enter its data set."""

TARGET = ["run", "dataset", "n_components", "n_nonzero"]
DRAW = ["source", *TARGET, "seed"]
"""What the values of a row of a comparison have in common."""

OF_ONE: frozenset[TrackName] = frozenset({"one", "wide"})
OF_SEVERAL: frozenset[TrackName] = frozenset({"span", "adjusted"})
"""The tracks that are about one component, and about several: of a data set with both they take their own."""


def cells(results: Results) -> pd.DataFrame:
    """Return the cells of a run that are compared, each with its source and its state.

    Returns
    -------
    DataFrame
        The columns of `spcabench.store.frame.results_frame`, and ``run``, ``source``, ``published`` (whether the method
        follows the protocol of its paper), ``state`` and ``cpu_ratio``.  A method that
        cannot enter a cell of a data set enters none.
    """
    frame = results.frame[results.frame["start"].isin(MAIN)].copy()
    frame["run"] = printable(results.folder.path.name)
    frame["source"] = [_source(results, label) for label in frame["suite_dataset"]]
    published = {entry.label or entry.name for entry in results.suite.methods if entry.published}
    frame["published"] = frame["method"].isin(published)
    states = list(map(_state, frame.to_dict("records")))
    frame["state"] = states
    frame["n_nonzero"] = frame["n_nonzero"].map(str)
    why = frame["state"].where(~frame["state"].isin([COUNTS, FAILED]))
    frame["state"] = why.groupby([frame["dataset"], frame["method"]]).transform("first").fillna(frame["state"])
    return frame.assign(cpu_ratio=_cpu_ratio(frame))


def _source(results: Results, label: str) -> str:
    """Return the source of a data set."""
    for entry in results.suite.datasets:
        if is_of(label, entry.label or entry.name):
            return entry.source or entry.name
    return label


def is_of(label: str, entry: str) -> bool:
    """Return whether a data set is of an entry of a suite: its label is that, or that with the suffix of a grid."""
    return label == entry or label.startswith(f"{entry}(")


def _state(cell: Mapping[Hashable, Any]) -> str:
    level, status = cell["n_nonzero"], str(cell["status"])
    if cell["knob"] == "none":
        return DENSE
    if not level:
        return "it does not take a number of nonzeros"
    if status in WAITING:
        return WAITS
    if status in ABSENT:
        return str(cell["reason"] or status)
    if status not in FINISHED or cell["missed_components"] > 0:
        return FAILED
    return "it reaches its nonzeros only in total" if uneven(cell["knob"], level, cell["nnz"]) else COUNTS


@dataclass(frozen=True, eq=False)
class Question:
    """A track of some runs.

    Parameters
    ----------
    name : str, optional
        Of the track; None of a comparison by a column that is of no track.
    column : Column
        What ranks.
    metric : MetricSpec
        Its metric.
    relative : bool
        Whether a value is read as what it lacks of the best of any method on the same draw.
    cells : DataFrame
        Those of its data sets, as of `cells`, with the ``value``: larger is better, of seconds minus the logarithm; nan
        of one that has none.
    beside : tuple of Column
        What is shown beside it.
    bounds : mapping of str to float
        By data set: what no orthogonal loadings exceed, where that is proved.
    """

    name: TrackName | None
    column: Column
    metric: MetricSpec
    relative: bool
    cells: pd.DataFrame
    beside: tuple[Column, ...] = ()
    bounds: Mapping[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> bool:
        """Whether seconds are compared."""
        return self.column == CPU_RATIO

    @cached_property
    def margin(self) -> float:
        """Values that differ by no more are alike."""
        values = self.cells["value"].to_numpy(dtype=float)
        return math.log(1.0 + TIME_MARGIN) if self.seconds else max(self.metric.margin, tie(self.metric, values))

    @cached_property
    def waiting(self) -> tuple[str, ...]:
        """The data sets of which cells may yet be filled: they do not count."""
        return tuple(self.cells.loc[self.cells["state"] == WAITS, "dataset"].unique())

    @cached_property
    def inside(self) -> pd.DataFrame:
        """The cells that count: those of methods that enter a data set, of data sets that are finished."""
        finished = ~self.cells["dataset"].isin(self.waiting)
        return self.cells[finished & self.cells["state"].isin([COUNTS, FAILED])]

    @cached_property
    def outside(self) -> dict[str, str]:
        """Methods with a target that enter no source wholly, each with the first reason."""
        mine = self.cells[~self.cells["method"].isin(self.by_source.columns) & (self.cells["state"] != DENSE)]
        why = mine["state"].where(~mine["state"].isin([COUNTS, FAILED])).groupby(mine["method"], sort=False).first()
        return {str(label): str(one) for label, one in why.fillna("all have failed or are alike there").items()}

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The values that are compared: a row for each draw at a target, a column for each method; nan where absent.

        A failure has what is below the worst of the row by twice the margin.  A row in which nobody has a value is
        left out, and so is a target at which all are alike.
        """
        found = self.inside.assign(value=self.inside["value"].fillna(-math.inf))
        table = found.pivot_table(index=DRAW, columns="method", values="value", sort=False)
        table = table[list(dict.fromkeys(found["method"]))] if len(found) else table
        known = table.where(np.isfinite(table))
        table, known = table[known.notna().any(axis=1)], known.dropna(how="all")
        if self.relative:
            best = known.max(axis=1)
            table, known = (one.sub(best, axis=0).div(best.abs(), axis=0) for one in (table, known))
        lowest = known.min(axis=1) - 2.0 * self.margin
        failed = np.isneginf(table.to_numpy(dtype=float))
        values = np.where(failed, lowest.to_numpy()[:, None], table.to_numpy(dtype=float))
        table = pd.DataFrame(values, index=table.index, columns=table.columns)
        spread = table.max(axis=1) - table.min(axis=1)
        parts = (spread > self.margin).groupby(TARGET, sort=False).transform("any") if len(table) else spread > 0
        return table[parts]

    @cached_property
    def alike(self) -> int:
        """How many targets are left out, as every method reaches the same there, or none has a value."""
        return len(self.inside[TARGET].drop_duplicates()) - len(self.rows.reset_index()[TARGET].drop_duplicates())

    @cached_property
    def by_source(self) -> pd.DataFrame:
        """The mean value on each source, a row each: over the draws of a data set first, then over its data sets.

        A method that does not enter each draw of a source has nan there.
        """
        if self.rows.empty:
            return pd.DataFrame(columns=self.rows.columns)
        of_datasets = self.rows.groupby(["source", "run", "dataset"], sort=False)
        present = self.rows.notna().groupby("source", sort=False).all()
        return of_datasets.mean().groupby("source", sort=False).mean().where(present).dropna(axis=1, how="all")

    @cached_property
    def contest(self) -> Contest:
        """The methods on the sources."""
        table = self.by_source
        return Contest(
            tuple(map(str, table.columns)), tuple(map(str, table.index)), table.to_numpy(dtype=float), self.margin
        )

    @cached_property
    def failures(self) -> dict[str, tuple[int, int]]:
        """By method: the cells that failed or missed their target, of how many."""
        failed = self.inside["state"].eq(FAILED).groupby(self.inside["method"], sort=False).agg(["sum", "count"])
        return {str(label): (int(lost), int(planned)) for label, lost, planned in failed.itertuples()}

    def worst_beside(self, column: Column) -> dict[str, float]:
        """Return, by method, the worst value of a column that stands beside: of any cell that counts."""
        if column.name not in self.inside:
            return {}
        known = self.inside[self.inside["state"] == COUNTS].groupby("method")[column.name]
        worst = known.min() if column.better == "higher" else known.max()
        return {str(label): float(value) for label, value in worst.items()}

    def shown(self, value: float) -> float:
        """Return a value as readers know it: as the metric has it, what it lacks of the best, or a ratio of seconds."""
        if self.seconds:
            return math.exp(-value)
        return abs(-value if self.relative or self.column.better == "lower" else value)


def questions(runs: Sequence[Results]) -> list[Question]:
    """Return the tracks of some runs, in their order; those of several runs with one name are one question.

    Tracks in which no cell has a value are left out.
    """
    compared = [(run, cells(run)) for run in runs]
    found = []
    for name in TRACKS:
        parts = [
            asked(run, frame, name, run.column(track.metric), track.datasets, track)
            for run, frame in compared
            for track in run.suite.tracks
            if track.name == name
        ]
        known = [part for part in parts if part.cells["value"].notna().any()]
        if known:
            together = pd.concat([part.cells for part in known], ignore_index=True)
            bounds = {label: value for part in known for label, value in part.bounds.items()}
            found.append(replace(known[0], cells=together, bounds=bounds))
    return found


def asked(
    results: Results,
    frame: pd.DataFrame,
    name: TrackName | None,
    column: Column,
    entries: Sequence[str],
    track: TrackEntry | None = None,
) -> Question:
    """Return the question of a column on some entries of a suite; `frame` are the `cells` of the run."""
    mine = frame[[any(is_of(label, entry) for entry in entries) for label in frame["suite_dataset"]]].copy()
    if name in OF_ONE or name in OF_SEVERAL:
        mine = mine[(mine["n_components"] == 1) == (name in OF_ONE)]
    metric = results.metrics[column.metric]
    column = CPU_RATIO if name == "cost" else column
    known = mine.get(column.name, pd.Series(math.nan, index=mine.index)).astype(float)
    value = known * (1 if column.better == "higher" else -1)
    value = value if column != CPU_RATIO else -known.where(known > 0).transform(np.log)
    unknown = mine["state"].eq(COUNTS) & ~np.isfinite(value)
    lost = unknown.groupby([mine["dataset"], mine["method"]]).transform("any")
    mine = mine.assign(
        value=value.where(np.isfinite(value) & mine["state"].isin([COUNTS, DENSE])),
        state=mine["state"].mask(lost, f"{column.name} is not known of it"),
    )
    if track is None:
        return Question(name, column, metric, False, mine)
    beside = tuple(map(results.column, track.beside))
    return Question(name, column, metric, track.relative, mine, beside, track.bounds)


def _cpu_ratio(frame: pd.DataFrame) -> pd.Series[float]:
    """Return the CPU seconds as a ratio to those of the first dense method on the same data set.

    They are not known of a cell that was timed fewer than `LEAST_REPEATS` times, or beside other work.
    """
    repeats = frame["cpu_times"].map(len)
    warm = repeats.ge(LEAST_REPEATS) & ~frame["contended"].eq(True)
    seconds = frame["cpu_time"].astype(float).where(warm)
    place, dense = [frame["dataset"], frame["n_components"]], frame["state"].eq(DENSE)
    reference = seconds.where(dense & dense.groupby(place).cumsum().eq(1))  # no other one stands in if it is not known
    return seconds / reference.groupby(place).transform("first")
