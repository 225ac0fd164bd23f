"""The verb run."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from spcabench.api.find_run import folder_of
from spcabench.cli.execute import execute
from spcabench.cli.options import choice_options, output_option, scale_option, setting_option, suite_argument
from spcabench.cli.registry import registry_of
from spcabench.cli.warn import say, warn
from spcabench.store.status import FAILED, retried


def _statuses(ctx: click.Context, param: click.Parameter, value: str) -> frozenset[str]:
    try:
        return retried(filter(None, value.split(",")))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command(
    "run",
    epilog="Examples: spcabench run mnist_outlier --quick; spcabench run my_suite.yaml --jobs 2 --set n_components=10; "
    "spcabench run leaderboard --only 'method=cop,dataset=hastie*'. "
    "Exit codes: 0 all well, 1 some cells failed, 2 bad input, 130 interrupted.",
)
@suite_argument
@scale_option
@output_option
@setting_option
@click.option("--jobs", "-j", default=1, show_default=True, type=click.IntRange(1, 1024), help="Cells fitted at once.")
@click.option(
    "--retry",
    default="",
    callback=_statuses,
    metavar="STATUS,...",
    help=f"Fit cells with these statuses again; failed stands for {', '.join(FAILED)}.",
)
@choice_options
@click.option("--no-isolation", is_flag=True, help="Fit in this process: no limits, and a crash ends the run.")
@click.option(
    "--cluster",
    default="",
    metavar="WHERE",
    help="Fit on a Dask cluster: tcp://HOST:PORT of its scheduler, or FILE.py:NAME, an object that a file defines.",
)
@click.option("--fresh", is_flag=True, help="Remove the records of this run first.")
@click.option(
    "--no-stand-in",
    is_flag=True,
    help="Stop with an error if a data set is not available, instead of using its stand-in.",
)
@click.pass_context
def command(
    ctx: click.Context,
    suite: str,
    scale: str,
    output: Path | None,
    settings: tuple[str, ...],
    jobs: int,
    retry: frozenset[str],
    only: tuple[str, ...],
    skip: tuple[str, ...],
    no_isolation: bool,
    cluster: str,
    fresh: bool,
    no_stand_in: bool,
) -> None:
    """Run SUITE, a name or a file; run it again to resume.

    Fits the methods to the data sets, each fit in a process of its own, and leaves records, tables, figures
    and report.md in the run's folder.
    """
    from spcabench.cli.announce import announced
    from spcabench.plugins import plugin_files
    from spcabench.run.options import Options
    from spcabench.suite.cautions import cautions
    from spcabench.suite.load import load_suite

    if cluster and no_isolation:
        raise click.UsageError("--cluster and --no-isolation exclude each other")
    registry = registry_of(ctx)
    loaded = load_suite(suite, registry, settings, scale)
    for text in cautions(loaded, registry):
        warn(text)
    options = Options(
        jobs=jobs,
        isolation=not no_isolation,
        retry=retry,
        stand_ins=not no_stand_in,
        plugins=plugin_files(ctx.find_root().obj or ()),
        only=only,
        skip=skip,
        fresh=fresh,
        cluster=cluster,
        command=shlex.join(["spcabench", *sys.argv[1:]]),
        scale=loaded.scale,
        settings=settings,
        suite=str(loaded.file),
    )
    folder = folder_of(loaded, output)
    say(announced(loaded, folder.path, options))
    execute(ctx, loaded, folder, registry, options)
