"""How far the best methods of a data set are apart, on the same draws: figures of differences to the best."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from spcabench.analysis.paired import Difference, compare
from spcabench.report.document import Note
from spcabench.report.eligibility import rivals
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.site.plots import Axis, Dot, Dots
from spcabench.site.tasks import Task
from spcabench.suite.columns import Column

SHOWN = 8
"""Methods of a figure."""


def figures(task: Task, results: Results) -> Iterator[Dots | Note]:
    """Yield a figure for each target of a data set of a track, of the methods that come nearest to the best."""
    for track, groups in rivals(results.of_dataset(task.dataset)).items():
        known = [group for group in groups if group.level and group.value_of(task.column)]
        if track.kind == "each" and len(known) > 1 and task.column.unit != "s":
            title = f"{track.n_components} component{'s' * (track.n_components > 1)}, {track.sparsity}"
            yield _figure(title, task, known)


def _figure(title: str, task: Task, groups: Sequence[Group]) -> Dots | Note:
    """Draw how far each of the nearest methods is below the best, with the interval over the draws."""
    ordered = sorted(groups, key=lambda group: (-len(group.counted), -task.sign * group.spread(task.column).mean))
    best, nearest = ordered[0], ordered[:SHOWN]
    found = {group.method: _below(best, group, task) for group in nearest}
    ends = [end for one in found.values() for end in _ends(one)]
    low, high = min(0.0, *ends), max(ends)
    if high <= 0.0:
        same = ", ".join(found)
        return Note(f"{title}: the same {task.column.name} on each draw: {same}.")
    margin = task.metric.margin
    axis = Axis(f"below {best.method}, {task.column.name}", low, high)
    rows = tuple(_dot(method, one, axis) for method, one in found.items())
    ruler = 0.0 < margin <= high - low
    caption = (
        f"Differences to the best mean, that of {best.method}, on the same {best.planned} draws; lines are their 95 % "
        f"intervals.  {len(groups)} methods have this target.{_open(found)}"
    )
    length, said = (margin / (high - low), "margin that matters") if ruler else (0.0, "")
    return Dots(title, caption, axis, rows, length=length, ruler=said)


def _open(found: Mapping[str, Difference]) -> str:
    """Name those that are not told apart from the best, with the draws that would decide; empty if there are none."""
    named = [f"{method} ({one.deciding:,})" for method, one in found.items() if one.deciding]
    if not named:
        return ""
    return f"  Not told apart from the best yet, and the draws that would decide: {', '.join(named)}."


def _below(best: Group, group: Group, task: Task) -> Difference:
    ours, theirs = (_values(one, best.seeds, task.column, task.sign) for one in (best, group))
    known = np.array([*ours, *theirs])
    return compare(ours, theirs, task.metric.margin, tie(task.metric, known))


def _values(group: Group, seeds: Sequence[int], column: Column, sign: float) -> list[float]:
    found = group.value_of(column)
    return [sign * found.get(seed, math.nan) for seed in seeds]


def _ends(one: Difference) -> list[float]:
    """Return what of a difference is finite: the middle, and the ends of the interval."""
    return [end for end in (one.middle, one.interval.low, one.interval.high) if math.isfinite(end)]


def _dot(method: str, one: Difference, axis: Axis) -> Dot:
    between = one.interval
    known = math.isfinite(between.low) and math.isfinite(between.high)
    said = f"{one.middle:.3g}" + (f", {between.low:.3g} to {between.high:.3g}" if known else "")
    place = axis.place(one.middle) if math.isfinite(one.middle) else 1.0
    low, high = (axis.place(between.low), axis.place(between.high)) if known else (place, place)
    return Dot(method, place, low, high, said)
