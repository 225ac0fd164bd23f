"""The page of a data set: what it is, bounds and best known values, results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from spcabench.report import best_known
from spcabench.report.contents import draw_facts
from spcabench.report.document import METHOD, Columns, Entry, Facts, Field, Note, Row, Table, tabled
from spcabench.report.eligibility import WAITING, by_reason
from spcabench.report.model import Results
from spcabench.report.tables import main
from spcabench.site import differences
from spcabench.site.method_page import value_of
from spcabench.site.pages import Page, Part, Section
from spcabench.site.ranks import ranked
from spcabench.site.report_rows import of_dataset
from spcabench.site.tasks import Task
from spcabench.specs import DatasetSpec


@dataclass(frozen=True)
class Reported:
    """Tables of the reports, each of which has rows of several data sets; None where there is none."""

    main: tuple[Table | None, ...]
    best_known: tuple[Table | None, ...]
    several: tuple[Table | None, ...]

    @classmethod
    def of(cls, runs: Sequence[Results]) -> Reported:
        """Make the tables of some runs."""
        makers = main, best_known.table, best_known.several_table
        return cls(*(tuple(make(results) for results in runs) for make in makers))


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
        Section("What it is", tuple(_about(label, spec, having))),
        Section("Tracks", (*_unfinished(here, having), *filter(None, map(_ranking, here)))),
        Section("Differences to the best", tuple(_differences(here, having))),
        Section("Bounds and best known values", tuple(_here(reported.best_known, label))),
        Section("Several components", tuple(_here(reported.several, label))),
        Section("Results", tuple(_here(reported.main, label))),
    )
    lead = spec.title if spec else ""
    return Page(path, "data set", label, lead, tuple(section for section in sections if section.parts))


def _here(tables: Sequence[Table | None], label: str) -> Iterator[Table]:
    return (some for table in tables for some in of_dataset(table, label))


def _differences(tasks: Sequence[Task], runs: Sequence[Results]) -> Iterator[Part]:
    by_name = {run.folder.path.name: run for run in runs}
    for task in tasks:
        if drawn := tuple(differences.figures(task, by_name[task.run])):
            yield Note(f"Track {task.track}, by {task.column.name}:")
            yield from drawn


def _unfinished(tasks: Sequence[Task], runs: Sequence[Results]) -> Iterator[Note]:
    """Say how many cells may yet be filled, if any."""
    if any(task.open for task in tasks):
        status = pd.concat([run.frame.loc[run.frame["dataset"] == tasks[0].dataset, "status"] for run in runs])
        left = int(status.isin(WAITING).sum())
        yield Note(
            f"{left} of {len(status)} cells are not finished: the data set does not count on the front page yet."
        )


def _specs(label: str, results: Results, specs: Mapping[str, DatasetSpec]) -> Iterator[DatasetSpec]:
    """Yield the specification of a data set of a run, if it is known here."""
    named = set(results.frame.loc[results.frame["dataset"] == label, "suite_dataset"])
    for entry in results.suite.datasets:
        of_suite = entry.label or entry.name
        if entry.name in specs and any(one == of_suite or str(one).startswith(f"{of_suite}(") for one in named):
            yield specs[entry.name]


def _about(label: str, spec: DatasetSpec | None, runs: Sequence[Results]) -> Iterator[Part]:
    if spec is not None:
        facts = {"data set": spec.name, "source": spec.source, "licence": spec.licence}
        yield Facts("", "", tuple((word, text) for word, text in facts.items() if text))
    for results in runs:
        known = dict(results.draws())[label]
        if known:
            yield Facts(f"As drawn in the run {results.folder.path.name}", "", tuple(draw_facts(known)))


def _ranking(task: Task) -> Table | None:
    places = ranked(task)
    labels = sorted(task.labels, key=lambda label: (places.get(label, 0.0), -_known(task.values[label])))
    columns: Columns[str] = (
        (METHOD, lambda label: Entry(label)),
        (Field("rank", "rank", numeric=True), lambda label: Entry(places.get(label))),
        (
            Field("value", task.column.heading, numeric=True),
            lambda label: value_of(task, label),
        ),
        (Field("outcome", "outcome"), lambda label: Entry(_outcome(task, label))),
    )
    outside = f"  Cannot enter: {by_reason(task.outside)}." if task.outside else ""
    caption = (
        f"Track {task.track}: {task.column.name}, the mean over targets of the means over seeds; where a seed failed "
        f"or missed its target, the median, in which it is the worst.  Methods without a rank are dense.{outside}"
    )
    return tabled("", caption, columns, labels, lambda label, entries: Row(entries, label))


def _known(value: float) -> float:
    return value if math.isfinite(value) else -math.inf


def _outcome(task: Task, label: str) -> str | None:
    """Say at how many of the targets a method failed in half of the draws or more; None if at none."""
    lost = task.lost[label]
    return f"failed at {lost} of {len(task.targets)}" if lost else None
