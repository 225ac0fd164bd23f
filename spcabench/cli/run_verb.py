"""The verb run."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from spcabench.cli.execute import REPORTS, about_of, announced, execute, run_published
from spcabench.cli.shared import (
    PUBLISHED,
    choice_options,
    complete_suite,
    files_of,
    jobs_option,
    output_option,
    registry_of,
    scale_option,
    setting_option,
)
from spcabench.cli.terminal import say, warn
from spcabench.store.status import FAILED, retried


@click.command(
    "run",
    epilog="Examples: spcabench run mnist_outlier --quick; spcabench run my_suite.yaml --jobs 2 --set n_components=10; "
    "spcabench run leaderboard --only 'method=cop,dataset=hastie*'; spcabench run published. "
    "Exit codes: 0 all well, 1 some cells failed, 2 bad input, 130 interrupted.",
)
@click.argument("suite", shell_complete=complete_suite)
@scale_option
@output_option("FOLDER", "The run's folder.  [default: reports/SUITE, or reports/SUITE-SCALE for a scale]")
@setting_option
@jobs_option
@click.option(
    "--retry",
    default="",
    callback=lambda ctx, param, value: retried(value),
    metavar="STATUS,...",
    help=f"Fit cells with these statuses again; failed stands for {', '.join(FAILED)}.",
)
@choice_options
@click.option("--no-isolation", is_flag=True, help="Fit in this process: no limits, and a crash ends the run.")
@click.option(
    "--cluster",
    default="",
    metavar="WHERE",
    help="Fit on a Dask cluster: tcp://HOST:PORT of its scheduler, or FILE.py, which defines one as cluster.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    suite: str,
    scale: str,
    output: Path | None,
    settings: tuple[str, ...],
    no_isolation: bool,
    **chosen: Any,
) -> None:
    """Run SUITE, a name or a file; run it again to resume.

    Fits the methods to the data sets, each fit in a process of its own, and leaves records, tables, figures
    and report.md in the run's folder.  The SUITE "published" stands for each suite with published numbers or claims:
    their runs go to subfolders of FOLDER, and the page published.md there sets these numbers beside ours.
    """
    from spcabench.report.find_run import folder_of
    from spcabench.run.options import Options
    from spcabench.store.about import About
    from spcabench.suite.load import cautions, load_suite

    if chosen["cluster"] and no_isolation:
        raise click.UsageError("--cluster and --no-isolation exclude each other")
    registry = registry_of(ctx)
    options = Options(
        isolation=not no_isolation,
        plugins=files_of(ctx),
        about=About(command=shlex.join(["spcabench", *sys.argv[1:]]), settings=settings),
        **chosen,
    )
    if suite == PUBLISHED:
        if scale != "default" or settings or chosen["only"] or chosen["skip"]:
            raise click.UsageError(f"{PUBLISHED} are whole suites at their default scale; run one of them by its name")
        run_published(output or REPORTS, registry, options)
        return
    loaded = load_suite(suite, registry, settings, scale)
    for text in cautions(loaded):
        warn(text)
    options = replace(options, about=about_of(options, loaded))
    folder = folder_of(loaded, output)
    say(announced(loaded, folder.path, options))
    if not execute(loaded, folder, registry, options):
        ctx.exit(1)
