"""Run a suite, and gather what its report is made from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from spcabench.cli.show import show
from spcabench.cli.warn import say, warn

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.run.options import Options
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded

WIDE = 240
"""Columns of a table that is written to a file or a pipe."""


def results_of(loaded: Loaded, folder: RunFolder, registry: Registry) -> Results:
    """Gather what a report is made from."""
    from spcabench.api.gathered import gathered

    return gathered(loaded, folder, registry)


def execute(ctx: click.Context, loaded: Loaded, folder: RunFolder, registry: Registry, options: Options) -> None:
    """Run, make the report, show the main table, and set the exit code."""
    from spcabench.report.build import write
    from spcabench.report.document import document, metric_failures
    from spcabench.report.render.terminal import MainTable
    from spcabench.run.host import run
    from spcabench.run.progress import listener
    from spcabench.store.status import FAILED

    with listener() as tell:
        run(loaded.suite, loaded.plan, registry, folder, options, tell)
    results = results_of(loaded, folder, registry)
    report = document(results)
    page = write(report, folder, say)
    _show(MainTable(report))
    for text in metric_failures(results):
        warn(text)
    show(f"report: {page}, {page.with_suffix('.html').name}")
    lacking = int(((results.frame["status"] == "unavailable") & (results.frame["worker"] != "")).sum())
    if lacking:
        warn(f"{lacking} cells are unavailable on Dask workers; running again tries them again")
    if lacking or results.frame["status"].isin(FAILED).any():
        ctx.exit(1)


def _show(table: object) -> None:
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else WIDE).print(table)
