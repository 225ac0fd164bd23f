"""The verb site."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.cli.shared import output_option, registry_of, runs_argument
from spcabench.cli.terminal import show, write_file
from spcabench.report.find_run import existing_run, gathered

_FILE: click.Path[Path] = click.Path(path_type=Path, dir_okay=False)


@click.command("site", epilog="Example: spcabench site reports/leaderboard --output site")
@runs_argument
@output_option("FOLDER", "Where to write the site; other files there stay.", required=True, file_okay=False)
@click.option(
    "--simple", metavar="METHOD", default="", help="The method with 0 points.  [default: the first with a target]"
)
@click.option(
    "--dense",
    metavar="METHOD",
    default="",
    help="The method that times, and shares of variance, are relative to.  [default: the first without a target]",
)
@click.option(
    "--table",
    type=_FILE,
    metavar="FILE.csv",
    help="Also write the small table to keep: a row for each method, with date, commit, machine and versions.",
)
@click.pass_context
def command(
    ctx: click.Context, runs: tuple[str, ...], output: Path, simple: str, dense: str, table: Path | None
) -> None:
    """Make a static leaderboard of each RUN (a run's folder, or its suite's name), from its records alone.

    The suites must have tracks.  The site has a page for each method, data set and run, and needs no network.  Its
    leaderboard.csv is the small table.
    """
    from spcabench.site.build import site, write
    from spcabench.site.small_table import FILE, source
    from spcabench.wording import Fault, InputError, Unwritable

    registry = registry_of(ctx)
    results = [gathered(*existing_run(run, registry), registry) for run in runs]
    made = site(results, registry.datasets.specs, simple, dense)
    days = sorted({day for one in results for day in one.dates})
    fitted = f", of records of {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    try:
        front = write(made, output, f"Made with {source()}{fitted}.")
    except Unwritable as error:
        raise InputError(Fault(f"the site cannot be written: {error.__cause__}", str(output))) from error
    show(f"site: {front}, {len(made.pages)} pages")
    if table is not None:
        write_file(table, made.files[FILE], "the small table")
        show(f"table: {table}")
