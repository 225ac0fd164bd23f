"""The pages of a method and of a data set, with their rows of the reports; and the runs with their reports."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from spcabench.analysis.inference import Flags
from spcabench.report.build import draw_facts, outcome
from spcabench.report.document import DATASET, METHOD, Columns, Entry, Facts, Field, Note, Table, tabled
from spcabench.report.model import Results
from spcabench.report.questions import is_of
from spcabench.report.render.text import listed
from spcabench.report.standings import Judged, value_words
from spcabench.site.pages import QUESTION, Page, about, file_name, right, section
from spcabench.specs import DatasetSpec, MethodSpec

BY = Field("by", "by", rank=1)

MOST_NAMED = 8
"""Methods that a cell names; the others are counted."""


def method_page(
    label: str, path: str, board: Sequence[Judged], runs: Sequence[Results], reported: Mapping[str, list[Table]]
) -> Page:
    """Return the page of a method.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    board : sequence of (Question, Verdicts)
        The questions.
    runs : sequence of Results
        The runs.
    reported : mapping of str to list of Table
        The tables of the reports.
    """
    cells = [run.frame[run.frame["method"] == label] for run in runs]
    known = (
        run.by_name.get(name) for run, own in zip(runs, cells, strict=True) for name in own["method_name"].unique()
    )
    spec = next(filter(None, known), None)
    stops = {str(stop) for own in cells for stop in own["stop"] if stop}
    sections = (
        section("What it is", _of_method(spec, sorted(stops))),
        section("Where it stands", _places(label, board)),
        section("Source by source", _sources(label, board)),
        section("Results", *about(reported["main"], METHOD, label)),
        section("Seconds, search and stop", *about(reported["timing"], METHOD, label)),
        section("Cells that did not finish, or not converge", *about(reported["unfinished"], METHOD, label)),
    )
    return Page(path, "method", label, spec.title if spec else "", sections)


def _of_method(spec: MethodSpec | None, stops: Sequence[str]) -> Facts | Note:
    if spec is None:
        return Note("No plugin that is loaded here has this method.")
    kinds = {"cardinality": "the number of nonzeros", "penalty": "a penalty, which the host searches"}
    knob = f"{spec.knob.parameter}: {kinds.get(spec.knob.kind)}"
    facts = {
        "method": spec.name,
        "family": spec.family,
        "sparsity": knob if spec.knob.kind in kinds else "dense: it has no target",
        "what is sparse": spec.sparse,
        "needs": ", ".join(sorted(spec.requires)),
        "stop": "; ".join(stops),
        "program": spec.estimator,
        "source": spec.reference,
    }
    return Facts("", "", tuple((word, text) for word, text in facts.items() if text))


def _places(label: str, board: Sequence[Judged]) -> Table | None:
    """Return the table of where it stands in each question."""
    mine = [(one, at) for one in board if (at := one.place(label)) is not None]

    def those(one: tuple[Judged, int], flags: Flags) -> Entry:
        named = [label for label, on in zip(one[0].verdicts.contest.methods, flags, strict=True) if on]
        return Entry(len(named), text=f"{len(named)}: {listed(named, MOST_NAMED)}" if named else "0")

    columns: Columns[tuple[Judged, int]] = (
        (QUESTION, lambda one: one[0].question.name),
        (right("tier", "tier"), lambda one: one[0].verdicts.tiers[one[1]]),
        (right("rank", "mean rank"), lambda one: one[0].rank(one[1])),
        (right("of", "of", rank=1), lambda one: len(one[0].verdicts.contest.methods)),
        (BY, lambda one: value_words(one[0].question)),
        (right("value", "value"), lambda one: one[0].reached(one[1])),
        (right("failed", "failed", rank=1), lambda one: one[0].failed(label)),
        (Field("better", "surely better than"), lambda one: those(one, one[0].verdicts.better[one[1]])),
        (Field("worse", "surely worse than"), lambda one: those(one, one[0].verdicts.better[:, one[1]])),
    )
    return tabled("", "Surely: in the one family of tests of this site, at 5 %.", columns, mine)


def _sources(label: str, board: Sequence[Judged]) -> Table | None:
    """Return the table of its rank and value on each source of each question."""
    mine = [
        (one, source, at)
        for one in board
        if (at := one.place(label)) is not None
        for source, value in enumerate(one.verdicts.contest.values[:, at])
        if not math.isnan(value)
    ]
    columns: Columns[tuple[Judged, int, int]] = (
        (QUESTION, lambda one: one[0].question.name),
        (Field("source", "source"), lambda one: one[0].verdicts.contest.sources[one[1]]),
        (right("rank", "rank"), lambda one: float(one[0].verdicts.contest.ranks[one[1:]])),
        (right("of", "of", rank=1), lambda one: int(np.isfinite(one[0].verdicts.contest.values[one[1]]).sum())),
        (BY, lambda one: value_words(one[0].question)),
        (right("value", "value"), lambda one: one[0].value(float(one[0].verdicts.contest.values[one[1:]]))),
    )
    caption = "The mean over the data sets, targets and seeds of a source; two methods within the margin tie."
    return tabled("", caption, columns, mine)


def dataset_page(
    label: str,
    path: str,
    runs: Sequence[Results],
    reported: Mapping[str, list[Table]],
    specs: Mapping[str, DatasetSpec],
) -> Page:
    """Return the page of a data set.

    Parameters
    ----------
    label, path : str
        Its label, and the place of its page.
    runs : sequence of Results
        The runs.
    reported : mapping of str to list of Table
        The tables of their reports.
    specs : mapping of str to DatasetSpec
        The data sets that plugins provide.
    """
    having = [run for run in runs if label in run.datasets]
    spec = next((spec for run in having for spec in _specs(label, run, specs)), None)
    sections = (
        section("What it is", *_of_dataset(label, spec, having)),
        section("The best at each target", *about(reported["winners"], DATASET, label)),
        section("Results", *about(reported["main"], DATASET, label)),
        section("Cells that did not finish, or not converge", *about(reported["unfinished"], DATASET, label)),
    )
    return Page(path, "data set", label, spec.title if spec else "", sections)


def _specs(label: str, run: Results, specs: Mapping[str, DatasetSpec]) -> Iterator[DatasetSpec]:
    """Yield the specification of a data set of a run, if it is known here."""
    named = set(run.frame.loc[run.frame["dataset"] == label, "suite_dataset"])
    for entry in run.suite.datasets:
        if entry.name in specs and any(is_of(str(one), entry.label or entry.name) for one in named):
            yield specs[entry.name]


def _of_dataset(label: str, spec: DatasetSpec | None, runs: Sequence[Results]) -> Iterator[Facts]:
    """Yield where a data set is from, and what each run drew."""
    if spec is not None:
        facts = {"data set": spec.name, "source": spec.source, "licence": spec.licence}
        yield Facts("", "", tuple((word, text) for word, text in facts.items() if text))
    for run in runs:
        if known := dict(run.draws())[label]:
            yield Facts(f"As drawn in the run {run.folder.path.name}", "", tuple(draw_facts(known)))


REPORT, COPIED = "report.html", ("report.html", "report.md", "tables/*", "figures/*")
"""The page of a run's folder, and what of the folder is copied."""


def runs_table(runs: Sequence[Results]) -> Table | None:
    """Return what runs there are."""
    columns: Columns[Results] = (
        (Field("run", "run"), lambda run: run.folder.path.name),
        (Field("suite", "suite"), lambda run: run.suite.name),
        (Field("form", "form"), lambda run: run.about.form or None),
        (Field("cells", "cells"), outcome),
        (Field("fitted", "fitted on"), days_of),
        (Field("cpu", "CPU"), lambda run: run.about.facts.get("CPU")),
    )
    caption = "What the numbers are made from: a run leads to its report, if it has one."
    return tabled("", caption, columns, runs)


def days_of(run: Results) -> str | None:
    """Return the days on which a run was fitted."""
    return " to ".join(dict.fromkeys((run.dates[0], run.dates[-1]))) if run.dates else None


def run_files(run: Results) -> dict[str, bytes]:
    """Return the report of a run and what it needs, by their places in the site."""
    there = run.folder.path
    found = [file for pattern in COPIED for file in sorted(there.glob(pattern))]
    copied = [file for file in found if file.is_file() and not file.is_symlink()]
    return {f"{run_folder(run)}/{file.relative_to(there).as_posix()}": file.read_bytes() for file in copied}


def run_folder(run: Results) -> str:
    """Return the folder of a run in the site."""
    return f"runs/{file_name(run.folder.path.name)}"
