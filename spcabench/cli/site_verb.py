"""The verb site."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.cli.shared import output_option, registry_of, runs_argument
from spcabench.cli.terminal import show
from spcabench.report.find_run import existing_run, gathered


@click.command("site", epilog="Example: spcabench site reports/leaderboard --output site")
@runs_argument
@output_option("FOLDER", "Where to write the site; other files there stay.", required=True, file_okay=False)
@click.option("--earlier", metavar="FILE", help="The leaderboard.csv of an earlier site: a page says what changed.")
@click.pass_context
def command(ctx: click.Context, runs: tuple[str, ...], output: Path, earlier: str | None) -> None:
    """Make a static leaderboard of each RUN (a run's folder, or its suite's name), from its records alone.

    The suites must have tracks.  The site has a page for each question, method and data set, the reports of the runs,
    and needs no network.  Beside them are all cells as one table, the scores, and a program that computes
    these from those.
    """
    from spcabench.foreign.reader import read_table
    from spcabench.site.build import site, write
    from spcabench.site.files import source
    from spcabench.wording import Fault, InputError, Unwritable

    registry = registry_of(ctx)
    results = [gathered(*existing_run(run, registry), registry) for run in runs]
    made = site(results, registry.datasets.specs, read_table(earlier).frame if earlier else None)
    days = sorted({day for one in results for day in one.dates})
    fitted = f", of records of {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    try:
        front = write(made, output, f"Made with {source()}{fitted}.")
    except Unwritable as error:
        raise InputError(Fault(f"the site cannot be written: {error.__cause__}", str(output))) from error
    show(f"site: {front}, {len(made.pages)} pages")
