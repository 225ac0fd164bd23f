"""The page of a run: its suite and machine, its report, its records."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.report.contents import outcome
from spcabench.report.document import Code, Columns, Entry, Facts, Field, Note, Row, Table, tabled
from spcabench.report.model import Results
from spcabench.site.pages import Links, Page, Part, Section

REPORT = ("report.html", "report.md")
"""What of a run's folder is copied, beside its tables and figures."""

RECORDS = "records.csv"


RUNS: Columns[Results] = (
    (Field("run", "run"), lambda run: Entry(run.folder.path.name)),
    (Field("suite", "suite"), lambda run: Entry(run.suite.name)),
    (Field("form", "form"), lambda run: Entry(run.form or None)),
    (Field("cells", "cells"), lambda run: Entry(outcome(run))),
    (Field("fitted", "fitted on"), lambda run: Entry(fitted(run))),
    (Field("cpu", "CPU"), lambda run: Entry(str(run.about.get("CPU", "")) or None)),
)
"""The columns of a table of runs."""


def table(runs: Sequence[Results]) -> Table | None:
    """Return what runs there are."""
    caption = "What the numbers are made from: the page of a run has its machine, versions, report and records."
    return tabled("", caption, RUNS, runs, lambda run, entries: Row(entries))


def fitted(results: Results) -> str:
    """Return the days on which a run was fitted."""
    days = results.dates
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "nothing is fitted yet"


def page(results: Results, path: str) -> Page:
    """Return the page of a run, whose files are in the folder of the page."""
    folder, name = path.rpartition("/")[0], results.folder.path.name
    reported = (results.folder.path / REPORT[0]).is_file()
    links = [(f"Report of {name}", f"{folder}/{REPORT[0]}")] if reported else []
    links.append(("Records as CSV", f"{folder}/{RECORDS}"))
    missing: tuple[Part, ...] = () if reported else (Note("It has no report; spcabench report makes one."),)
    about = {"suite": results.suite.name, "form": results.form, "cells": outcome(results), "fitted on": fitted(results)}
    text = results.folder.suite_text()
    sections = (
        Section("Report and records", (*missing, Links(tuple(links)))),
        Section("What was run", (Facts("", "", tuple(about.items())), Code(results.command))),
        Section(
            "Machine and versions",
            (Facts("", "", tuple((str(word), str(what)) for word, what in results.about.items())),),
        ),
        *((Section("The suite", (Code(text, results.folder.suite_file.name),)),) if text else ()),
    )
    return Page(path, "run", name, results.suite.title, sections)
