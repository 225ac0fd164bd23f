"""What methods are compared on: a data set of a track, its targets, and what each method reached on each draw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from spcabench.analysis.best import midranks
from spcabench.analysis.contest import ROUNDING, middle
from spcabench.importing import resolve
from spcabench.report.eligibility import WAITING, entry_of, is_of, why_outside
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.specs import Dataset, Evaluation, Fitted, MetricSpec, Moments
from spcabench.suite.columns import Column
from spcabench.suite.models import TrackName

TIME_MARGIN = 0.05
"""Times that differ by no more than this share are ties."""

WIDE = 2.0
"""From so many features to a sample on, there are much more features than samples."""

TRIES = 200
"""Random fits over the draws of a data set: enough for a mean that is known to a hundredth of what a metric from 0 to 1
spans."""


@dataclass(frozen=True, eq=False)
class Target:
    """A target of a data set, and what methods reached.

    Parameters
    ----------
    name : str
        The number of components and of nonzeros, in words.
    reached : DataFrame
        What each method that enters reached, in a row for each planned seed: larger is better, minus the logarithm of
        seconds; nan where it failed or missed its target.
    refitted : DataFrame
        The same with the best loadings on the same supports.
    chance : float
        What random supports reach on average, where the metric needs the true ones; else nan.
    """

    name: str
    reached: pd.DataFrame
    refitted: pd.DataFrame
    chance: float = math.nan

    @cached_property
    def middles(self) -> pd.Series[float]:
        """What each method reached over the seeds (`spcabench.analysis.contest.middle`)."""
        found = {str(label): values.dropna().tolist() for label, values in self.reached.items()}
        return pd.Series({label: middle(known, len(self.reached) - len(known)) for label, known in found.items()})


@dataclass(frozen=True, eq=False)
class Task:
    """A data set of a track.

    Parameters
    ----------
    run, dataset : str
        The run's name and the data set's label.
    track : str, optional
        The track; None of a comparison by a column that is of no track.
    family : str
        The run and the entry of its suite that the data set comes from: variants of a grid are of one.
    column : Column
        What methods are compared by.
    metric : MetricSpec
        Its metric.
    targets : tuple of Target
        Those of which anything is known.
    labels : tuple of str
        The methods that enter.
    dense : frozenset of str
        Methods without a target, which are not ranked.
    outside : mapping of str to str
        Methods that cannot enter, each with the reason.
    wide : bool
        Whether the data set has at least `WIDE` times as many features as samples.
    contaminated : bool
        Whether some of its samples are contaminated, and the clean ones known.
    several : bool
        Whether each fit is of two or more components.
    open : bool
        Whether cells of the data set may yet be filled: then it is shown, and ranks nobody.
    """

    run: str
    track: TrackName | None
    dataset: str
    family: str
    column: Column
    metric: MetricSpec
    targets: tuple[Target, ...]
    labels: tuple[str, ...]
    dense: frozenset[str]
    outside: Mapping[str, str]
    wide: bool
    contaminated: bool
    several: bool
    open: bool

    @property
    def place(self) -> tuple[str, str]:
        """The run and the data set."""
        return self.run, self.dataset

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.column.better == "higher" else -1.0

    @property
    def seconds(self) -> bool:
        """Whether seconds are compared."""
        return self.column.unit == "s"

    @cached_property
    def rivals(self) -> tuple[str, ...]:
        """The methods that are ranked."""
        return tuple(label for label in self.labels if label not in self.dense)

    @cached_property
    def numbers(self) -> pd.DataFrame:
        """What each method reached at each target, in a row for each; nan is a failure."""
        return pd.DataFrame([target.middles.reindex(self.labels) for target in self.targets])

    @cached_property
    def values(self) -> pd.Series[float]:
        """The mean over the targets, by method; nan of those that failed at any."""
        return self.numbers.mean(skipna=False)

    def close(self, values: NDArray[np.float64]) -> float:
        """Return up to which difference values are ties; of times, which are logarithms, it is `TIME_MARGIN`."""
        return math.log(1.0 + TIME_MARGIN) if self.seconds else max(self.metric.margin, tie(self.metric, values))

    @cached_property
    def ranks(self) -> dict[str, float]:
        """The rank of each rival, 1 the best: that of the mean of the ranks at the targets; who failed comes last."""
        rows = self.numbers[list(self.rivals)].to_numpy()
        found = np.mean([midranks(row, self.close(row)) for row in rows], axis=0)
        return dict(zip(self.rivals, map(float, midranks(-found, ROUNDING)), strict=True))


def tasks(results: Results) -> Iterator[Task]:
    """Yield the data sets of each track of a run that any method has a value on."""
    for track in results.suite.tracks:
        yield from over(results, track.name, results.column(track.metric), track.datasets)


def over(results: Results, track: TrackName | None, column: Column, entries: Sequence[str]) -> Iterator[Task]:
    """Yield the data sets of some entries of the suite on which any method has a value of a column."""
    frame = results.frame
    open_ = set(frame.loc[frame["status"].isin(WAITING), "dataset"])
    groups = [group for group in results.groups if any(is_of(group, entry) for entry in entries)]
    for dataset in dict.fromkeys(group.dataset for group in groups):
        here = [group for group in groups if group.dataset == dataset]
        found = _task(results, track, column, entry_of(here[0], entries), here, dataset in open_)
        if found.targets and found.labels:
            yield found


def _task(
    results: Results, track: TrackName | None, column: Column, entry: str, groups: Sequence[Group], open_: bool
) -> Task:
    dense = [group for group in groups if group.knob == "none"]
    asked = [group for group in groups if group.level and group.knob != "none"]
    places = list(dict.fromkeys((group.n_components, group.level) for group in asked))
    boards = [
        {one.method: one for one in asked if (one.n_components, one.level) == place}
        | {one.method: one for one in dense if one.n_components == place[0]}
        for place in places
    ]
    labels = list(dict.fromkeys(group.method for group in groups))
    whys = {
        label: why_outside(board.get(label) for board in boards) if boards else "no method has a target there"
        for label in labels
    }
    inside = [label for label in labels if not whys[label]]
    entered = [{label: board[label] for label in inside} for board in boards]
    known = [board for board in entered if any(group.value_of(column) for group in board.values())]
    targets = tuple(_target(results, board, column) for board in known)
    for label in {group.method for group in dense} & set(inside):
        if not any(target.reached[label].notna().any() for target in targets):
            whys[label] = f"{column.name} is not defined for it"
    ids = map(str, groups[0].cells("draw_id"))
    draw = next((found for draw_id in ids if (found := results.folder.draw_record(draw_id))), None)
    name = results.folder.path.name
    return Task(
        run=name,
        track=track,
        dataset=groups[0].dataset,
        family=f"{name}: {entry}",
        column=column,
        metric=results.metrics[column.metric],
        targets=targets,
        labels=tuple(label for label in labels if not whys[label]),
        dense=frozenset(group.method for group in dense),
        outside={label: reason for label, reason in whys.items() if reason},
        wide=draw is not None and draw.n_samples is not None and draw.n_features >= WIDE * draw.n_samples,
        contaminated=draw is not None and "clean" in draw.facts,
        several=all(n_components > 1 for n_components, _ in places),
        open=open_,
    )


def _target(results: Results, board: Mapping[str, Group], column: Column) -> Target:
    asked = next(group for group in board.values() if group.level)
    refitted = replace(column, refitted=True)
    chance = by_chance(results, column, asked) if "supports" in results.metrics[column.metric].requires else math.nan
    return Target(
        f"{asked.n_components} component{'s' * (asked.n_components > 1)}, {asked.level} nonzeros",
        _reached(board, column, asked.seeds),
        _reached(board, refitted if refitted in results.values else column, asked.seeds),
        chance if column.better == "higher" else -chance,
    )


def _reached(board: Mapping[str, Group], column: Column, seeds: Sequence[int]) -> pd.DataFrame:
    """Return the values of the seeds that count, as they are averaged: larger is better."""
    found = {label: group.value_of(column) for label, group in board.items()}
    frame = pd.DataFrame({label: [known.get(seed, math.nan) for seed in seeds] for label, known in found.items()})
    frame = frame.where(np.isfinite(frame))
    if column.unit == "s":
        return -frame.where(frame > 0).transform(np.log)
    return frame if column.better == "higher" else -frame


def by_chance(results: Results, column: Column, group: Group) -> float:
    """Return the mean of a metric of supports over random fits; nan where the true supports are not kept.

    Parameters
    ----------
    results : Results
        A run.
    column : Column
        The metric.
    group : Group
        Cells at a target: each random fit has its components and nonzeros, at places that are all as likely.  So the
        components are matched to the true ones as those of any method are, which raises the floor.
    """
    kept = (results.folder.draw_record(str(draw_id)) for draw_id in dict.fromkeys(group.cells("draw_id")))
    draws = [draw for draw in kept if draw is not None and draw.supports]
    if not draws:
        return math.nan
    params = next((entry.params for entry in results.suite.metrics if entry.name == column.metric), {})
    compute, rng = resolve(results.metrics[column.metric].compute), np.random.default_rng(0)
    target, found = group.level.target, []
    for number in range(TRIES):
        draw = draws[number % len(draws)]
        true = np.zeros((len(draw.supports), draw.n_features), dtype=bool)
        for row, support in zip(true, draw.supports, strict=True):
            row[list(support)] = True
        sizes = target if isinstance(target, tuple) else (target or draw.n_features,) * group.n_components
        components = np.zeros((len(sizes), draw.n_features))
        for loading, size in zip(components, sizes, strict=True):
            loading[rng.choice(draw.n_features, size, replace=False)] = size**-0.5
        nothing = np.zeros((1, draw.n_features))
        evaluation = Evaluation(
            dataset=Dataset(X=nothing, supports=true),
            fitted=Fitted(components=components, mean=nothing[0]),
            moments=Moments(X=nothing),
        )
        value = compute(evaluation, **params)
        found.append(float(value if column.index is None else value[column.index]))
    return fmean(found)
