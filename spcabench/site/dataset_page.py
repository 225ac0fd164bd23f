"""The page of a data set: what it is, how methods rank on it, and its rows of the tables of the reports."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from spcabench.report.contents import draw_facts
from spcabench.report.document import DATASET, METHOD, Columns, Facts, Field, Note, Table, tabled
from spcabench.report.eligibility import WAITING, by_reason
from spcabench.report.model import Results
from spcabench.report.tasks import Task
from spcabench.site.method_page import value_of
from spcabench.site.pages import Page, about, right, section
from spcabench.specs import DatasetSpec


def page(
    label: str,
    path: str,
    tasks: Sequence[Task],
    runs: Sequence[Results],
    reported: Mapping[str, list[Table]],
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
    reported : mapping of str to list of Table
        The tables of their reports.
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    """
    having = [run for run in runs if label in run.datasets]
    spec = next((spec for run in having for spec in _specs(label, run, specs)), None)
    here = [task for task in tasks if task.dataset == label]
    sections = (
        section("What it is", *_about(label, spec, having)),
        section("Tracks", _unfinished(here, having), *map(_ranking, here)),
        section("The best at each target", *about(reported["winners"], DATASET, label)),
        section("Bounds and best known values", *about(reported["best_known"], DATASET, label)),
        section("Several components", *about(reported["several"], DATASET, label)),
        section("Results", *about(reported["main"], DATASET, label)),
    )
    return Page(path, "data set", label, spec.title if spec else "", sections)


def _specs(label: str, run: Results, specs: Mapping[str, DatasetSpec]) -> Iterator[DatasetSpec]:
    """Yield the specification of a data set of a run, if it is known here."""
    named = set(run.frame.loc[run.frame["dataset"] == label, "suite_dataset"])
    for entry in run.suite.datasets:
        of_suite = entry.label or entry.name
        if entry.name in specs and any(one == of_suite or str(one).startswith(f"{of_suite}(") for one in named):
            yield specs[entry.name]


def _about(label: str, spec: DatasetSpec | None, runs: Sequence[Results]) -> Iterator[Facts]:
    if spec is not None:
        facts = {"data set": spec.name, "source": spec.source, "licence": spec.licence}
        yield Facts("", "", tuple((word, text) for word, text in facts.items() if text))
    for run in runs:
        if known := dict(run.draws())[label]:
            yield Facts(f"As drawn in the run {run.folder.path.name}", "", tuple(draw_facts(known)))


def _unfinished(tasks: Sequence[Task], runs: Sequence[Results]) -> Note | None:
    """Say how many cells may yet be filled, if any."""
    if not any(task.open for task in tasks):
        return None
    status = pd.concat([run.frame.loc[run.frame["dataset"] == tasks[0].dataset, "status"] for run in runs])
    left = int(status.isin(WAITING).sum())
    return Note(f"{left} of {len(status)} cells are not finished: the data set does not count on the front page yet.")


def _ranking(task: Task) -> Table | None:
    lost = task.numbers.isna().sum()
    order = sorted(task.labels, key=lambda label: (task.ranks.get(label, 0.0), -task.values.fillna(-math.inf)[label]))
    outside = f"  Cannot enter: {by_reason(task.outside)}." if task.outside else ""
    caption = (
        f"Track {task.track}: {task.column.name}, the mean over targets of the means over seeds; where a seed failed "
        f"or missed its target, the median, in which it is the worst.  Methods without a rank are dense.{outside}"
    )
    columns: Columns[str] = (
        (METHOD, str),
        (right("rank", "rank"), task.ranks.get),
        (right("value", task.column.heading), lambda label: value_of(task, label)),
        (
            Field("outcome", "outcome"),
            lambda label: f"failed at {lost[label]} of {len(task.targets)}" if lost[label] else None,
        ),
    )
    return tabled("", caption, columns, order)
