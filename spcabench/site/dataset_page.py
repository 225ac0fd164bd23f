"""The page of a data set: what it is, how methods rank on it, and its rows of the tables of the reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from spcabench.report.contents import draw_facts
from spcabench.report.document import DATASET, METHOD, Columns, Entry, Facts, Note, Table, tabled
from spcabench.report.eligibility import WAITING, by_reason
from spcabench.report.model import Results
from spcabench.report.questions import COUNTS, DENSE, FAILED, Question
from spcabench.site.pages import Page, about, right, section
from spcabench.specs import DatasetSpec


def page(
    label: str,
    path: str,
    questions: Sequence[Question],
    runs: Sequence[Results],
    reported: Mapping[str, list[Table]],
    specs: Mapping[str, DatasetSpec],
) -> Page:
    """Return the page of a data set.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    questions : sequence of Question
        Those of the site.
    runs : sequence of Results
        The runs.
    reported : mapping of str to list of Table
        The tables of their reports.
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    """
    having = [run for run in runs if label in run.datasets]
    spec = next((spec for run in having for spec in _specs(label, run, specs)), None)
    here = [_ranking(label, one) for one in questions if label in set(one.cells["dataset"])]
    sections = (
        section("What it is", *_about(label, spec, having)),
        section("Questions", _unfinished(label, having), *here),
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


def _unfinished(label: str, runs: Sequence[Results]) -> Note | None:
    """Say how many cells may yet be filled, if any."""
    status = pd.concat([run.frame.loc[run.frame["dataset"] == label, "status"] for run in runs])
    left = int(status.isin(WAITING).sum())
    if not left:
        return None
    return Note(f"{left} of {len(status)} cells are not finished: the data set does not count on the front page yet.")


def _ranking(label: str, question: Question) -> Table | None:
    """Return the table of what methods reached in a question on the data set, the best mean first."""
    cells = question.cells[question.cells["dataset"] == label]
    shown = cells[cells["state"].isin([COUNTS, FAILED, DENSE])].groupby("method", sort=False)
    sign = 1.0 if question.seconds or question.column.better == "lower" else -1.0
    means = (-sign * shown["value"].mean()).sort_values(ascending=sign > 0)
    failed, planned = shown["state"].agg(lambda own: int(own.eq(FAILED).sum())), shown.size()
    words = "seconds, ratio to dense" if question.seconds else question.column.name
    columns: Columns[str] = (
        (METHOD, str),
        (right("value", words), lambda method: float(np.exp(means[method]) if question.seconds else means[method])),
        (right("failed", "failed"), lambda method: Entry(int(failed[method]), planned=int(planned[method]))),
    )
    away = cells[~cells["state"].isin([COUNTS, FAILED, DENSE])].groupby("method", sort=False)["state"].first()
    outside = f"  Cannot enter: {by_reason({str(one): str(why) for one, why in away.items()})}." if len(away) else ""
    caption = f"{str(question.name).capitalize()}: the mean over targets and seeds that were reached.{outside}"
    return tabled("", caption, columns, list(map(str, means.index)))
