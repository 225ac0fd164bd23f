"""The page of a run: its suite and machine, its report, its records; and the table of runs."""

from __future__ import annotations

from collections.abc import Sequence

from spcabench.report.contents import outcome
from spcabench.report.document import Code, Columns, Facts, Field, Links, Note, Table, tabled
from spcabench.report.export import EXPORTS
from spcabench.report.model import Results
from spcabench.site.pages import Page, section

REPORT, COPIED = "report.html", ("report.html", "report.md", "tables/*", "figures/*")
"""The page of a run's folder, and what of the folder is copied."""

RECORDS = "records.csv"


def runs_table(runs: Sequence[Results]) -> Table | None:
    """Return what runs there are."""
    columns: Columns[Results] = (
        (Field("run", "run"), lambda run: run.folder.path.name),
        (Field("suite", "suite"), lambda run: run.suite.name),
        (Field("form", "form"), lambda run: run.form or None),
        (Field("cells", "cells"), outcome),
        (Field("fitted", "fitted on"), days_of),
        (Field("cpu", "CPU"), lambda run: run.about.get("CPU")),
    )
    caption = "What the numbers are made from: the page of a run has its machine, versions, report and records."
    return tabled("", caption, columns, runs)


def days_of(run: Results) -> str | None:
    """Return the days on which a run was fitted."""
    return " to ".join(dict.fromkeys((run.dates[0], run.dates[-1]))) if run.dates else None


def page(results: Results, path: str) -> Page:
    """Return the page of a run, whose files are in the folder of the page."""
    folder, name = path.rpartition("/")[0], results.folder.path.name
    reported = (results.folder.path / REPORT).is_file()
    links = [(f"Report of {name}", f"{folder}/{REPORT}")] if reported else []
    links.append(("Records as CSV", f"{folder}/{RECORDS}"))
    missing = None if reported else Note("It has no report; spcabench report makes one.")
    text = results.folder.suite_text()
    about = {
        "suite": results.suite.name,
        "form": results.form,
        "cells": outcome(results),
        "fitted on": days_of(results) or "nothing is fitted yet",
        **{str(word): str(what) for word, what in results.about.items()},
    }
    sections = (
        section("Report and records", missing, Links(tuple(links))),
        section("What was run, and where", Facts("", "", tuple(about.items())), Code(results.command)),
        section("The suite", Code(text, results.folder.suite_file.name) if text else None),
    )
    return Page(path, "run", name, results.suite.title, sections)


def files(run: Results, path: str) -> dict[str, bytes]:
    """Return the records of a run, and what its report needs, by their place beside the run's page."""
    folder, there = path.rpartition("/")[0], run.folder.path
    found = [file for pattern in COPIED for file in sorted(there.glob(pattern))]
    copied = [file for file in found if file.is_file() and not file.is_symlink()]
    return {f"{folder}/{RECORDS}": EXPORTS["csv"](run)} | {
        f"{folder}/{file.relative_to(there).as_posix()}": file.read_bytes() for file in copied
    }
