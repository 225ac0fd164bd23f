"""Run suites, and gather what their reports are made from."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spcabench.cli.terminal import say, show, warn
from spcabench.report.find_run import gathered

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.run.options import Options
    from spcabench.store.about import About
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded

WIDE = 240
"""Columns of a table that is written to a file or a pipe."""
REPORTS = Path("reports")
"""Where runs go."""
PAGE = "published.md"


def announced(loaded: Loaded, folder: Path, options: Options) -> str:
    """Return a line with what is run, how long it takes where the suite says so, and where the results go."""
    from spcabench.wording import roughly

    cells = options.chosen(loaded.plan).cells
    counts = (
        _count(len(cells), "cell", "cells"),
        f"{_count(len({cell.method.label for cell in cells}), 'method', 'methods')} on "
        f"{_count(len({cell.draw.variant.label for cell in cells}), 'data set', 'data sets')}, "
        f"{_count(len({cell.seed for cell in cells}), 'seed', 'seeds')}",
    )
    duration = "the first fits will show how long it takes"
    if loaded.suite.minutes is not None and not options.about.settings:  # a setting changes how long it takes
        share = len(cells) / len(loaded.plan.cells) / max(1, min(options.jobs, len(cells)))
        duration = f"{roughly(60 * loaded.suite.minutes * share)} if nothing is done yet"
    return f"{loaded.suite.name}: {'; '.join((*counts, duration))}; results go to {folder}"


def about_of(options: Options, loaded: Loaded) -> About:
    """Return what a run of a suite says of itself."""
    return replace(options.about, scale=loaded.scale, suite=str(loaded.file))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _fitted(loaded: Loaded, folder: RunFolder, registry: Registry, options: Options) -> Results:
    """Run or resume a suite."""
    from spcabench.run.host import run
    from spcabench.run.progress import listener

    with listener() as tell:
        run(loaded.suite, loaded.plan, registry, folder, options, tell)
    return gathered(loaded, folder, registry)


def execute(loaded: Loaded, folder: RunFolder, registry: Registry, options: Options) -> bool:
    """Run, make the report, show the main table, and return whether all cells are well."""
    from spcabench.report.build import write
    from spcabench.report.contents import document, metric_failures
    from spcabench.report.render.terminal import main_table
    from spcabench.store.status import FAILED

    results = _fitted(loaded, folder, registry, options)
    report = document(results)
    page = write(report, folder, say)
    show(main_table(report, shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE))
    for text in metric_failures(results):
        warn(text)
    show(f"report: {page}, {page.with_suffix('.html').name}")
    lacking = int(((results.frame["status"] == "unavailable") & (results.frame["worker"] != "")).sum())
    if lacking:
        warn(f"{lacking} cells are unavailable on Dask workers; running again tries them again")
    return not (lacking or results.frame["status"].isin(FAILED).any())


def published_suites(registry: Registry) -> Iterator[Loaded]:
    """Yield the suites with published numbers or claims, at their default scale."""
    from spcabench.suite.load import load_suite
    from spcabench.suite.yaml_source import suite_files

    for name in sorted(suite_files()):
        loaded = load_suite(name, registry)
        if loaded.suite.published or loaded.suite.claims:
            yield loaded


def run_published(folder: Path, registry: Registry, options: Options) -> None:
    """Run or resume the suites with published numbers or claims, and write the page of these numbers beside ours."""
    from spcabench.report.published_tables import overview
    from spcabench.report.render.markdown import markdown_page
    from spcabench.store.folder import RunFolder
    from spcabench.store.status import FAILED

    made = []
    for loaded in published_suites(registry):
        say(loaded.suite.name)
        place = RunFolder(folder / loaded.run_name)
        results = _fitted(loaded, place, registry, replace(options, about=about_of(options, loaded)))
        made.append(results)
        if failed := int(results.frame["status"].isin(FAILED).sum()):
            warn(f"{loaded.suite.name}: {failed} cells failed; see spcabench status {place.path}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PAGE).write_text(markdown_page(overview(made)), encoding="utf-8")
    show(f"page: {folder / PAGE}")
