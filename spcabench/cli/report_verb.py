"""The verb report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.cli.execute import execute, published_page, published_suites
from spcabench.cli.shared import PUBLISHED, complete_suite, files_of, registry_of, runs_argument
from spcabench.cli.terminal import say, show, warn
from spcabench.report.find_run import existing_run, gathered

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.store.about import About
    from spcabench.store.folder import RunFolder
    from spcabench.suite.load import Loaded


@click.command(
    "report",
    epilog="Examples: spcabench report reports/mnist_outlier; "
    "spcabench report reports/mnist_outlier --suite suites/mnist_outlier.yaml; "
    "spcabench report published cop_pitprops spcart_pitprops > page.md",
)
@runs_argument
@click.option(
    "--suite",
    metavar="FILE",
    shell_complete=complete_suite,
    help="Report what this suite asks for, such as other columns or figures, at the run's scale.  "
    "[default: the suite as it was run]",
)
@click.option("--rescore", is_flag=True, help="Compute the metrics anew from the loadings first; nothing is fitted.")
@click.pass_context
def command(ctx: click.Context, runs: tuple[str, ...], suite: str | None, rescore: bool) -> None:
    """Make the report of each RUN (a run's folder, or its suite's name) again, from its records alone.

    "published" in place of the first RUN prints one Markdown page of the published numbers beside ours: of the RUNs
    after it, which must be at one scale, or of all suites that have such numbers.
    """
    from spcabench.run.options import Options

    if runs[0] == PUBLISHED and (suite is not None or rescore):
        raise click.UsageError(f"{PUBLISHED} takes neither --suite nor --rescore")
    if rescore and suite is not None:
        raise click.UsageError("--rescore and --suite exclude each other")
    registry = registry_of(ctx)
    if runs[0] == PUBLISHED:
        chosen = runs[1:] or [loaded.run_name for loaded in published_suites(registry)]
        show(published_page([gathered(*existing_run(run, registry), registry) for run in chosen]), nl=False)
        return
    well = True
    for run in runs:
        loaded, folder = existing_run(run, registry)
        if rescore:
            well &= execute(loaded, folder, registry, Options(rescore=True, plugins=files_of(ctx)))
        else:
            _report(loaded, folder, registry, suite)
    if not well:
        ctx.exit(1)


def _report(loaded: Loaded, folder: RunFolder, registry: Registry, suite: str | None) -> None:
    """Make the report of a run, perhaps as another suite asks."""
    from spcabench.report.build import build

    if suite is None:
        results = gathered(loaded, folder, registry)
        doubts = _edited(folder)
    else:
        results = gathered(_at_scale(suite, folder.about(), registry), folder, registry)
        doubts = list(_lacking(results, suite, folder))
        results = replace(results, form=", ".join(filter(None, (results.form, f"reported as {suite} asks"))))
    for doubt in doubts:
        warn(doubt)
    page = build(results, say)
    show(f"report: {page}, {page.with_suffix('.html').name}")


def _at_scale(file: str, about: About, registry: Registry) -> Loaded:
    """Read a suite at the scale and with the settings of a run."""
    from spcabench.suite.load import load_suite
    from spcabench.suite.models import DEFAULT

    return load_suite(file, registry, about.settings, about.scale or DEFAULT)


def _edited(folder: RunFolder) -> list[str]:
    """Report that the suite's file is no longer what was run."""
    from spcabench.store.files import text_of
    from spcabench.suite.hashed import hashed

    about = folder.about()
    text = text_of(Path(about.suite))
    if not text or about.suite_text in ("", hashed(text)):
        return []
    said = f"{about.suite} has changed since it was run; this is the report of the suite as run"
    return [f"{said}, without --suite {about.suite}"]


def _lacking(results: Results, file: str, folder: RunFolder) -> Iterator[str]:
    """Yield what another suite asks for and the run does not have.

    Raises
    ------
    InputError
        If the suite shares no cell with the run.
    """
    from spcabench.suite.models import DEFAULT
    from spcabench.wording import Fault, InputError

    about = folder.about()
    pending = sum(not key for key in results.frame["key"])
    if pending == len(results.frame):
        raise InputError(Fault(f"none of its cells is in the run {folder.path}", file))
    scale = [] if about.scale in ("", DEFAULT) else ["--scale", about.scale]
    settings = [word for setting in about.settings for word in ("--set", setting)]
    again = shlex.join(["spcabench", "run", file, *scale, *settings, "-o", str(folder.path)])
    known = {metric.name for metric in results.used} | set(results.frame.columns[results.frame.notna().any()])
    names = [name for name in results.metrics if name not in known]
    if pending:
        yield f"{pending} of {len(results.frame)} cells of {file} were not run; {again} does what is missing"
    if names:
        yield f"no values of {', '.join(names)} in this run; {again} does what is missing"
