"""What methods are compared on: a data set of a track, its targets, and what each method reached on each draw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spcabench.analysis.contest import middle
from spcabench.report.eligibility import WAITING, entry_of, is_of, why_outside
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.site.chance import by_chance
from spcabench.specs import MetricSpec
from spcabench.store.draw import DrawRecord
from spcabench.suite.columns import Column
from spcabench.suite.models import TrackEntry, TrackName

WIDE = 2.0
"""From so many features to a sample on, there are much more features than samples."""

Reached = Mapping[str, Mapping[int, float]]
"""By method, and by seed: larger is better, minus the logarithm of seconds.  A seed that failed or missed its target is
left out."""


@dataclass(frozen=True)
class Target:
    """A target of a data set, and what methods reached.

    Parameters
    ----------
    name : str
        The number of components and of nonzeros, in words.
    seeds : tuple of int
        Those that were planned.
    reached : mapping of str to mapping of int to float
        What each method that enters reached.
    refitted : mapping of str to mapping of int to float
        The same with the best loadings on the same supports.
    chance : float
        What random supports reach on average, where the metric needs the true ones; else nan.
    """

    name: str
    seeds: tuple[int, ...]
    reached: Reached
    refitted: Reached
    chance: float = math.nan

    def middle(self, label: str) -> float:
        """Return what a method reached over the seeds (`spcabench.analysis.contest.middle`)."""
        found = self.reached[label]
        return middle(list(found.values()), len(self.seeds) - len(found))


@dataclass(frozen=True)
class Task:
    """A data set of a track.

    Parameters
    ----------
    run, track, dataset : str
        The run's name, the track and the data set's label.
    family : str
        The entry of the suite that the data set comes from: variants of a grid are of one.
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
    track: TrackName
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
    open: bool = False

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.column.better == "higher" else -1.0

    @cached_property
    def rivals(self) -> tuple[str, ...]:
        """The methods that are ranked."""
        return tuple(label for label in self.labels if label not in self.dense)

    def numbers(self, labels: Sequence[str]) -> NDArray[np.float64]:
        """Return what methods reached at each target, shape (n_targets, m); nan is a failure."""
        return np.array([[target.middle(label) for label in labels] for target in self.targets])

    @cached_property
    def values(self) -> Mapping[str, float]:
        """The mean over the targets, by method; nan of those that failed at any."""
        return dict(zip(self.labels, map(float, self.numbers(self.labels).mean(axis=0)), strict=True))

    @cached_property
    def lost(self) -> Mapping[str, int]:
        """At how many targets each method failed."""
        return dict(zip(self.labels, map(int, np.isnan(self.numbers(self.labels)).sum(axis=0)), strict=True))


def tasks(results: Results) -> Iterator[Task]:
    """Yield the data sets of each track of a run that any method has a value on."""
    frame = results.frame
    open_ = set(frame.loc[frame["status"].isin(WAITING), "dataset"])
    for track in results.suite.tracks:
        labels = [group for group in results.groups if any(is_of(group, entry) for entry in track.datasets)]
        for dataset in dict.fromkeys(group.dataset for group in labels):
            found = _task(results, track, [group for group in labels if group.dataset == dataset])
            if found.targets and found.labels:
                yield replace(found, open=dataset in open_)


def _task(results: Results, track: TrackEntry, groups: Sequence[Group]) -> Task:
    column = results.column(track.metric)
    dense = [group for group in groups if group.knob == "none"]
    asked = [group for group in groups if group.level and group.knob != "none"]
    places = list(dict.fromkeys((group.n_components, group.level) for group in asked))
    by_place = [
        {one.method: one for one in asked if (one.n_components, one.level) == place}
        | {one.method: one for one in dense if one.n_components == place[0]}
        for place in places
    ]
    labels = list(dict.fromkeys(group.method for group in groups))
    outside = {label: reason for label in labels if (reason := _outside(label, by_place))}
    inside = [label for label in labels if label not in outside]
    boards = [{label: place[label] for label in inside} for place in by_place]
    measured = [board for board in boards if any(_reached(group, column) for group in board.values())]
    undefined = {
        group.method
        for group in dense
        if group.method in inside and not any(_reached(board[group.method], column) for board in measured)
    }
    outside |= dict.fromkeys(undefined, f"{column.name} is not defined for it")
    draw = _draw(results, groups[0])
    return Task(
        results.folder.path.name,
        track.name,
        groups[0].dataset,
        entry_of(groups[0], track.datasets),
        column,
        results.metrics[column.metric],
        tuple(_target(results, board, column) for board in measured),
        tuple(label for label in inside if label not in undefined),
        frozenset(group.method for group in dense),
        outside,
        draw is not None and draw.n_samples is not None and draw.n_features >= WIDE * draw.n_samples,
        draw is not None and "clean" in draw.facts,
        all(n_components > 1 for n_components, _ in places),
    )


def _target(results: Results, board: Mapping[str, Group], column: Column) -> Target:
    asked = next(group for group in board.values() if group.level)
    refitted = replace(column, refitted=True)
    chance = by_chance(results, column, asked) if "supports" in results.metrics[column.metric].requires else math.nan
    sign = 1.0 if column.better == "higher" else -1.0
    other = refitted if refitted in results.values else column
    return Target(
        f"{asked.n_components} component{'s' * (asked.n_components > 1)}, {asked.level} nonzeros",
        asked.seeds,
        {label: _reached(group, column) for label, group in board.items()},
        {label: _reached(group, other) for label, group in board.items()},
        sign * chance,
    )


def _outside(label: str, by_place: Sequence[Mapping[str, Group]]) -> str:
    """Return why a method cannot enter; empty if it can."""
    return why_outside(place.get(label) for place in by_place) if by_place else "no method has a target there"


def _draw(results: Results, group: Group) -> DrawRecord | None:
    """Return the first draw that is kept."""
    return next(filter(None, (results.folder.draw_record(str(draw_id)) for draw_id in group.cells("draw_id"))), None)


def _reached(group: Group, column: Column) -> dict[int, float]:
    """Return the values of the seeds that count, as they are averaged: larger is better."""
    found = {seed: value for seed, value in group.value_of(column).items() if math.isfinite(value)}
    if column.unit == "s":
        return {seed: -math.log(value) for seed, value in found.items() if value > 0}
    return {seed: value if column.better == "higher" else -value for seed, value in found.items()}
