"""The verb published."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_suite
from spcabench.cli.execute import results_of
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.warn import say, warn

if TYPE_CHECKING:
    from spcabench.plugins import Registry
    from spcabench.report.model import Results
    from spcabench.suite.load import Loaded

PAGE = "published.md"


@click.command(
    "published",
    epilog="Examples: spcabench published; spcabench published cop_pitprops spcart_pitprops > page.md",
)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_suite)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Without RUN: the folder of the runs and of the page.  [default: reports]",
)
@click.option("--jobs", "-j", default=1, show_default=True, type=click.IntRange(1, 1024), help="Cells fitted at once.")
@click.pass_context
def command(ctx: click.Context, runs: tuple[str, ...], output: Path | None, jobs: int) -> None:
    """Set published numbers beside ours on one Markdown page.

    Without RUN, it runs or resumes each suite that has published numbers, at its default scale, and writes
    published.md.  With RUN, a folder or the name of a suite, it prints the page of these runs, which must be at one
    scale.
    """
    from spcabench.report.published_tables import overview
    from spcabench.report.render.markdown import page

    if runs and output is not None:
        raise click.UsageError("--output is for the runs that are made without RUN; the page of RUN is printed")
    registry = registry_of(ctx)
    if runs:
        found = [results_of(*existing_run(run, registry), registry) for run in runs]
        show(page(overview(found)), nl=False)
        return
    folder = Path("reports") if output is None else output
    made = [_run(ctx, loaded, folder, jobs, registry) for loaded in _with_numbers(registry)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PAGE).write_text(page(overview(made)), encoding="utf-8")
    show(f"page: {folder / PAGE}")


def _with_numbers(registry: Registry) -> list[Loaded]:
    """Return the suites with published numbers, at their default scale."""
    from spcabench.suite.load import load_suite, suite_files

    suites = (load_suite(name, registry) for name in sorted(suite_files()))
    return [loaded for loaded in suites if loaded.suite.published]


def _run(ctx: click.Context, loaded: Loaded, folder: Path, jobs: int, registry: Registry) -> Results:
    """Run or resume a suite, without its report."""
    from spcabench.plugins import plugin_files
    from spcabench.run.host import run
    from spcabench.run.options import Options
    from spcabench.run.progress import listener
    from spcabench.store.folder import RunFolder
    from spcabench.store.status import FAILED

    say(loaded.suite.name)
    place = RunFolder(folder / loaded.run_name)
    options = Options(
        jobs=jobs,
        plugins=plugin_files(ctx.find_root().obj or ()),
        command=shlex.join(["spcabench", *sys.argv[1:]]),
        scale=loaded.scale,
        suite=str(loaded.file),
    )
    with listener() as tell:
        run(loaded.suite, loaded.plan, registry, place, options, tell)
    results = results_of(loaded, place, registry)
    if failed := int(results.frame["status"].isin(FAILED).sum()):
        warn(f"{loaded.suite.name}: {failed} cells failed; see spcabench status {place.path}")
    return results
