"""The page of a run: its suite and machine, its report, its records; and the table of runs."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.report.contents import outcome
from spcabench.report.document import Code, Facts, Field, Links, Note, Table
from spcabench.report.model import Results
from spcabench.site.pages import Page, section, table

REPORT = ("report.html", "report.md")
"""What of a run's folder is copied, beside its tables and figures."""

RECORDS = "records.csv"


def runs_table(runs: Sequence[Results]) -> tuple[Table, ...]:
    """Return what runs there are."""
    names = {"run": "run", "suite": "suite", "form": "form", "cells": "cells", "fitted": "fitted on", "cpu": "CPU"}
    rows = [
        (run.folder.path.name, run.suite.name, run.form or None, outcome(run), fitted(run), run.about.get("CPU"))
        for run in runs
    ]
    caption = "What the numbers are made from: the page of a run has its machine, versions, report and records."
    return table(caption, [Field(name, heading) for name, heading in names.items()], rows)


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
    missing = () if reported else (Note("It has no report; spcabench report makes one."),)
    about = {"suite": results.suite.name, "form": results.form, "cells": outcome(results), "fitted on": fitted(results)}
    machine = tuple((str(word), str(what)) for word, what in results.about.items())
    text = results.folder.suite_text()
    sections = (
        section("Report and records", *missing, Links(tuple(links))),
        section("What was run", Facts("", "", tuple(about.items())), Code(results.command)),
        section("Machine and versions", Facts("", "", machine)),
        section("The suite", *((Code(text, results.folder.suite_file.name),) if text else ())),
    )
    return Page(path, "run", name, results.suite.title, sections)
