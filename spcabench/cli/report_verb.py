"""The verb report."""

from __future__ import annotations

import click

from spcabench.cli import common


@click.command("report", epilog="Example: spcabench report reports/mnist_outlier")
@click.argument("run", metavar="RUN", shell_complete=common.complete_suite)
@click.pass_context
def command(ctx: click.Context, run: str) -> None:
    """Make the report of RUN (a run's folder, or its suite's name) again, from its records alone."""
    from spcabench.report.build import build

    registry = common.registry_of(ctx)
    loaded, folder = common.existing_run(run, registry)
    page = build(common.results_of(loaded, folder, registry))
    click.echo(f"report: {page}, {page.with_suffix('.html').name}")
