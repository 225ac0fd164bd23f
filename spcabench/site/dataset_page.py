"""The page of a data set: what it is, how far methods are apart, bounds and best known values, results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from spcabench.analysis.paired import Difference, compare
from spcabench.report import best_known
from spcabench.report.contents import draw_facts
from spcabench.report.document import DATASET, METHOD, Facts, Field, Note, Table
from spcabench.report.eligibility import WAITING, by_reason, rivals
from spcabench.report.groups import Group
from spcabench.report.model import Results, tie
from spcabench.report.tables import main
from spcabench.site.method_page import value_of
from spcabench.site.pages import Page, about, right, section, table
from spcabench.site.plots import Axis, Dots, dot
from spcabench.site.ranks import ranked
from spcabench.site.tasks import Task
from spcabench.specs import DatasetSpec

SHOWN = 8
"""Methods of a figure of differences."""


Reported = Mapping[str, Sequence[Table | None]]
"""Tables of the reports, each of which has rows of several data sets; None where a run has none."""


def reported_by(runs: Sequence[Results]) -> Reported:
    """Make the tables of some runs."""
    makers = {"main": main, "best known": best_known.table, "several": best_known.several_table}
    return {name: [make(results) for results in runs] for name, make in makers.items()}


def page(
    label: str,
    path: str,
    tasks: Sequence[Task],
    runs: Sequence[Results],
    reported: Reported,
    specs: Mapping[str, DatasetSpec],
) -> Page:
    """Return the page of a data set.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    tasks : sequence of Task
        Those of all data sets.
    runs : sequence of Results
        The runs.
    reported : Reported
        Their tables.
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    """
    having = [results for results in runs if label in results.datasets]
    spec = next((spec for results in having for spec in _specs(label, results, specs)), None)
    here = [task for task in tasks if task.dataset == label]
    sections = (
        section("What it is", *_about(label, spec, having)),
        section("Tracks", *_unfinished(here, having), *(one for task in here for one in _ranking(task))),
        section("Differences to the best", *_differences(here, having)),
        section("Bounds and best known values", *about(reported["best known"], DATASET, label)),
        section("Several components", *about(reported["several"], DATASET, label)),
        section("Results", *about(reported["main"], DATASET, label)),
    )
    return Page(path, "data set", label, spec.title if spec else "", sections)


def _specs(label: str, results: Results, specs: Mapping[str, DatasetSpec]) -> Iterator[DatasetSpec]:
    """Yield the specification of a data set of a run, if it is known here."""
    named = set(results.frame.loc[results.frame["dataset"] == label, "suite_dataset"])
    for entry in results.suite.datasets:
        of_suite = entry.label or entry.name
        if entry.name in specs and any(one == of_suite or str(one).startswith(f"{of_suite}(") for one in named):
            yield specs[entry.name]


def _about(label: str, spec: DatasetSpec | None, runs: Sequence[Results]) -> Iterator[Facts]:
    if spec is not None:
        facts = {"data set": spec.name, "source": spec.source, "licence": spec.licence}
        yield Facts("", "", tuple((word, text) for word, text in facts.items() if text))
    for results in runs:
        if known := dict(results.draws())[label]:
            yield Facts(f"As drawn in the run {results.folder.path.name}", "", tuple(draw_facts(known)))


def _unfinished(tasks: Sequence[Task], runs: Sequence[Results]) -> Iterator[Note]:
    """Say how many cells may yet be filled, if any."""
    if any(task.open for task in tasks):
        status = pd.concat([run.frame.loc[run.frame["dataset"] == tasks[0].dataset, "status"] for run in runs])
        left = int(status.isin(WAITING).sum())
        yield Note(
            f"{left} of {len(status)} cells are not finished: the data set does not count on the front page yet."
        )


def _ranking(task: Task) -> tuple[Table, ...]:
    places, lost = ranked(task), task.numbers.isna().sum()
    order = sorted(task.labels, key=lambda label: (places.get(label, 0.0), -task.values.fillna(-math.inf)[label]))
    outside = f"  Cannot enter: {by_reason(task.outside)}." if task.outside else ""
    caption = (
        f"Track {task.track}: {task.column.name}, the mean over targets of the means over seeds; where a seed failed "
        f"or missed its target, the median, in which it is the worst.  Methods without a rank are dense.{outside}"
    )
    rows = []
    for label in order:
        outcome = f"failed at {lost[label]} of {len(task.targets)}" if lost[label] else None
        rows.append((label, places.get(label), value_of(task, label), outcome))
    fields = METHOD, right("rank", "rank"), right("value", task.column.heading), Field("outcome", "outcome")
    return table(caption, fields, rows)


def _differences(tasks: Sequence[Task], runs: Sequence[Results]) -> Iterator[Dots | Note]:
    by_name = {run.folder.path.name: run for run in runs}
    for task in tasks:
        if drawn := tuple(differences(task, by_name[task.run])):
            yield Note(f"Track {task.track}, by {task.column.name}:")
            yield from drawn


def differences(task: Task, results: Results) -> Iterator[Dots | Note]:
    """Yield a figure for each target of a data set of a track, of the methods that come nearest to the best."""
    for track, groups in rivals(results.of_dataset(task.dataset)).items():
        known = [group for group in groups if group.level and group.value_of(task.column)]
        if track.kind == "each" and len(known) > 1 and task.column.unit != "s":
            title = f"{track.n_components} component{'s' * (track.n_components > 1)}, {track.sparsity}"
            yield _figure(title, task, known)


def _figure(title: str, task: Task, groups: Sequence[Group]) -> Dots | Note:
    """Draw how far each of the nearest methods is below the best, with the interval over the draws."""
    ordered = sorted(groups, key=lambda group: (-len(group.counted), -task.sign * group.spread(task.column).mean))
    best = ordered[0]
    found = {group.method: _below(best, group, task) for group in ordered[:SHOWN]}
    ends = [end for one in found.values() for end in (one.middle, one.interval.low, one.interval.high)]
    low, high = min(0.0, *filter(math.isfinite, ends)), max(filter(math.isfinite, ends))
    if high <= 0.0:
        return Note(f"{title}: the same {task.column.name} on each draw: {', '.join(found)}.")
    margin, axis = task.metric.margin, Axis(f"below {best.method}, {task.column.name}", low, high)
    open_ = ", ".join(f"{method} ({one.deciding:,})" for method, one in found.items() if one.deciding)
    caption = (
        f"Differences to the best mean, that of {best.method}, on the same {best.planned} draws; lines are their 95 % "
        f"intervals.  {len(groups)} methods have this target."
        + (f"  Not told apart from the best yet, and the draws that would decide: {open_}." if open_ else "")
    )
    length, said = (margin / (high - low), "margin that matters") if 0.0 < margin <= high - low else (0.0, "")
    rows = tuple(dot(method, one.middle, one.interval, axis, ".3g") for method, one in found.items())
    return Dots(title, caption, axis, rows, length=length, ruler=said)


def _below(best: Group, group: Group, task: Task) -> Difference:
    values = [one.value_of(task.column) for one in (best, group)]
    ours, theirs = (np.array([task.sign * one.get(seed, math.nan) for seed in best.seeds]) for one in values)
    return compare(ours, theirs, task.metric.margin, tie(task.metric, np.concatenate([ours, theirs])))
