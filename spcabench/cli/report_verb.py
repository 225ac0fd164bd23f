"""The verb report."""

from __future__ import annotations

import click

from spcabench.cli.complete import complete_suite
from spcabench.cli.execute import results_of
from spcabench.cli.find_run import existing_run
from spcabench.cli.registry import registry_of


@click.command("report", epilog="Example: spcabench report reports/mnist_outlier")
@click.argument("run", metavar="RUN", shell_complete=complete_suite)
@click.pass_context
def command(ctx: click.Context, run: str) -> None:
    """Make the report of RUN (a run's folder, or its suite's name) again, from its records alone."""
    from spcabench.report.build import build

    registry = registry_of(ctx)
    loaded, folder = existing_run(run, registry)
    page = build(results_of(loaded, folder, registry))
    click.echo(f"report: {page}, {page.with_suffix('.html').name}")
