"""The verb submit."""

from __future__ import annotations

from pathlib import Path

import click

from spcabench.api.find_run import existing_run
from spcabench.cli.complete import complete_name
from spcabench.cli.registry import registry_of
from spcabench.cli.show import show
from spcabench.cli.warn import say


@click.command(
    "submit",
    epilog="Example: spcabench submit my_method --plugin my_method.py --run reports/leaderboard "
    "--output submissions/my_method",
)
@click.argument("method", metavar="NAME", shell_complete=complete_name)
@click.option("--run", required=True, metavar="RUN", help="The run's folder, or its suite's name.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="FOLDER",
    help="Where to write; the folder must not be there, or be empty.",
)
@click.pass_context
def command(ctx: click.Context, method: str, run: str, output: Path) -> None:
    """Write what others need to judge the method with the label NAME, whose cells RUN has.

    The folder has its specification, machine and versions, records and loadings, licence, what spcabench check finds,
    the file of a single-file plugin, and a README.  A plugin names its licence: a file in a line such as
    "# SPDX-License-Identifier: BSD-3-Clause", a package in its pyproject.toml.
    """
    from spcabench.check.subjects import subjects
    from spcabench.submission.write import results_of, submit

    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    results = results_of(method, loaded, folder)
    say(f"checking {results.entry.name}")
    (subject,) = (one for one in subjects(results.entry.name, registry) if one.kind == "method")
    submit(method, results, list(subject.findings()), loaded, folder, registry, output)
    show(f"submission: {output}, {len(results.cells)} records")
