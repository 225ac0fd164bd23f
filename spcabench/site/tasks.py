"""What methods are compared on: a data set of a track, and what each method reached there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spcabench.report.entering import WAITING, entry_of, is_of, why_outside
from spcabench.report.groups import Group
from spcabench.report.model import Results
from spcabench.specs import MetricSpec
from spcabench.suite.columns import Column
from spcabench.suite.models import TrackEntry, TrackName

WIDE = 2.0
"""From so many features to a sample on, there are much more features than samples."""


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
    values : mapping of str to float
        By method: the mean over targets and seeds; of seconds the geometric mean.  A failure, or a miss of the target,
        has the worst value that any method has there; of seconds the limit, if that is longer.
    failed : frozenset of str
        Methods of which nothing counts.
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
    values: Mapping[str, float]
    failed: frozenset[str]
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


def tasks(results: Results) -> Iterator[Task]:
    """Yield the data sets of each track of a run that any method has a value on."""
    frame = results.frame
    open_ = set(frame.loc[frame["status"].isin(WAITING), "dataset"])
    for track in results.suite.tracks:
        labels = [group for group in results.groups if any(is_of(group, entry) for entry in track.datasets)]
        for dataset in dict.fromkeys(group.dataset for group in labels):
            found = _task(results, track, [group for group in labels if group.dataset == dataset])
            if found.values:
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
    measured = [board for board in boards if any(_known(group, column) for group in board.values())]
    worst = [_worst(results, board, column) for board in measured]
    values = {
        label: math.fsum(_mean(board[label], column, bad) for board, bad in zip(measured, worst, strict=True))
        / len(measured)
        for label in inside
        if measured
    }
    failed = {label for label in values if not any(_known(board[label], column) for board in measured)}
    undefined = {group.method for group in dense} & failed
    outside |= dict.fromkeys(undefined, f"{column.name} is not defined for it")
    samples, features, facts = _shape(results, groups[0])
    return Task(
        results.folder.path.name,
        track.name,
        groups[0].dataset,
        entry_of(groups[0], track.datasets),
        column,
        results.metrics[column.metric],
        {label: value for label, value in values.items() if label not in undefined},
        frozenset(failed - undefined),
        frozenset(group.method for group in dense),
        outside,
        samples is not None and features >= WIDE * samples,
        "clean" in facts,
        all(n_components > 1 for n_components, _ in places),
    )


def _outside(label: str, by_place: Sequence[Mapping[str, Group]]) -> str:
    """Return why a method cannot enter; empty if it can."""
    return why_outside(place.get(label) for place in by_place) if by_place else "no method has a target there"


def _shape(results: Results, group: Group) -> tuple[int | None, int, Sequence[str]]:
    """Return the samples and the features of the first draw that is kept, and what is known of it."""
    for draw_id in group.rows["draw_id"]:
        if draw := results.folder.draw_record(str(draw_id)):
            return draw.n_samples, draw.n_features, draw.facts
    return None, 0, ()


def _known(group: Group, column: Column) -> list[float]:
    """Return the values of the seeds that count, as they are averaged: larger is better."""
    found = [value for value in group.value_of(column).values() if math.isfinite(value)]
    if column.unit == "s":
        return [-math.log(value) for value in found if value > 0]
    return [value if column.better == "higher" else -value for value in found]


def _worst(results: Results, board: Mapping[str, Group], column: Column) -> float:
    worst = min(value for group in board.values() for value in _known(group, column))
    limit = results.suite.limits.time
    return min(worst, -math.log(limit)) if column.unit == "s" and limit else worst


def _mean(group: Group, column: Column, worst: float) -> float:
    known = _known(group, column)
    return (math.fsum(known) + worst * (group.planned - len(known))) / group.planned
